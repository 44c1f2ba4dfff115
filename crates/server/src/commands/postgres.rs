//! What PostgreSQL's own programs do better: the commands, ready to be copied. Passwords are not in them; both programs
//! take them from `PGPASSWORD` or `~/.pgpass`.

use std::path::Path;

use secrecy::ExposeSecret;
use toolgate_storage::PostgresAddress;

use crate::settings::Settings;
use crate::shell;

/// The command that backs up the database, where that is PostgreSQL.
pub(super) fn dump_command(settings: &Settings, file: &Path) -> Option<String> {
    let (address, file) = (address(settings)?, quote(file));
    Some(format!("pg_dump --format=custom --file={file} {address}"))
}

/// The command that restores a backup into an empty database, where that is PostgreSQL.
pub(super) fn restore_command(settings: &Settings, file: &Path) -> Option<String> {
    let (address, file) = (address(settings)?, quote(file));
    Some(format!("pg_restore --single-transaction --no-owner {address} {file}"))
}

fn address(settings: &Settings) -> Option<String> {
    let PostgresAddress { host, port, user, database } = PostgresAddress::parse(settings.database().expose_secret())?;
    let [host, user, database] = [host, user, database].map(|text| shell::quote(&text));
    Some(format!("--host={host} --port={port} --username={user} --dbname={database}"))
}

fn quote(file: &Path) -> String {
    shell::quote(&file.display().to_string())
}
