//! The two databases: how they are opened, read, and written to.

use std::cmp::Ordering;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, PgConnection, PgPool, Postgres, SqlSafeStr, SqlStr, Sqlite, SqlitePool, Transaction};

use super::row::{Param, Row};
use super::turns::{QUEUE_TIMEOUT, Turn, Turns};
use crate::{OpenError, Result, StorageError};

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 20;
/// How long PostgreSQL may take to give a connection before it counts as gone.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Schema versions: number, name, statements for SQLite, statements for PostgreSQL. Only ever added to.
const MIGRATIONS: [(i64, &str, &str, &str); 1] = [(
    1,
    "foundation",
    include_str!("../../migrations/sqlite/0001_foundation.sql"),
    include_str!("../../migrations/postgres/0001_foundation.sql"),
)];

/// A database and its connections.
#[derive(Debug)]
pub(super) enum Database {
    /// One writer, because SQLite has one; readers beside it, because WAL lets them.
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
    },
    Postgres {
        pool: PgPool,
        turns: Turns,
    },
}

/// What to do about a database file that is not there. A PostgreSQL database always has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfMissing {
    Create,
    Refuse,
}

/// Binds and runs one statement on whichever executor it is given.
macro_rules! run {
    ($executor:expr, $sql:expr, $params:expr, $method:ident) => {{
        let mut query = sqlx::query($sql);
        for param in $params {
            query = match param {
                Param::Int(value) => query.bind(value),
                Param::Text(value) => query.bind(value),
                Param::Bytes(value) => query.bind(value),
            };
        }
        query.$method($executor).await?
    }};
}

impl Database {
    pub(super) async fn open(url: &str, if_missing: IfMissing) -> std::result::Result<Self, OpenError> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let opened = Self::open_sqlite(Path::new(path), if_missing).await;
            return opened.map_err(|source| OpenError::Connect { url: url.to_owned(), source });
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url);
            let options = options.map_err(|source| OpenError::Connect { url: "postgres://…".to_owned(), source })?;
            let shown = without_password(&options);
            return Self::open_postgres(options).await.map_err(|source| OpenError::Connect { url: shown, source });
        }
        Err(OpenError::Scheme(url.split(':').next().unwrap_or_default().to_owned()))
    }

    async fn open_sqlite(path: &Path, if_missing: IfMissing) -> sqlx::Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(if_missing == IfMissing::Create)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full) // an acknowledged write survives a power failure
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("temp_store", "memory")
            // No optimize_on_close: with statistics SQLite prefers a scan to the indexes made for the lists.
            .pragma("secure_delete", "on"); // what was deleted is not left behind in the file
        let pool = || SqlitePoolOptions::new().acquire_timeout(QUEUE_TIMEOUT).idle_timeout(None).max_lifetime(None);
        // The writer comes first: it creates the file that readers open.
        let writer = pool().max_connections(1).connect_with(options.clone()).await?;
        let readers = pool().max_connections(SQLITE_READERS).connect_lazy_with(options.read_only(true));
        Ok(Self::Sqlite { writer, readers })
    }

    async fn open_postgres(options: PgConnectOptions) -> sqlx::Result<Self> {
        let options = options.application_name("toolgate");
        // One connection by itself: unlike the pool, it says why it failed.
        let first = tokio::time::timeout(CONNECT_TIMEOUT, PgConnection::connect_with(&options));
        first.await.map_err(|_| sqlx::Error::PoolTimedOut)??.close().await?;
        let pool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(CONNECT_TIMEOUT);
        let turns = Turns::new(POSTGRES_CONNECTIONS);
        Ok(Self::Postgres { pool: pool.connect_lazy_with(options), turns })
    }

    /// Applies the migrations that are missing, each in a transaction of its own.
    pub(super) async fn migrate(&self) -> std::result::Result<(), OpenError> {
        let applied = match self {
            Self::Sqlite { writer, .. } => migrator(|(_, _, sql, _)| sql).run(writer).await,
            Self::Postgres { pool, .. } => migrator(|(_, _, _, sql)| sql).run(pool).await,
        };
        applied.map_err(|error| match error {
            MigrateError::VersionMissing(found) => OpenError::NewerSchema { found },
            other => OpenError::Migrate(other),
        })
    }

    /// Refuses a database whose schema is not of this version.
    pub(super) async fn require_current_schema(&self) -> std::result::Result<(), OpenError> {
        let newest = MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default();
        let applied = self.fetch_optional("SELECT MAX(version) AS version FROM _sqlx_migrations", vec![]).await;
        let found = match applied {
            Ok(row) => row.map(|row| row.opt_int("version")).transpose()?.flatten().unwrap_or_default(),
            Err(StorageError::Database(_)) => 0, // there is no such table
            Err(other) => return Err(other.into()),
        };
        match found.cmp(&newest) {
            Ordering::Less => Err(OpenError::OlderSchema),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(OpenError::NewerSchema { found }),
        }
    }

    /// Begins a transaction that may write. SQLite's takes the write lock at once: one that upgrades later fails.
    pub(super) async fn begin(&self) -> Result<Tx> {
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(begin_immediate(writer).await?),
            Self::Postgres { pool, turns } => {
                let turn = turns.take().await?;
                Tx::Postgres { tx: turns.note(pool.begin().await)?, _turn: turn }
            }
        })
    }

    pub(super) async fn fetch_all(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match self {
            Self::Sqlite { readers, .. } => {
                run!(readers, sql, params, fetch_all).into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres { pool, turns } => {
                let _turn = turns.take().await?;
                let mut connection = turns.note(pool.acquire().await)?;
                run!(&mut *connection, sql, params, fetch_all).into_iter().map(Row::Postgres).collect()
            }
        })
    }

    pub(super) async fn fetch_optional(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match self {
            Self::Sqlite { readers, .. } => run!(readers, sql, params, fetch_optional).map(Row::Sqlite),
            Self::Postgres { pool, turns } => {
                let _turn = turns.take().await?;
                let mut connection = turns.note(pool.acquire().await)?;
                run!(&mut *connection, sql, params, fetch_optional).map(Row::Postgres)
            }
        })
    }

    /// A statement that always has one row, such as a count.
    pub(super) async fn fetch_one(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Row> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres { pool, .. } => pool.close().await,
        }
    }
}

