-- Calls: the log, the sums that reports read, and how far each journal has been taken in.
-- The calls of a server or tool that is deleted stay, so nothing here refers to the rows of servers and tools.

-- An id is a moment: milliseconds times 1024, plus a number within the millisecond. So rows lie in the order of time.
CREATE TABLE calls (
    id               INTEGER PRIMARY KEY,
    user_id          INTEGER NOT NULL, -- who owned the server
    server_id        INTEGER NOT NULL,
    tool_id          INTEGER NOT NULL,
    client_type      TEXT NOT NULL,
    client_name      TEXT,
    protocol_version TEXT,
    reason           TEXT, -- why it failed; NULL for success
    upstream_status  INTEGER,
    duration_us      INTEGER NOT NULL,
    upstream_us      INTEGER NOT NULL,
    request_bytes    INTEGER NOT NULL,
    response_bytes   INTEGER NOT NULL,
    cache_hit        INTEGER NOT NULL,
    request_id       TEXT NOT NULL,
    arguments        TEXT, -- what was captured, where a server's settings say so
    response         TEXT
);
-- A page of the log is a short walk backwards along one of these; failures are few, so their indexes cost little.
CREATE INDEX calls_user          ON calls (user_id);
CREATE INDEX calls_server        ON calls (server_id);
CREATE INDEX calls_tool          ON calls (tool_id);
CREATE INDEX calls_failed        ON calls (id) WHERE reason IS NOT NULL;
CREATE INDEX calls_user_failed   ON calls (user_id) WHERE reason IS NOT NULL;
CREATE INDEX calls_server_failed ON calls (server_id) WHERE reason IS NOT NULL;
CREATE INDEX calls_tool_failed   ON calls (tool_id) WHERE reason IS NOT NULL;

-- Sums over calls. What a report reads of one scope and client lies side by side.
CREATE TABLE usage (
    scope          INTEGER NOT NULL, -- 0 everything, 1 an owner's servers, 2 a server, 3 a tool
    scope_id       INTEGER NOT NULL, -- 0 for everything
    grain          INTEGER NOT NULL, -- 0 an hour, 1 a day, 2 all time
    client_type    TEXT NOT NULL, -- empty for all together
    start          INTEGER NOT NULL,
    user_id        INTEGER NOT NULL, -- who may see it; 0 for everything
    calls          INTEGER NOT NULL,
    failures       INTEGER NOT NULL,
    total_us       INTEGER NOT NULL,
    request_bytes  INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    last_at        INTEGER NOT NULL,
    latencies      BLOB NOT NULL, -- domain::usage::Latencies
    PRIMARY KEY (scope, scope_id, grain, client_type, start)
) WITHOUT ROWID;
-- Which types of clients a server had on a day: there may be only so many.
CREATE INDEX usage_client_types ON usage (scope_id, start, client_type) WHERE scope = 2 AND grain = 1;

-- Journals whose records may come in, and the number of the last one that has: a batch that comes twice counts once.
CREATE TABLE journals (
    id       TEXT PRIMARY KEY,
    position INTEGER NOT NULL
) WITHOUT ROWID;

-- Calls that journals had to give up, by day.
CREATE TABLE lost_calls (
    day   INTEGER PRIMARY KEY,
    calls INTEGER NOT NULL
);

-- What deleted servers and tools were called, for the log.
CREATE TABLE former_names (
    kind TEXT NOT NULL, -- server or tool
    id   INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE TRIGGER servers_named AFTER DELETE ON servers BEGIN
    INSERT INTO former_names (kind, id, name) VALUES ('server', OLD.id, OLD.name);
END;

CREATE TRIGGER tools_named AFTER DELETE ON tools BEGIN
    INSERT INTO former_names (kind, id, name) VALUES ('tool', OLD.id, OLD.name);
END;
