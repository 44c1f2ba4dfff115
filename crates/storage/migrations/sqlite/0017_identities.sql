-- Accounts at an OpenID provider with which people sign in. The pair of issuer and subject names a person there.
CREATE TABLE user_identities (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    UNIQUE (issuer, subject)
);
CREATE INDEX user_identities_user ON user_identities (user_id, issuer);

-- Sign-ins at the provider that were started within the last minutes. It has no foreign keys, because rows expire within minutes.
CREATE TABLE openid_attempts (
    hash       BLOB NOT NULL PRIMARY KEY, -- of `state`
    browser    BLOB NOT NULL, -- the hash of the browser's cookie
    next       TEXT, -- where the person goes on
    user_id    BIGINT, -- of the person who links the account
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX openid_attempts_expiry ON openid_attempts (expires_at);

-- Every client may ask whether a server requires sign-in, and few servers do.
CREATE INDEX servers_oauth ON servers (name_key, id) WHERE auth_type = 'oauth';
