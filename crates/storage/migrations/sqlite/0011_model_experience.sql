-- Tools: what models see of them and of their responses.

ALTER TABLE tools ADD COLUMN shaping TEXT; -- null: the default of the server
ALTER TABLE tools ADD COLUMN pinned BIGINT NOT NULL DEFAULT 0;
