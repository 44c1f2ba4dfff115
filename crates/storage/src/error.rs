//! What can go wrong in storage, told apart by what a caller can do about it.

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{Fault, Faults};

use crate::BackupError;
use crate::sealing::{KeyringError, SealError};

/// Why an operation was not carried out. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There is no such object, or it belongs to somebody else.
    #[error("no such {}", .0.as_str())]
    NotFound(ObjectKind),
    /// The name, slug or URI is taken.
    #[error("a {} with this {field} exists already", .kind.as_str())]
    Exists {
        /// Kind of the object that exists.
        kind: ObjectKind,
        /// The field that must be unique.
        field: &'static str,
    },
    /// The change breaks a rule that depends on what is stored.
    #[error("the change was refused")]
    Rejected(Faults),
    /// The object is needed by others.
    #[error("{0}")]
    InUse(String),
    /// The database does not answer; trying again later may help.
    #[error("the database is not available")]
    Unavailable(#[source] sqlx::Error),
    /// There is no room left on the disk.
    #[error("the disk is full")]
    Full(#[source] sqlx::Error),
    /// A stored secret cannot be opened.
    #[error("a stored secret cannot be opened")]
    Sealing(#[from] SealError),
    /// Anything else the database refused.
    #[error("the database refused the operation")]
    Database(#[source] sqlx::Error),
}

impl StorageError {
    /// Whether an insert met a row that is there already.
    pub(crate) fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Database(error) if error.as_database_error().is_some_and(DatabaseError::is_unique_violation))
    }

    /// Whether a row that is referred to is missing, or still referred to.
    pub(crate) fn is_foreign_key_violation(&self) -> bool {
        matches!(self, Self::Database(error) if error.as_database_error().is_some_and(DatabaseError::is_foreign_key_violation))
    }

    /// SQLite's codes carry details in their upper bits.
    fn from_sqlite(code: u32, error: sqlx::Error) -> Self {
        const BUSY: u32 = 5;
        const LOCKED: u32 = 6;
        const FULL: u32 = 13;
        match code & 0xff {
            FULL => Self::Full(error),
            BUSY | LOCKED => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }

    /// Gives a unique violation its meaning.
    pub(crate) fn or_exists(self, kind: ObjectKind, field: &'static str) -> Self {
        if self.is_unique_violation() { Self::Exists { kind, field } } else { self }
    }
}

impl From<Faults> for StorageError {
    fn from(faults: Faults) -> Self {
        Self::Rejected(faults)
    }
}

impl From<Fault> for StorageError {
    fn from(fault: Fault) -> Self {
        Self::Rejected(fault.into())
    }
}

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> Self {
        if let Some(database) = error.as_database_error() {
            let code = database.code().unwrap_or_default();
            return match (database.try_downcast_ref::<SqliteError>(), &*code) {
                (Some(_), code) => Self::from_sqlite(code.parse().unwrap_or(0), error),
                (None, "53100") => Self::Full(error),
                // deadlock, a lock that was waited for too long, too many connections, shutting down, crashed, starting up
                (None, "40P01" | "55P03" | "53300" | "57P01" | "57P02" | "57P03") => Self::Unavailable(error),
                (None, _) => Self::Database(error),
            };
        }
        match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
                Self::Unavailable(error)
            }
            _ => Self::Database(error),
        }
    }
}

/// Why the database could not be opened. Each is one line that tells an operator what to do.
#[derive(Debug, thiserror::Error)]
pub enum StorageOpenError {
    /// The address is of no known kind.
    #[error("the database URL must start with sqlite:// or postgres://, not {0:?}")]
    Scheme(String),
    /// The database does not answer.
    #[error("cannot open the database at {url}: {source}")]
    Connect {
        /// The address, without its password.
        url: String,
        /// What the driver said.
        source: sqlx::Error,
    },
    /// The database cannot keep every text.
    #[error(
        "the database keeps text as {found}, but it must be UTF8; create it with ENCODING 'UTF8' TEMPLATE template0"
    )]
    Encoding {
        /// What PostgreSQL calls its encoding.
        found: String,
    },
    /// A newer version has been at work on this database.
    #[error(
        "the database has schema version {found}, newer than this version of Toolgate knows; start a version at least as new as the one that wrote it"
    )]
    NewerSchema {
        /// The unknown version.
        found: i64,
    },
    /// The service has not brought this database up to date yet.
    #[error("the database was never used by this version of Toolgate; start the service once, then try again")]
    OlderSchema,
    /// The database could not be copied before a migration; nothing was changed.
    #[error("cannot copy the database before its schema is brought up to date: {source}")]
    Copy {
        /// Why not.
        source: Box<BackupError>,
    },
    /// A migration failed; the database is as it was before it.
    #[error("cannot bring the database schema up to date: {0}")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The keyring cannot be read.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// The keyring does not hold a key that stored secrets need.
    #[error(
        "wrong encryption key: the database holds secrets sealed with key {key_id}, which is not in the keyring; add it to TOOLGATE_ENCRYPTION_KEYS or restore the key file"
    )]
    WrongKey {
        /// Id of the missing key.
        key_id: String,
    },
    /// The database failed after it was opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
