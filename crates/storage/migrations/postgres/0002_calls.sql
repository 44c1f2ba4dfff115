-- Calls: the log, the sums that reports read, and how far each journal has been taken in.
-- The calls of a server or tool that is deleted stay, so nothing here refers to the rows of servers and tools.

-- An id is a moment: milliseconds times 1024, plus a number within the millisecond. So a range of ids is a range of time, a day's calls are
-- one partition, and forgetting a day is dropping a table. Partitions are made as they are needed: storage/src/sql/calls/.
CREATE TABLE calls (
    id               BIGINT NOT NULL PRIMARY KEY,
    user_id          BIGINT NOT NULL, -- who owned the server
    server_id        BIGINT NOT NULL,
    tool_id          BIGINT NOT NULL,
    client_type      TEXT COLLATE "C" NOT NULL,
    client_name      TEXT COLLATE "C",
    protocol_version TEXT COLLATE "C",
    reason           TEXT COLLATE "C", -- why it failed; NULL for success
    upstream_status  BIGINT,
    duration_us      BIGINT NOT NULL,
    upstream_us      BIGINT NOT NULL,
    request_bytes    BIGINT NOT NULL,
    response_bytes   BIGINT NOT NULL,
    cache_hit        BIGINT NOT NULL,
    request_id       TEXT COLLATE "C" NOT NULL,
    arguments        TEXT COLLATE "C", -- what was captured, where a server's settings say so
    response         TEXT COLLATE "C"
) PARTITION BY RANGE (id);
-- A page of the log is a short walk backwards along one of these; failures are few, so their indexes cost little.
CREATE INDEX calls_user          ON calls (user_id, id);
CREATE INDEX calls_server        ON calls (server_id, id);
CREATE INDEX calls_tool          ON calls (tool_id, id);
CREATE INDEX calls_failed        ON calls (id) WHERE reason IS NOT NULL;
CREATE INDEX calls_user_failed   ON calls (user_id, id) WHERE reason IS NOT NULL;
CREATE INDEX calls_server_failed ON calls (server_id, id) WHERE reason IS NOT NULL;
CREATE INDEX calls_tool_failed   ON calls (tool_id, id) WHERE reason IS NOT NULL;

-- Sums over calls. What a report reads of one scope and client lies side by side.
CREATE TABLE usage (
    scope          BIGINT NOT NULL, -- 0 everything, 1 an owner's servers, 2 a server, 3 a tool
    scope_id       BIGINT NOT NULL, -- 0 for everything
    grain          BIGINT NOT NULL, -- 0 an hour, 1 a day, 2 all time
    client_type    TEXT COLLATE "C" NOT NULL, -- empty for all together
    start          BIGINT NOT NULL,
    user_id        BIGINT NOT NULL, -- who may see it; 0 for everything
    calls          BIGINT NOT NULL,
    failures       BIGINT NOT NULL,
    total_us       BIGINT NOT NULL,
    request_bytes  BIGINT NOT NULL,
    response_bytes BIGINT NOT NULL,
    last_at        BIGINT NOT NULL,
    latencies      BYTEA NOT NULL, -- domain::usage::Latencies
    PRIMARY KEY (scope, scope_id, grain, client_type, start)
);
-- Which types of clients a server had on a day: there may be only so many.
CREATE INDEX usage_client_types ON usage (scope_id, start, client_type) WHERE scope = 2 AND grain = 1;

-- Journals whose records may come in, and the number of the last one that has: a batch that comes twice counts once.
CREATE TABLE journals (
    id       TEXT COLLATE "C" PRIMARY KEY,
    position BIGINT NOT NULL
);

-- Calls that journals had to give up, by day.
CREATE TABLE lost_calls (
    day   BIGINT PRIMARY KEY,
    calls BIGINT NOT NULL
);

-- What deleted servers and tools were called, for the log.
CREATE TABLE former_names (
    kind TEXT COLLATE "C" NOT NULL, -- server or tool
    id   BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, id)
);

CREATE FUNCTION servers_named() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO former_names (kind, id, name) VALUES ('server', OLD.id, OLD.name);
    RETURN NULL;
END $$;
CREATE TRIGGER servers_named AFTER DELETE ON servers FOR EACH ROW EXECUTE FUNCTION servers_named();

CREATE FUNCTION tools_named() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO former_names (kind, id, name) VALUES ('tool', OLD.id, OLD.name);
    RETURN NULL;
END $$;
CREATE TRIGGER tools_named AFTER DELETE ON tools FOR EACH ROW EXECUTE FUNCTION tools_named();
