-- The nodes that serve this database. Times are those of the database.

CREATE TABLE nodes (
    id           TEXT NOT NULL PRIMARY KEY, -- random for each start
    name         TEXT NOT NULL,
    version      TEXT NOT NULL,
    address      TEXT,
    started_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    status       TEXT NOT NULL,
    schema_version INTEGER NOT NULL -- the newest that its program knows
);
