-- Credentials of a server, which its tools can share. Their secret values are in the table secrets, with the kind credential.

CREATE TABLE server_credentials (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id       BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name            TEXT   NOT NULL,
    auth_type       TEXT   NOT NULL,
    has_credentials BIGINT NOT NULL, -- 1 if secret values are stored
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX server_credentials_name ON server_credentials (server_id, LOWER(name));

ALTER TABLE tools ADD COLUMN credential_id BIGINT REFERENCES server_credentials (id) ON DELETE SET NULL;
CREATE INDEX tools_credential ON tools (credential_id) WHERE credential_id IS NOT NULL;
