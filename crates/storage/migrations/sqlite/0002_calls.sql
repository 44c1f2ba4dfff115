-- Calls: the log, the sums that reports read, and how far each journal has been taken in.
-- The calls of a server or tool that is deleted stay, so nothing here refers to the rows of servers and tools.

-- A call's id is a moment: milliseconds times 1024, plus a number within the millisecond. The log is made of blocks: some hundred calls of a few
-- seconds, packed (storage/src/sql/calls/block.rs). A row for each call and an index entry for each way to look for it would cost several
-- times as much as the call itself.
CREATE TABLE call_blocks (
    newest INTEGER PRIMARY KEY, -- id of its newest call
    oldest INTEGER NOT NULL,    -- and of its oldest
    calls  INTEGER NOT NULL,    -- how many
    packed BLOB NOT NULL
);
-- Which blocks have calls of a scope, and what a look into them can find.
CREATE TABLE call_index (
    scope        INTEGER NOT NULL, -- as in usage
    scope_id     INTEGER NOT NULL,
    block        INTEGER NOT NULL, -- newest of call_blocks
    oldest       INTEGER NOT NULL, -- of call_blocks
    outcomes     INTEGER NOT NULL, -- a bit for each outcome: storage/src/sql/calls/marks.rs
    client_types INTEGER NOT NULL, -- bits that the types of its clients have
    PRIMARY KEY (scope, scope_id, block)
) WITHOUT ROWID;
-- What was said in a call, where a server's settings switch capture on.
CREATE TABLE captured_calls (
    id        INTEGER PRIMARY KEY,
    arguments TEXT NOT NULL,
    response  TEXT NOT NULL
);

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
    outcomes       INTEGER NOT NULL, -- as in call_index
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
