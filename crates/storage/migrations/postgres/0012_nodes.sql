-- The nodes that serve this database. Times are those of the database.

CREATE TABLE nodes (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- random for each start
    name         TEXT COLLATE "C" NOT NULL,
    version      TEXT COLLATE "C" NOT NULL,
    address      TEXT COLLATE "C",
    started_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    status       TEXT COLLATE "C" NOT NULL,
    schema_version BIGINT NOT NULL -- the newest that its program knows
);
