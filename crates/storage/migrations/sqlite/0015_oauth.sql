-- Sign-in with OAuth: clients, grants with their codes and refresh tokens, and the browser sessions of people. Codes,
-- tokens and cookies are stored as SHA-256 hashes only.

CREATE TABLE oauth_clients (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id       TEXT NOT NULL UNIQUE, -- of the protocol
    kind            TEXT NOT NULL,
    status          TEXT NOT NULL,
    name            TEXT NOT NULL,
    redirect_uris   TEXT NOT NULL, -- a JSON list
    auth_method     TEXT NOT NULL,
    secret_hash     BLOB,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    last_consent_at BIGINT
);
-- Clients that registered themselves and were never allowed access.
CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE kind = 'registered' AND last_consent_at IS NULL;

CREATE TABLE oauth_grants (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id     BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    user_id       BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key_id        BIGINT REFERENCES api_keys (id) ON DELETE CASCADE, -- of the sign-in
    client_id     BIGINT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
    redirect_host TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT,
    expires_at    BIGINT NOT NULL, -- that of its newest refresh token, or of its code
    ends_at       BIGINT NOT NULL -- no refresh token expires later
);
CREATE INDEX oauth_grants_server ON oauth_grants (server_id, id);
CREATE INDEX oauth_grants_user ON oauth_grants (user_id, id);
CREATE INDEX oauth_grants_key ON oauth_grants (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX oauth_grants_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_expiry ON oauth_grants (expires_at);

CREATE TABLE oauth_codes (
    hash         BLOB NOT NULL PRIMARY KEY,
    grant_id     BIGINT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    challenge    TEXT NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

CREATE TABLE oauth_refresh_tokens (
    hash       BLOB NOT NULL PRIMARY KEY,
    grant_id   BIGINT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    parent     BLOB, -- the hash of the token that it replaced
    expires_at BIGINT NOT NULL,
    used_at    BIGINT -- the first use
) WITHOUT ROWID;
CREATE INDEX oauth_refresh_tokens_grant ON oauth_refresh_tokens (grant_id);
CREATE INDEX oauth_refresh_tokens_parent ON oauth_refresh_tokens (parent);
CREATE INDEX oauth_refresh_tokens_expiry ON oauth_refresh_tokens (expires_at);

-- Grants that ended while access tokens of them may be unexpired. It has no foreign keys: it outlives what it names.
CREATE TABLE ended_grants (
    id       BIGINT NOT NULL PRIMARY KEY,
    ended_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX ended_grants_time ON ended_grants (ended_at);

-- A deleted grant has ended, also if a node of an older version deletes its server, user or key.
CREATE TRIGGER oauth_grants_ended AFTER DELETE ON oauth_grants BEGIN
    INSERT INTO ended_grants (id, ended_at) VALUES (OLD.id, CAST(unixepoch('subsec') * 1000 AS INTEGER))
        ON CONFLICT (id) DO NOTHING;
END;

CREATE TABLE browser_sessions (
    hash       BLOB NOT NULL PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key_id     BIGINT REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX browser_sessions_user ON browser_sessions (user_id);
CREATE INDEX browser_sessions_key ON browser_sessions (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX browser_sessions_expiry ON browser_sessions (expires_at);

CREATE TABLE sign_in_links (
    hash       BLOB NOT NULL PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose    TEXT NOT NULL,
    key_id     BIGINT REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);
CREATE INDEX sign_in_links_key ON sign_in_links (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

CREATE TABLE user_passwords (
    user_id    BIGINT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    phc        TEXT NOT NULL, -- argon2id
    updated_at BIGINT NOT NULL
);

-- Tokens from before this moment are refused. A restore of a backup writes it. A database of an older version may be
-- such a backup, too: its grants begin again with ids that tokens from before the restore have.
CREATE TABLE token_validity (
    valid_since BIGINT NOT NULL
);
INSERT INTO token_validity (valid_since) SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE EXISTS (SELECT 1 FROM users);
