-- Which programs can use the database: those whose newest schema version is at least `oldest_program`. A migration that
-- only adds tables, and columns that may be empty or have a default, leaves the number; one that removes or changes
-- what the previous version reads or writes sets it to the version of the program that stopped using it.
CREATE TABLE schema_compatibility (
    oldest_program BIGINT NOT NULL
);
INSERT INTO schema_compatibility (oldest_program) VALUES (11);
