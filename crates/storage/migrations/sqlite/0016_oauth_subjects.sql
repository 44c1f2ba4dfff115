-- People whom external issuers identify: the names behind the numbers that calls are recorded with. A number is derived
-- from issuer and subject.
CREATE TABLE oauth_subjects (
    id         BIGINT NOT NULL PRIMARY KEY,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    name       TEXT, -- for display only
    first_seen BIGINT NOT NULL,
    last_seen  BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX oauth_subjects_last_seen ON oauth_subjects (last_seen);
