-- Teams: users can be disabled, servers can be shared with other users and handed over to them.

ALTER TABLE users ADD COLUMN is_disabled BIGINT NOT NULL DEFAULT 0;

-- Users with whom the owner shares a server.
CREATE TABLE server_members (
    server_id  BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT   NOT NULL, -- viewer or editor
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (server_id, user_id)
) WITHOUT ROWID;
CREATE INDEX server_members_user ON server_members (user_id, server_id);

-- Every owner of a server that was handed over. The call log records the owner at the time of a call; this table says
-- who may see the calls now. It outlives the server, like the calls.
CREATE TABLE server_owners (
    server_id  BIGINT NOT NULL,
    user_id    BIGINT NOT NULL,
    is_current BIGINT NOT NULL, -- 1 for the owner since the last hand-over
    PRIMARY KEY (server_id, user_id)
) WITHOUT ROWID;
CREATE INDEX server_owners_user ON server_owners (user_id, server_id);

CREATE TRIGGER servers_counted_owner AFTER UPDATE OF user_id ON servers WHEN OLD.user_id <> NEW.user_id BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers - (OLD.status = 'active'),
        paused_servers = paused_servers - (OLD.status = 'paused'),
        draft_servers  = draft_servers  - (OLD.status = 'draft'),
        tools          = tools          - OLD.tool_count,
        active_tools   = active_tools   - OLD.active_tool_count
    WHERE user_id = OLD.user_id;
    UPDATE owner_counts SET
        active_servers = active_servers + (OLD.status = 'active'),
        paused_servers = paused_servers + (OLD.status = 'paused'),
        draft_servers  = draft_servers  + (OLD.status = 'draft'),
        tools          = tools          + OLD.tool_count,
        active_tools   = active_tools   + OLD.active_tool_count
    WHERE user_id = NEW.user_id;
    UPDATE server_search SET user_id = NEW.user_id WHERE server_id = NEW.id;
END;
