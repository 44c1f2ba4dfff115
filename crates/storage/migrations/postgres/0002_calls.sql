-- Calls: the log, the sums that reports read, and how far each journal has been taken in.
-- The calls of a server or tool that is deleted stay, so nothing here refers to the rows of servers and tools.

-- A call's id is a moment: milliseconds times 1024, plus a number within the millisecond. The log is made of blocks: some hundred calls of a few
-- seconds, packed (storage/src/sql/calls/block.rs). A row for each call and an index entry for each way to look for it would cost several
-- times as much as the call itself. A range of ids is a range of time, so the blocks of a day are one partition, and forgetting a day is
-- dropping tables. Partitions are made as they are needed: storage/src/sql/calls/days.rs.
CREATE TABLE call_blocks (
    newest BIGINT NOT NULL PRIMARY KEY, -- id of its newest call
    oldest BIGINT NOT NULL,             -- and of its oldest
    calls  BIGINT NOT NULL,             -- how many
    packed BYTEA NOT NULL
) PARTITION BY RANGE (newest);
ALTER TABLE call_blocks ALTER COLUMN packed SET STORAGE EXTERNAL; -- as it is: trying to compress it costs more than it brings
-- Which blocks have calls of a scope, and what a look into them can find.
CREATE TABLE call_index (
    scope        BIGINT NOT NULL, -- as in usage
    scope_id     BIGINT NOT NULL,
    block        BIGINT NOT NULL, -- newest of call_blocks
    oldest       BIGINT NOT NULL, -- of call_blocks
    outcomes     BIGINT NOT NULL, -- a bit for each outcome: storage/src/sql/calls/marks.rs
    client_types BIGINT NOT NULL, -- bits that the types of its clients have
    PRIMARY KEY (scope, scope_id, block)
) PARTITION BY RANGE (block);
-- What was said in a call, where a server's settings switch capture on.
CREATE TABLE captured_calls (
    id        BIGINT NOT NULL PRIMARY KEY,
    arguments TEXT COLLATE "C" NOT NULL,
    response  TEXT COLLATE "C" NOT NULL
) PARTITION BY RANGE (id);

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
    outcomes       BIGINT NOT NULL, -- as in call_index
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
