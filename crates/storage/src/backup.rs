//! Backups: their contents and errors, and the address of a PostgreSQL database for `pg_dump`.

use std::io;
use std::path::Path;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use crate::error::{StorageError, StorageOpenError};

/// Contents of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupContents {
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Schema version.
    pub schema: i64,
    /// Number of servers.
    pub servers: u64,
    /// Number of tools.
    pub tools: u64,
    /// Number of calls in the call log.
    pub calls: u64,
    /// Number of objects with sealed secrets.
    pub secrets: u64,
    /// Ids of the keys that sealed the secrets.
    pub keys: Vec<String>,
}

/// Why a backup or a restore failed. Each message is one line that says what the operator can do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The database could not be copied into the file.
    #[error("cannot write {path}: {source}")]
    Copy {
        /// The file.
        path: String,
        /// The error of the database.
        source: StorageError,
    },
    /// Another backup or restore is writing the same file.
    #[error("another backup or restore is writing {path}; wait until it has finished")]
    InProgress {
        /// The file.
        path: String,
    },
    /// Only SQLite databases are copied as files.
    #[error("the database is PostgreSQL; use pg_dump and pg_restore")]
    Postgres,
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is not a backup.
    #[error("{path} is not a backup of Toolgate: {reason}")]
    NotABackup {
        /// The file.
        path: String,
        /// Why it is not a backup.
        reason: &'static str,
    },
    /// The file is a damaged backup.
    #[error("{path} is damaged: {problem}")]
    Damaged {
        /// The file.
        path: String,
        /// The first problem.
        problem: String,
    },
    /// The backup was made by a newer version.
    #[error(
        "{path} was made by a newer version of Toolgate (schema version {found}); use that version, or a newer one"
    )]
    NewerSchema {
        /// The file.
        path: String,
        /// Schema version of the backup.
        found: i64,
    },
    /// Secrets in the backup need a key that is not in the keyring.
    #[error(
        "wrong encryption key: {path} holds secrets sealed with key {key_id}, which is not in the keyring; restore your copy of the key file, or add the key to TOOLGATE_ENCRYPTION_KEYS"
    )]
    WrongKey {
        /// The file.
        path: String,
        /// Id of the missing key.
        key_id: String,
    },
    /// Another process has the database to replace open.
    #[error("the database {path} is in use; stop the service and every other program that has it open")]
    InUse {
        /// The database file.
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

/// Address of a PostgreSQL database without the password, as `pg_dump` needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresAddress {
    /// Host name, IP address, or folder of the Unix socket.
    pub host: String,
    /// Port.
    pub port: u16,
    /// User name.
    pub user: String,
    /// Database name.
    pub database: String,
}

impl PostgresAddress {
    /// Parses a database URL; `None` if it is not a PostgreSQL URL.
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
    fn an_address_has_everything_pg_dump_needs_but_the_password() {
        let address = PostgresAddress::parse("postgres://ann:s3cret@db.example:6543/tools").unwrap();
        assert!(!format!("{address:?}").contains("s3cret"));
        let parts = (address.host.as_str(), address.port, address.user.as_str(), address.database.as_str());
        assert_eq!(parts, ("db.example", 6543, "ann", "tools"));
        let address = PostgresAddress::parse("postgresql://ann@localhost/?host=/run/postgres").unwrap();
        assert_eq!((address.host.as_str(), address.port, address.database.as_str()), ("/run/postgres", 5432, "ann"));
        assert_eq!(PostgresAddress::parse("sqlite:///a/b"), None);
    }
}
