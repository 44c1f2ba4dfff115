-- Descriptions of APIs from which tools were imported, and their last versions. The headers for fetching a document are
-- in the table secrets, with the kind document.

CREATE TABLE documents (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server_id   BIGINT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    name        TEXT COLLATE "C" NOT NULL,
    url         TEXT COLLATE "C",         -- null if the document was sent
    url_headers TEXT COLLATE "C" NOT NULL, -- the names of the headers for the URL, with masked values
    format      TEXT COLLATE "C" NOT NULL,
    version     TEXT COLLATE "C" NOT NULL, -- of the format
    title       TEXT COLLATE "C" NOT NULL,
    sha256      TEXT COLLATE "C" NOT NULL, -- of the newest version
    revision    BIGINT NOT NULL, -- of the newest version, from 1
    overlay     TEXT COLLATE "C" NOT NULL, -- changes to the tools, by operation
    options     TEXT COLLATE "C" NOT NULL, -- arguments of the import
    names       TEXT COLLATE "C" NOT NULL, -- names of the tools, by operation
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX documents_server ON documents (server_id, id);

CREATE TABLE document_versions (
    document_id BIGINT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    revision    BIGINT NOT NULL,
    sha256      TEXT COLLATE "C" NOT NULL,
    bytes       BIGINT NOT NULL, -- of the document as it came
    content     BYTEA  NOT NULL, -- compressed (zlib)
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (document_id, revision)
);