/// Begins on SQLite's one writing connection. A full disk makes SQLite end a transaction by itself, which the
/// connection does not notice: it would refuse every later one, so it is replaced.
async fn begin_immediate(writer: &SqlitePool) -> sqlx::Result<Transaction<'static, Sqlite>> {
    match writer.begin_with("BEGIN IMMEDIATE").await {
        Err(sqlx::Error::InvalidSavePointStatement) => {
            writer.acquire().await?.close().await?;
            writer.begin_with("BEGIN IMMEDIATE").await
        }
        begun => begun,
    }
}

/// A transaction; dropped without [`Tx::commit`] it changes nothing.
pub(super) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres { tx: Transaction<'static, Postgres>, _turn: Turn },
}

impl Tx {
    pub(super) async fn execute(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match self {
            Self::Sqlite(tx) => run!(&mut **tx, sql, params, execute).rows_affected(),
            Self::Postgres { tx, .. } => run!(&mut **tx, sql, params, execute).rows_affected(),
        })
    }

    pub(super) async fn fetch_all(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match self {
            Self::Sqlite(tx) => run!(&mut **tx, sql, params, fetch_all).into_iter().map(Row::Sqlite).collect(),
            Self::Postgres { tx, .. } => {
                run!(&mut **tx, sql, params, fetch_all).into_iter().map(Row::Postgres).collect()
            }
        })
    }

    pub(super) async fn fetch_optional(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match self {
            Self::Sqlite(tx) => run!(&mut **tx, sql, params, fetch_optional).map(Row::Sqlite),
            Self::Postgres { tx, .. } => run!(&mut **tx, sql, params, fetch_optional).map(Row::Postgres),
        })
    }

    pub(super) async fn fetch_one(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Row> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    /// What locks the rows a `SELECT` reads. SQLite needs nothing: a write transaction there is alone.
    pub(super) fn row_lock(&self) -> &'static str {
        self.row_lock_of(" FOR NO KEY UPDATE")
    }

    /// As [`Tx::row_lock`], of another strength.
    pub(super) fn row_lock_of(&self, strength: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres { .. } => strength,
        }
    }

    pub(super) async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres { tx, .. } => tx.commit().await?,
        }
        Ok(())
    }
}

fn migrator(statements: fn((i64, &'static str, &'static str, &'static str)) -> &'static str) -> Migrator {
    let migrations = MIGRATIONS.map(|migration| {
        let sql = SqlStr::from_static(statements(migration));
        Migration::new(migration.0, migration.1.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.into())
}

/// The address as it may be shown: built from what was understood of it, for a password may hold any character.
fn without_password(options: &PgConnectOptions) -> String {
    format!("postgres://{}:{}/{}", options.get_host(), options.get_port(), options.get_database().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_password_is_ever_shown() {
        for url in [
            "postgres://u:s3cret@127.0.0.1:1/x",
            "postgres://u:p@s3cret@127.0.0.1:1/x",
            "postgres://127.0.0.1:1/x?user=u&password=s3cret@q",
            "postgres://u:p/s3cret@127.0.0.1:1/x",
            "postgres://u:s3cret@[127.0.0.1:1/x",
        ] {
            let error = Database::open(url, IfMissing::Create).await.unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("s3cret"), "{shown}");
        }
    }
}
