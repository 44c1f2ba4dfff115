//! The `pg_dump` and `pg_restore` commands for a PostgreSQL database, ready to be copied. The commands contain no
//! password; both programs read it from `PGPASSWORD` or `~/.pgpass`.

use std::path::Path;

use secrecy::ExposeSecret;
use toolgate_storage::PostgresAddress;

use crate::settings::Settings;
use crate::shell;

/// The command that backs up the database; `None` unless it is PostgreSQL.
pub(super) fn dump_command(settings: &Settings, file: &Path) -> Option<String> {
    let (options, file) = (connection_options(settings)?, shell::quote(file.display()));
    Some(format!("pg_dump --format=custom --file={file} {options}"))
}

/// Invalidates all tokens, grants and browser sessions of the backup, because some may have been revoked after it was
/// made. A restore of SQLite does the same. Backups of older versions do not have these tables.
const INVALIDATE_TOKENS_SQL: &str = "DO $$ BEGIN IF to_regclass('token_validity') IS NOT NULL THEN \
     INSERT INTO token_validity (valid_since) VALUES (CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)); \
     DELETE FROM oauth_grants; DELETE FROM browser_sessions; DELETE FROM sign_in_links; END IF; END $$";

/// The command that restores a backup into an empty database; `None` unless it is PostgreSQL.
pub(super) fn restore_command(settings: &Settings, file: &Path) -> Option<String> {
    let (options, file) = (connection_options(settings)?, shell::quote(file.display()));
    let sql = shell::quote(INVALIDATE_TOKENS_SQL);
    Some(format!("pg_restore --single-transaction --no-owner {options} {file} && psql {options} --command={sql}"))
}

fn connection_options(settings: &Settings) -> Option<String> {
    let PostgresAddress { host, port, user, database } =
        PostgresAddress::parse(settings.effective_database_url().expose_secret())?;
    let [host, user, database] = [host, user, database].map(shell::quote);
    Some(format!("--host={host} --port={port} --username={user} --dbname={database}"))
}
