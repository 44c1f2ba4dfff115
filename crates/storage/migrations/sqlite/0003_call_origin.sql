-- Who made a call and from where: what the index of the log says about it, the daily sums for each key, and the names
-- of deleted keys. The origin itself is part of a packed block (storage/src/sql/calls/block.rs).

-- Bits of the credentials and of the client addresses in a block, as in storage/src/sql/calls/bitmask.rs. Bit 0 means
-- none: the calls of earlier versions have neither.
ALTER TABLE call_index ADD COLUMN credentials INTEGER NOT NULL DEFAULT 1;
ALTER TABLE call_index ADD COLUMN addresses INTEGER NOT NULL DEFAULT 1;

-- Sums over the calls of a day, for each server and credential.
CREATE TABLE key_usage (
    server_id       INTEGER NOT NULL,
    start           INTEGER NOT NULL, -- of the day
    credential_kind INTEGER NOT NULL, -- 0 none, 1 a key of the endpoint, 2 a key of a user
    credential_id   INTEGER NOT NULL, -- of the endpoint key or the user; 0 for none
    calls           INTEGER NOT NULL,
    failures        INTEGER NOT NULL,
    total_us        INTEGER NOT NULL,
    request_bytes   INTEGER NOT NULL,
    response_bytes  INTEGER NOT NULL,
    last_at         INTEGER NOT NULL,
    latencies       BLOB NOT NULL, -- as in usage
    PRIMARY KEY (server_id, start, credential_kind, credential_id)
) WITHOUT ROWID;
-- For reports over all servers.
CREATE INDEX key_usage_days ON key_usage (start);

CREATE TRIGGER endpoint_keys_named AFTER DELETE ON endpoint_keys BEGIN
    INSERT INTO former_names (kind, id, name) VALUES ('endpoint_key', OLD.id, OLD.name);
END;
