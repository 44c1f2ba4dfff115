-- Who made a call and from where: what the index of the log says about it, the daily sums for each key, and the names
-- of deleted keys. The origin itself is part of a packed block (storage/src/sql/calls/block.rs).

-- Bits of the credentials and of the client addresses in a block, as in storage/src/sql/calls/bitmask.rs. Bit 0 means
-- none: the calls of earlier versions have neither.
ALTER TABLE call_index ADD COLUMN credentials BIGINT NOT NULL DEFAULT 1;
ALTER TABLE call_index ADD COLUMN addresses BIGINT NOT NULL DEFAULT 1;

-- Sums over the calls of a day, for each server and credential.
CREATE TABLE key_usage (
    server_id       BIGINT NOT NULL,
    start           BIGINT NOT NULL, -- of the day
    credential_kind BIGINT NOT NULL, -- 0 none, 1 a key of the endpoint, 2 a key of a user
    credential_id   BIGINT NOT NULL, -- of the endpoint key or the user; 0 for none
    calls           BIGINT NOT NULL,
    failures        BIGINT NOT NULL,
    total_us        BIGINT NOT NULL,
    request_bytes   BIGINT NOT NULL,
    response_bytes  BIGINT NOT NULL,
    last_at         BIGINT NOT NULL,
    latencies       BYTEA NOT NULL, -- as in usage
    PRIMARY KEY (server_id, start, credential_kind, credential_id)
);
-- For reports over all servers.
CREATE INDEX key_usage_days ON key_usage (start);

CREATE FUNCTION endpoint_keys_named() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO former_names (kind, id, name) VALUES ('endpoint_key', OLD.id, OLD.name);
    RETURN NULL;
END $$;
CREATE TRIGGER endpoint_keys_named AFTER DELETE ON endpoint_keys FOR EACH ROW EXECUTE FUNCTION endpoint_keys_named();
