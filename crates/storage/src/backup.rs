//! Backups: what is in one, what can go wrong with one, and where the database is of which others make them.

use std::io;
use std::path::Path;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use crate::{StorageError, StorageOpenError};

/// What a backup holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupContents {
    /// Size of the file.
    pub bytes: u64,
    /// Version of the schema.
    pub schema: i64,
    /// How many servers.
    pub servers: u64,
    /// How many tools.
    pub tools: u64,
    /// How many single calls.
    pub calls: u64,
    /// How many objects have sealed secrets.
    pub secrets: u64,
    /// Ids of the keys that sealed them.
    pub keys: Vec<String>,
}

/// Why a backup was not made, or not put in place. Each is one line that tells an operator what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The database could not be copied into the file.
    #[error("cannot write {path}: {source}")]
    Copy {
        /// The file.
        path: String,
        /// What the database said.
        source: StorageError,
    },
    /// Somebody else is writing the same file.
    #[error("another backup to {path} is under way")]
    InProgress {
        /// The file.
        path: String,
    },
    /// Only files of SQLite are copied like this.
    #[error("the database is PostgreSQL, which has its own programs for backups")]
    Postgres,
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{path} is not a backup of Toolgate: {reason}")]
    NotABackup {
        /// The file.
        path: String,
        /// How one can tell.
        reason: &'static str,
    },
    /// The file was a database of ours once.
    #[error("{path} is damaged: {problem}")]
    Damaged {
        /// The file.
        path: String,
        /// The first thing that is wrong.
        problem: String,
    },
    /// The backup was made by a newer version.
    #[error(
        "{path} was made by a newer version of Toolgate (schema version {found}); use that version, or a newer one"
    )]
    NewerSchema {
        /// The file.
        path: String,
        /// Its schema version.
        found: i64,
    },
    /// The keyring does not hold a key that secrets in the backup need.
    #[error(
        "wrong encryption key: {path} holds secrets sealed with key {key_id}, which is not in the keyring; put back the copy of the key file that was kept, or add the key to TOOLGATE_ENCRYPTION_KEYS"
    )]
    WrongKey {
        /// The file.
        path: String,
        /// Id of the missing key.
        key_id: String,
    },
    /// The database that a backup would replace is open elsewhere.
    #[error("the database {path} is in use; stop the service, and whatever else has it open, first")]
    InUse {
        /// Its file.
        path: String,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] StorageOpenError),
}

impl BackupError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.display().to_string(), source }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.display().to_string(), source }
    }
}

/// Where a PostgreSQL database is, without the password: what `pg_dump` wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresAddress {
    /// Host name, address, or folder of its socket.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Who connects.
    pub user: String,
    /// The database.
    pub database: String,
}

impl PostgresAddress {
    /// Reads a database URL; none for one of another kind.
    pub fn parse(url: &str) -> Option<Self> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return None;
        }
        let options = PgConnectOptions::from_str(url).ok()?;
        let socket = options.get_socket().map(|folder| folder.display().to_string());
        let user = options.get_username().to_owned();
        Some(Self {
            host: socket.unwrap_or_else(|| options.get_host().to_owned()),
            port: options.get_port(),
            database: options.get_database().unwrap_or(&user).to_owned(),
            user,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_all_that_pg_dump_needs_and_no_password() {
        let found = PostgresAddress::parse("postgres://ann:s3cret@db.example:6543/tools").unwrap();
        assert!(!format!("{found:?}").contains("s3cret"));
        let shown = (found.host.as_str(), found.port, found.user.as_str(), found.database.as_str());
        assert_eq!(shown, ("db.example", 6543, "ann", "tools"));
        let found = PostgresAddress::parse("postgresql://ann@localhost/?host=/run/postgres").unwrap();
        assert_eq!((found.host.as_str(), found.port, found.database.as_str()), ("/run/postgres", 5432, "ann"));
        assert_eq!(PostgresAddress::parse("sqlite:///a/b"), None);
    }
}
