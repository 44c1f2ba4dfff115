-- Contents of documents are compressed and then sealed. Rows of schema version 8 stay as they are, without a key, until
-- the next rotation of keys.

ALTER TABLE document_versions ADD COLUMN key_id TEXT COLLATE "C" REFERENCES encryption_keys (key_id); -- null if not sealed
CREATE INDEX document_versions_key ON document_versions (key_id);
