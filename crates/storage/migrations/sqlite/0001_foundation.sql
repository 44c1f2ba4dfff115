-- Times are milliseconds since 1970 (UTC), documents are JSON as text, flags are 0 or 1.
-- Counters are kept by triggers, so that no code path can forget them and no list of servers or of what belongs to them counts rows.

CREATE TABLE users (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT   NOT NULL UNIQUE,
    role       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- What each user owns, in numbers.
CREATE TABLE owner_counts (
    user_id        BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    active_servers BIGINT NOT NULL DEFAULT 0,
    paused_servers BIGINT NOT NULL DEFAULT 0,
    draft_servers  BIGINT NOT NULL DEFAULT 0,
    tools          BIGINT NOT NULL DEFAULT 0,
    active_tools   BIGINT NOT NULL DEFAULT 0
);

CREATE TRIGGER users_counted AFTER INSERT ON users BEGIN
    INSERT INTO owner_counts (user_id) VALUES (NEW.id);
END;

CREATE TABLE api_keys (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id      BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    hash         BLOB   NOT NULL UNIQUE,
    hint         TEXT   NOT NULL,
    scopes       TEXT   NOT NULL,
    is_bootstrap BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT
);
CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE servers (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id            BIGINT NOT NULL REFERENCES users (id),
    name               TEXT   NOT NULL,
    name_key           TEXT   NOT NULL, -- the name in lower case, for sorting
    slug               TEXT   NOT NULL,
    public_id          TEXT   NOT NULL UNIQUE,
    status             TEXT   NOT NULL,
    auth_type          TEXT   NOT NULL,
    rate_limit_per_min BIGINT NOT NULL,
    settings           TEXT,
    tool_count         BIGINT NOT NULL DEFAULT 0,
    active_tool_count  BIGINT NOT NULL DEFAULT 0,
    prompt_count       BIGINT NOT NULL DEFAULT 0,
    resource_count     BIGINT NOT NULL DEFAULT 0,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    UNIQUE (user_id, slug)
);
-- Every sort of the list, for all servers and for one owner's, with and without a status: a page is a short walk along one of these.
CREATE INDEX servers_name              ON servers (name_key, id);
CREATE INDEX servers_slug              ON servers (slug, id);
CREATE INDEX servers_created           ON servers (created_at, id);
CREATE INDEX servers_updated           ON servers (updated_at, id);
CREATE INDEX servers_status            ON servers (status, id);
CREATE INDEX servers_status_name       ON servers (status, name_key, id);
CREATE INDEX servers_status_slug       ON servers (status, slug, id);
CREATE INDEX servers_status_created    ON servers (status, created_at, id);
CREATE INDEX servers_status_updated    ON servers (status, updated_at, id);
CREATE INDEX servers_user              ON servers (user_id, id);
CREATE INDEX servers_user_name         ON servers (user_id, name_key, id);
CREATE INDEX servers_user_created      ON servers (user_id, created_at, id);
CREATE INDEX servers_user_updated      ON servers (user_id, updated_at, id);
CREATE INDEX servers_user_status       ON servers (user_id, status, id);
CREATE INDEX servers_user_status_name  ON servers (user_id, status, name_key, id);
CREATE INDEX servers_user_status_slug  ON servers (user_id, status, slug, id);
CREATE INDEX servers_user_status_created ON servers (user_id, status, created_at, id);
CREATE INDEX servers_user_status_updated ON servers (user_id, status, updated_at, id);

-- What a search reads: narrow rows, so that looking through a hundred thousand of them takes milliseconds.
CREATE TABLE server_search (
    server_id INTEGER PRIMARY KEY REFERENCES servers (id) ON DELETE CASCADE,
    user_id   BIGINT NOT NULL,
    status    TEXT   NOT NULL,
    text      TEXT   NOT NULL
);
CREATE INDEX server_search_user ON server_search (user_id);

CREATE TRIGGER servers_counted_insert AFTER INSERT ON servers BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers + (NEW.status = 'active'),
        paused_servers = paused_servers + (NEW.status = 'paused'),
        draft_servers  = draft_servers  + (NEW.status = 'draft')
    WHERE user_id = NEW.user_id;
END;

CREATE TRIGGER servers_counted_status AFTER UPDATE OF status ON servers WHEN OLD.status <> NEW.status BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers + (NEW.status = 'active') - (OLD.status = 'active'),
        paused_servers = paused_servers + (NEW.status = 'paused') - (OLD.status = 'paused'),
        draft_servers  = draft_servers  + (NEW.status = 'draft')  - (OLD.status = 'draft')
    WHERE user_id = NEW.user_id;
    UPDATE server_search SET status = NEW.status WHERE server_id = NEW.id;
END;

CREATE TRIGGER servers_counted_tools AFTER UPDATE OF tool_count, active_tool_count ON servers BEGIN
    UPDATE owner_counts SET
        tools        = tools        + NEW.tool_count        - OLD.tool_count,
        active_tools = active_tools + NEW.active_tool_count - OLD.active_tool_count
    WHERE user_id = NEW.user_id;
END;

CREATE TRIGGER servers_counted_delete AFTER DELETE ON servers BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers - (OLD.status = 'active'),
        paused_servers = paused_servers - (OLD.status = 'paused'),
        draft_servers  = draft_servers  - (OLD.status = 'draft'),
        tools          = tools          - OLD.tool_count,
        active_tools   = active_tools   - OLD.active_tool_count
    WHERE user_id = OLD.user_id;
END;

CREATE TABLE tools (
    id                           INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id                    BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name                         TEXT   NOT NULL,
    description                  TEXT   NOT NULL,
    endpoint_url                 TEXT   NOT NULL,
    http_method                  TEXT   NOT NULL,
    input_schema                 TEXT   NOT NULL,
    auth_type                    TEXT   NOT NULL,
    parameter_mapping            TEXT   NOT NULL,
    headers                      TEXT   NOT NULL,
    body_type                    TEXT   NOT NULL,
    cache_ttl                    BIGINT NOT NULL,
    timeout                      BIGINT NOT NULL,
    retry_count                  BIGINT NOT NULL,
    sort_order                   BIGINT NOT NULL,
    status                       TEXT   NOT NULL,
    response_type                TEXT   NOT NULL,
    output_schema                TEXT,
    required_client_capabilities TEXT,
    annotations                  TEXT,
    revision                     BIGINT NOT NULL,
    created_at                   BIGINT NOT NULL,
    updated_at                   BIGINT NOT NULL,
    UNIQUE (server_id, name)
);
CREATE INDEX tools_order ON tools (server_id, sort_order, id);

CREATE TRIGGER tools_counted_insert AFTER INSERT ON tools BEGIN
    UPDATE servers SET tool_count = tool_count + 1, active_tool_count = active_tool_count + (NEW.status = 'active')
    WHERE id = NEW.server_id;
END;

CREATE TRIGGER tools_counted_status AFTER UPDATE OF status ON tools WHEN OLD.status <> NEW.status BEGIN
    UPDATE servers SET active_tool_count = active_tool_count + (NEW.status = 'active') - (OLD.status = 'active')
    WHERE id = NEW.server_id;
END;

CREATE TRIGGER tools_counted_delete AFTER DELETE ON tools BEGIN
    UPDATE servers SET tool_count = tool_count - 1, active_tool_count = active_tool_count - (OLD.status = 'active')
    WHERE id = OLD.server_id;
END;

CREATE TABLE prompts (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id        BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name             TEXT   NOT NULL,
    description      TEXT   NOT NULL,
    arguments        TEXT   NOT NULL,
    template_content TEXT   NOT NULL,
    messages         TEXT,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    UNIQUE (server_id, name)
);
CREATE INDEX prompts_server ON prompts (server_id, id);

CREATE TRIGGER prompts_counted_insert AFTER INSERT ON prompts BEGIN
    UPDATE servers SET prompt_count = prompt_count + 1 WHERE id = NEW.server_id;
END;

CREATE TRIGGER prompts_counted_delete AFTER DELETE ON prompts BEGIN
    UPDATE servers SET prompt_count = prompt_count - 1 WHERE id = OLD.server_id;
END;

CREATE TABLE resources (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id          BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    uri                TEXT   NOT NULL,
    name               TEXT   NOT NULL,
    description        TEXT   NOT NULL,
    mime_type          TEXT   NOT NULL,
    data_source_type   TEXT   NOT NULL,
    data_source_config TEXT   NOT NULL,
    template_uri       TEXT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    UNIQUE (server_id, uri)
);
CREATE INDEX resources_server ON resources (server_id, id);

CREATE TRIGGER resources_counted_insert AFTER INSERT ON resources BEGIN
    UPDATE servers SET resource_count = resource_count + 1 WHERE id = NEW.server_id;
END;

CREATE TRIGGER resources_counted_delete AFTER DELETE ON resources BEGIN
    UPDATE servers SET resource_count = resource_count - 1 WHERE id = OLD.server_id;
END;

CREATE TABLE endpoint_keys (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id  BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    hash       BLOB   NOT NULL UNIQUE,
    hint       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX endpoint_keys_server ON endpoint_keys (server_id, id);

-- Keys that have sealed something, each with a check value: a keyring that cannot open it is the wrong one.
CREATE TABLE encryption_keys (
    key_id      TEXT   PRIMARY KEY,
    check_value BLOB   NOT NULL,
    created_at  BIGINT NOT NULL
);

-- Everything secret, sealed and apart from the rows it belongs to.
CREATE TABLE secrets (
    kind      TEXT   NOT NULL, -- server, tool or resource
    object_id BIGINT NOT NULL,
    server_id BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    key_id    TEXT   NOT NULL REFERENCES encryption_keys (key_id),
    sealed    BLOB   NOT NULL,
    PRIMARY KEY (kind, object_id)
);
CREATE INDEX secrets_server ON secrets (server_id);
CREATE INDEX secrets_key ON secrets (key_id);

-- Who changed what; rows are only ever added.
CREATE TABLE audit (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          BIGINT NOT NULL,
    user_id     BIGINT,
    key_id      BIGINT,
    action      TEXT   NOT NULL,
    object_kind TEXT   NOT NULL,
    object_id   BIGINT NOT NULL,
    fields      TEXT   NOT NULL
);

CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'audit rows cannot be changed');
END;

CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'audit rows cannot be deleted');
END;
