-- Accounts at an OpenID provider with which people sign in. The pair of issuer and subject names a person there.
CREATE TABLE user_identities (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    UNIQUE (issuer, subject)
);
CREATE INDEX user_identities_user ON user_identities (user_id, issuer);

-- Sign-ins at the provider that were started within the last minutes. It has no foreign keys, because rows expire within minutes.
CREATE TABLE openid_attempts (
    hash       BYTEA NOT NULL PRIMARY KEY, -- of `state`
    browser    BYTEA NOT NULL, -- the hash of the browser's cookie
    next       TEXT COLLATE "C", -- where the person goes on
    user_id    BIGINT, -- of the person who links the account
    expires_at BIGINT NOT NULL
);
CREATE INDEX openid_attempts_expiry ON openid_attempts (expires_at);

-- Every client may ask whether a server requires sign-in, and few servers do.
CREATE INDEX servers_oauth ON servers (name_key, id) WHERE auth_type = 'oauth';
