-- Expiry, last use and rate limit of endpoint keys; counters of refused requests; names in the audit log.

ALTER TABLE endpoint_keys ADD COLUMN expires_at BIGINT;         -- null: never
ALTER TABLE endpoint_keys ADD COLUMN rate_limit_per_min BIGINT; -- null: only the limit of the server
ALTER TABLE endpoint_keys ADD COLUMN last_used_at BIGINT;       -- written at intervals; null: not used yet

-- Requests to endpoints that were refused, by hour. Servers that do not exist share one row for each hour and reason.
CREATE TABLE refusals (
    server_id INTEGER NOT NULL, -- 0 for servers that do not exist
    hour      INTEGER NOT NULL,
    reason    TEXT    NOT NULL,
    requests  INTEGER NOT NULL,
    PRIMARY KEY (server_id, hour, reason)
) WITHOUT ROWID;
CREATE INDEX refusals_hour ON refusals (hour);

-- The names are those at the time of the change, because an object or a user may be deleted later.
DROP TRIGGER audit_is_append_only_update;
ALTER TABLE audit ADD COLUMN user_name TEXT;
ALTER TABLE audit ADD COLUMN key_name TEXT;
ALTER TABLE audit ADD COLUMN object_name TEXT;
ALTER TABLE audit ADD COLUMN server_id BIGINT; -- the server that the change concerns, if any
ALTER TABLE audit ADD COLUMN owner_id BIGINT;  -- the owner of a deleted server; null in all other rows
UPDATE audit SET
    user_name = (SELECT name FROM users WHERE users.id = audit.user_id),
    key_name = (SELECT name FROM api_keys WHERE api_keys.id = audit.key_id),
    object_name = CASE object_kind
        WHEN 'server' THEN (SELECT name FROM servers WHERE servers.id = audit.object_id)
        WHEN 'tool' THEN (SELECT name FROM tools WHERE tools.id = audit.object_id)
        WHEN 'prompt' THEN (SELECT name FROM prompts WHERE prompts.id = audit.object_id)
        WHEN 'resource' THEN (SELECT name FROM resources WHERE resources.id = audit.object_id)
        WHEN 'user' THEN (SELECT name FROM users WHERE users.id = audit.object_id)
        WHEN 'api_key' THEN (SELECT name FROM api_keys WHERE api_keys.id = audit.object_id)
        WHEN 'endpoint_key' THEN (SELECT name FROM endpoint_keys WHERE endpoint_keys.id = audit.object_id)
    END,
    server_id = CASE object_kind
        WHEN 'server' THEN object_id
        WHEN 'tool' THEN (SELECT server_id FROM tools WHERE tools.id = audit.object_id)
        WHEN 'prompt' THEN (SELECT server_id FROM prompts WHERE prompts.id = audit.object_id)
        WHEN 'resource' THEN (SELECT server_id FROM resources WHERE resources.id = audit.object_id)
        WHEN 'endpoint_key' THEN (SELECT server_id FROM endpoint_keys WHERE endpoint_keys.id = audit.object_id)
    END;
UPDATE audit SET object_name =
    (SELECT name FROM former_names WHERE former_names.kind = audit.object_kind AND former_names.id = audit.object_id)
WHERE object_name IS NULL;
CREATE INDEX audit_server ON audit (server_id, id);
CREATE INDEX audit_owner ON audit (owner_id, object_id) WHERE owner_id IS NOT NULL;

CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'audit rows cannot be changed');
END;
