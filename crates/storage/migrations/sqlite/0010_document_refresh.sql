-- What a refresh of a document leaves at the tools that were imported from it. Null in tools that were made by hand.

ALTER TABLE tools ADD COLUMN origin_base_revision BIGINT; -- version that the tool was last updated from, if not the newest
ALTER TABLE tools ADD COLUMN origin_removed BIGINT;       -- whether the newest version does not have the operation
