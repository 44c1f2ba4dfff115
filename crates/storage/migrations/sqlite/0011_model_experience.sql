-- What models see of tools and of their responses, and the estimated tokens of shaped results.

ALTER TABLE tools ADD COLUMN shaping TEXT; -- null: the default of the server
ALTER TABLE tools ADD COLUMN pinned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN tokens_out INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN tokens_saved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE key_usage ADD COLUMN tokens_out INTEGER NOT NULL DEFAULT 0;
ALTER TABLE key_usage ADD COLUMN tokens_saved INTEGER NOT NULL DEFAULT 0;
