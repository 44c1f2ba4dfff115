-- Descriptions of APIs from which tools were imported, and their last versions. The headers for fetching a document are
-- in the table secrets, with the kind document.

CREATE TABLE documents (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    server_id   BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    url         TEXT,            -- null if the document was sent
    url_headers TEXT   NOT NULL, -- the names of the headers for the URL, with masked values
    format      TEXT   NOT NULL,
    version     TEXT   NOT NULL, -- of the format
    title       TEXT   NOT NULL,
    sha256      TEXT   NOT NULL, -- of the newest version
    revision    BIGINT NOT NULL, -- of the newest version, from 1
    overlay     TEXT   NOT NULL, -- changes to the tools, by operation
    options     TEXT   NOT NULL, -- arguments of the import
    names       TEXT   NOT NULL, -- names of the tools, by operation
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX documents_server ON documents (server_id, id);

CREATE TABLE document_versions (
    document_id BIGINT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    revision    BIGINT NOT NULL,
    sha256      TEXT   NOT NULL,
    bytes       BIGINT NOT NULL, -- of the document as it came
    content     BLOB   NOT NULL, -- compressed (zlib)
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (document_id, revision)
);
