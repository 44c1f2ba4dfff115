-- Tools: optional bodies, tags, and the document that a tool was imported from.

ALTER TABLE tools ADD COLUMN body_required BIGINT NOT NULL DEFAULT 1;
ALTER TABLE tools ADD COLUMN tags TEXT COLLATE "C" NOT NULL DEFAULT ''; -- a line for each tag, after an empty one; empty without tags
ALTER TABLE tools ADD COLUMN origin_document_id BIGINT; -- null, as the next two, for a tool that was made by hand
ALTER TABLE tools ADD COLUMN origin_operation TEXT COLLATE "C";
ALTER TABLE tools ADD COLUMN origin_hash TEXT COLLATE "C";
CREATE INDEX tools_origin ON tools (origin_document_id, origin_operation) WHERE origin_document_id IS NOT NULL;
