-- People whom external issuers identify: the names behind the numbers that calls are recorded with. A number is derived
-- from issuer and subject.
CREATE TABLE oauth_subjects (
    id         BIGINT NOT NULL PRIMARY KEY,
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C", -- for display only
    first_seen BIGINT NOT NULL,
    last_seen  BIGINT NOT NULL
);
CREATE INDEX oauth_subjects_last_seen ON oauth_subjects (last_seen);
