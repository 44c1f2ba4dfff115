-- Times are milliseconds since 1970 (UTC), documents are JSON as text, flags are 0 or 1.
-- Text is compared byte by byte, as SQLite does. Counters are kept by triggers, so that no code path can forget them and no list of servers or of what belongs to them counts rows.

CREATE TABLE users (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL UNIQUE,
    role       TEXT COLLATE "C" NOT NULL,
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

CREATE FUNCTION users_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO owner_counts (user_id) VALUES (NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER users_counted AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION users_counted();

CREATE TABLE api_keys (
    id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT COLLATE "C" NOT NULL,
    hash         BYTEA   NOT NULL UNIQUE,
    hint         TEXT COLLATE "C" NOT NULL,
    scopes       TEXT COLLATE "C" NOT NULL,
    is_bootstrap BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT
);
CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE servers (
    id                 BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id            BIGINT NOT NULL REFERENCES users (id),
    name               TEXT COLLATE "C" NOT NULL,
    name_key           TEXT COLLATE "C" NOT NULL, -- the name in lower case, for sorting
    slug               TEXT COLLATE "C" NOT NULL,
    public_id          TEXT COLLATE "C" NOT NULL UNIQUE,
    status             TEXT COLLATE "C" NOT NULL,
    auth_type          TEXT COLLATE "C" NOT NULL,
    rate_limit_per_min BIGINT NOT NULL,
    settings           TEXT COLLATE "C",
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
    server_id BIGINT PRIMARY KEY REFERENCES servers (id) ON DELETE CASCADE,
    user_id   BIGINT NOT NULL,
    status    TEXT COLLATE "C" NOT NULL,
    text      TEXT COLLATE "C" NOT NULL
);
CREATE INDEX server_search_user ON server_search (user_id);

CREATE FUNCTION servers_counted_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers + (NEW.status = 'active')::int,
        paused_servers = paused_servers + (NEW.status = 'paused')::int,
        draft_servers  = draft_servers  + (NEW.status = 'draft')::int
    WHERE user_id = NEW.user_id;
    RETURN NULL;
END $$;
CREATE TRIGGER servers_counted_insert AFTER INSERT ON servers FOR EACH ROW EXECUTE FUNCTION servers_counted_insert();

CREATE FUNCTION servers_counted_status() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers + (NEW.status = 'active')::int - (OLD.status = 'active')::int,
        paused_servers = paused_servers + (NEW.status = 'paused')::int - (OLD.status = 'paused')::int,
        draft_servers  = draft_servers  + (NEW.status = 'draft')::int  - (OLD.status = 'draft')::int
    WHERE user_id = NEW.user_id;
    UPDATE server_search SET status = NEW.status WHERE server_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER servers_counted_status AFTER UPDATE OF status ON servers FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION servers_counted_status();

CREATE FUNCTION servers_counted_tools() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE owner_counts SET
        tools        = tools        + NEW.tool_count        - OLD.tool_count,
        active_tools = active_tools + NEW.active_tool_count - OLD.active_tool_count
    WHERE user_id = NEW.user_id;
    RETURN NULL;
END $$;
CREATE TRIGGER servers_counted_tools AFTER UPDATE OF tool_count, active_tool_count ON servers FOR EACH ROW EXECUTE FUNCTION servers_counted_tools();

CREATE FUNCTION servers_counted_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE owner_counts SET
        active_servers = active_servers - (OLD.status = 'active')::int,
        paused_servers = paused_servers - (OLD.status = 'paused')::int,
        draft_servers  = draft_servers  - (OLD.status = 'draft')::int,
        tools          = tools          - OLD.tool_count,
        active_tools   = active_tools   - OLD.active_tool_count
    WHERE user_id = OLD.user_id;
    RETURN NULL;
END $$;
CREATE TRIGGER servers_counted_delete AFTER DELETE ON servers FOR EACH ROW EXECUTE FUNCTION servers_counted_delete();

CREATE TABLE tools (
    id                           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server_id                    BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name                         TEXT COLLATE "C" NOT NULL,
    description                  TEXT COLLATE "C" NOT NULL,
    endpoint_url                 TEXT COLLATE "C" NOT NULL,
    http_method                  TEXT COLLATE "C" NOT NULL,
    input_schema                 TEXT COLLATE "C" NOT NULL,
    auth_type                    TEXT COLLATE "C" NOT NULL,
    parameter_mapping            TEXT COLLATE "C" NOT NULL,
    headers                      TEXT COLLATE "C" NOT NULL,
    body_type                    TEXT COLLATE "C" NOT NULL,
    cache_ttl                    BIGINT NOT NULL,
    timeout                      BIGINT NOT NULL,
    retry_count                  BIGINT NOT NULL,
    sort_order                   BIGINT NOT NULL,
    status                       TEXT COLLATE "C" NOT NULL,
    response_type                TEXT COLLATE "C" NOT NULL,
    output_schema                TEXT COLLATE "C",
    required_client_capabilities TEXT COLLATE "C",
    annotations                  TEXT COLLATE "C",
    revision                     BIGINT NOT NULL,
    created_at                   BIGINT NOT NULL,
    updated_at                   BIGINT NOT NULL,
    UNIQUE (server_id, name)
);
CREATE INDEX tools_order ON tools (server_id, sort_order, id);

CREATE FUNCTION tools_counted_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET tool_count = tool_count + 1, active_tool_count = active_tool_count + (NEW.status = 'active')::int
    WHERE id = NEW.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER tools_counted_insert AFTER INSERT ON tools FOR EACH ROW EXECUTE FUNCTION tools_counted_insert();

CREATE FUNCTION tools_counted_status() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET active_tool_count = active_tool_count + (NEW.status = 'active')::int - (OLD.status = 'active')::int
    WHERE id = NEW.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER tools_counted_status AFTER UPDATE OF status ON tools FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION tools_counted_status();

CREATE FUNCTION tools_counted_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET tool_count = tool_count - 1, active_tool_count = active_tool_count - (OLD.status = 'active')::int
    WHERE id = OLD.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER tools_counted_delete AFTER DELETE ON tools FOR EACH ROW EXECUTE FUNCTION tools_counted_delete();

CREATE TABLE prompts (
    id               BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server_id        BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name             TEXT COLLATE "C" NOT NULL,
    description      TEXT COLLATE "C" NOT NULL,
    arguments        TEXT COLLATE "C" NOT NULL,
    template_content TEXT COLLATE "C" NOT NULL,
    messages         TEXT COLLATE "C",
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    UNIQUE (server_id, name)
);
CREATE INDEX prompts_server ON prompts (server_id, id);

CREATE FUNCTION prompts_counted_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET prompt_count = prompt_count + 1 WHERE id = NEW.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER prompts_counted_insert AFTER INSERT ON prompts FOR EACH ROW EXECUTE FUNCTION prompts_counted_insert();

CREATE FUNCTION prompts_counted_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET prompt_count = prompt_count - 1 WHERE id = OLD.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER prompts_counted_delete AFTER DELETE ON prompts FOR EACH ROW EXECUTE FUNCTION prompts_counted_delete();

CREATE TABLE resources (
    id                 BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server_id          BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    uri                TEXT COLLATE "C" NOT NULL,
    name               TEXT COLLATE "C" NOT NULL,
    description        TEXT COLLATE "C" NOT NULL,
    mime_type          TEXT COLLATE "C" NOT NULL,
    data_source_type   TEXT COLLATE "C" NOT NULL,
    data_source_config TEXT COLLATE "C" NOT NULL,
    template_uri       TEXT COLLATE "C",
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    UNIQUE (server_id, uri)
);
CREATE INDEX resources_server ON resources (server_id, id);

CREATE FUNCTION resources_counted_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET resource_count = resource_count + 1 WHERE id = NEW.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER resources_counted_insert AFTER INSERT ON resources FOR EACH ROW EXECUTE FUNCTION resources_counted_insert();

CREATE FUNCTION resources_counted_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE servers SET resource_count = resource_count - 1 WHERE id = OLD.server_id;
    RETURN NULL;
END $$;
CREATE TRIGGER resources_counted_delete AFTER DELETE ON resources FOR EACH ROW EXECUTE FUNCTION resources_counted_delete();

CREATE TABLE endpoint_keys (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server_id  BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name       TEXT COLLATE "C" NOT NULL,
    hash       BYTEA   NOT NULL UNIQUE,
    hint       TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX endpoint_keys_server ON endpoint_keys (server_id, id);

-- Keys that have sealed something, each with a check value: a keyring that cannot open it is the wrong one.
CREATE TABLE encryption_keys (
    key_id      TEXT COLLATE "C" PRIMARY KEY,
    check_value BYTEA   NOT NULL,
    created_at  BIGINT NOT NULL
);

-- Everything secret, sealed and apart from the rows it belongs to.
CREATE TABLE secrets (
    kind      TEXT COLLATE "C" NOT NULL, -- server, tool or resource
    object_id BIGINT NOT NULL,
    server_id BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    key_id    TEXT COLLATE "C" NOT NULL REFERENCES encryption_keys (key_id),
    sealed    BYTEA   NOT NULL,
    PRIMARY KEY (kind, object_id)
);
CREATE INDEX secrets_server ON secrets (server_id);
CREATE INDEX secrets_key ON secrets (key_id);

-- Who changed what; rows are only ever added.
CREATE TABLE audit (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          BIGINT NOT NULL,
    user_id     BIGINT,
    key_id      BIGINT,
    action      TEXT COLLATE "C" NOT NULL,
    object_kind TEXT COLLATE "C" NOT NULL,
    object_id   BIGINT NOT NULL,
    fields      TEXT COLLATE "C" NOT NULL
);

CREATE FUNCTION audit_is_append_only_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'audit rows cannot be changed';
END $$;
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_append_only_update();

CREATE FUNCTION audit_is_append_only_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'audit rows cannot be deleted';
END $$;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_append_only_delete();

-- SQLite's name for it, so that a search is the same statement on both databases.
CREATE FUNCTION instr(haystack text, needle text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS 'SELECT strpos(haystack, needle)';
