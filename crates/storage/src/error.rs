//! Errors of storage, distinguished by how a caller can react.

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::member::ServerRole;

use crate::sealing::{KeyringError, SealError};

/// Result of a storage operation.
pub type Result<T> = std::result::Result<T, StorageError>;

/// Why an operation failed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The object does not exist, or the caller may not see it.
    #[error("no such {}", .0.as_str())]
    NotFound(ObjectKind),
    /// The caller may see the server, but not do this with it.
    #[error("the role {} is required, but the caller has the role {}", .required.as_str(), .role.as_str())]
    Forbidden {
        /// Role of the caller.
        role: ServerRole,
        /// The lowest role that may do this.
        required: ServerRole,
    },
    /// The name, slug or URI is in use.
    #[error("a {} with this {field} already exists", .kind.as_str())]
    Exists {
        /// Kind of the existing object.
        kind: ObjectKind,
        /// The field that must be unique.
        field: &'static str,
    },
    /// The change violates a rule that depends on stored objects.
    #[error("the change was refused")]
    Rejected(Faults),
    /// The server would have too many tools.
    #[error("the server has {present} tools and would get {added} more, but {max} is the maximum")]
    TooManyTools {
        /// Tools that the server has.
        present: i64,
        /// Tools that the operation would create.
        added: i64,
        /// The maximum number of tools.
        max: i64,
    },
    /// The document or a tool has changed since the operation was computed.
    #[error("the document or one of its tools has changed")]
    Outdated,
    /// Other objects depend on this one.
    #[error("{0}")]
    InUse(String),
    /// Tools use this credential of their server.
    #[error("{tools_count} tools use this credential")]
    CredentialInUse {
        /// Number of these tools.
        tools_count: i64,
    },
    /// The database does not respond; a later retry may succeed.
    #[error("the database is not available")]
    Unavailable(#[source] sqlx::Error),
    /// The disk is full.
    #[error("the disk is full")]
    Full(#[source] sqlx::Error),
    /// A stored secret cannot be opened.
    #[error("a stored secret cannot be opened")]
    Sealing(#[from] SealError),
    /// Any other database error.
    #[error("the database refused the operation")]
    Database(#[source] sqlx::Error),
}

impl StorageError {
    /// Whether the written row violates a unique constraint.
    pub(crate) fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Database(error) if error.as_database_error().is_some_and(DatabaseError::is_unique_violation))
    }

    /// Whether a referenced row is missing, or a row to delete is still referenced.
    pub(crate) fn is_foreign_key_violation(&self) -> bool {
        matches!(self, Self::Database(error) if error.as_database_error().is_some_and(DatabaseError::is_foreign_key_violation))
    }

    fn from_sqlite(code: u32, error: sqlx::Error) -> Self {
        const BUSY: u32 = 5;
        const LOCKED: u32 = 6;
        const FULL: u32 = 13;
        // The upper bits of an extended result code are details.
        match code & 0xff {
            FULL => Self::Full(error),
            BUSY | LOCKED => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }

    /// Converts a unique violation into [`Self::Exists`].
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
                // Deadlock, lock timeout, too many connections, shutdown, crash, startup.
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

/// Why the database could not be opened. Each message is one line that says what the operator can do.
#[derive(Debug, thiserror::Error)]
pub enum StorageOpenError {
    /// The URL scheme is not supported.
    #[error("the database URL must start with sqlite:// or postgres://, not {0:?}")]
    Scheme(String),
    /// The connection failed.
    #[error("cannot open the database at {url}: {source}")]
    Connect {
        /// The URL, without its password.
        url: String,
        /// The error of the driver.
        source: sqlx::Error,
    },
    /// The encoding of the database cannot store every text.
    #[error(
        "the encoding of the database is {found}, but it must be UTF8; create the database with ENCODING 'UTF8' TEMPLATE template0"
    )]
    Encoding {
        /// PostgreSQL's name of the encoding.
        found: String,
    },
    /// A newer version of Toolgate migrated this database.
    #[error(
        "the database has schema version {found}, newer than this version of Toolgate supports; start the version that wrote it, or a newer one"
    )]
    NewerSchema {
        /// The schema version of the database.
        found: i64,
    },
    /// A node of an older version is running.
    #[error(
        "node {name} runs version {version} of Toolgate, which cannot use the schema of this version; upgrade it to a version in between, or stop it, and start again"
    )]
    OlderNode {
        /// The name of the node.
        name: String,
        /// Its version of Toolgate.
        version: String,
    },
    /// The service has not migrated this database yet.
    #[error("this version of Toolgate has not migrated the database yet; start the service once, then try again")]
    OlderSchema,
    /// The database could not be copied before a migration; nothing was changed.
    #[error("cannot copy the database before its schema is brought up to date: {source}")]
    Copy {
        /// Why the copy failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A migration failed and was rolled back.
    #[error("cannot bring the database schema up to date: {0}")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The keyring cannot be read.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// Stored secrets need a key that is not in the keyring.
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
