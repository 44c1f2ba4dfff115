-- Where the first administrator's key is, and the sessions that ended before their ids expire.

ALTER TABLE api_keys ADD COLUMN location TEXT; -- only of a key that a node created and wrote to a file

CREATE TABLE ended_sessions (
    id         BLOB   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX ended_sessions_expiry ON ended_sessions (expires_at);
