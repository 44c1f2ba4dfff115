//! SQLite's one writing connection: how it begins, how it is replaced, and how a commit of somebody else shows on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{Connection as _, Sqlite, SqlitePool, Transaction};

/// A pool of one. Clones share the connection.
#[derive(Clone, Debug)]
pub(super) struct SqliteWriter {
    pool: SqlitePool,
    /// How many connections there have been: tells the present one from those it replaced.
    connections: Arc<AtomicU64>,
}

/// What the writing connection knows of the database file: equal twice means that nobody else committed in between.
/// SQLite's numbers compare within one connection only, so another connection is another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataVersion {
    connection: u64,
    data_version: i64,
}

impl SqliteWriter {
    pub(super) async fn open(pool: SqlitePoolOptions, options: SqliteConnectOptions) -> sqlx::Result<Self> {
        let connections = Arc::new(AtomicU64::new(0));
        let made = Arc::clone(&connections);
        let pool = pool.max_connections(1).after_connect(move |_, _| {
            made.fetch_add(1, Ordering::Relaxed);
            Box::pin(std::future::ready(Ok(())))
        });
        // A full disk makes SQLite end a transaction by itself, which the connection does not notice: it would refuse
        // every later one, so it is replaced before anybody gets it.
        let pool =
            pool.before_acquire(|connection, _| Box::pin(std::future::ready(Ok(!connection.is_in_transaction()))));
        Ok(Self { pool: pool.connect_with(options).await?, connections })
    }

    pub(super) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    /// Begins a transaction, which has the write lock from its first moment.
    pub(super) async fn begin(&self) -> sqlx::Result<Transaction<'static, Sqlite>> {
        self.pool.begin_with("BEGIN IMMEDIATE").await
    }

    /// Closes the connection; the next use makes a new one.
    #[cfg(test)]
    pub(super) async fn replace(&self) -> sqlx::Result<()> {
        self.pool.acquire().await?.close().await
    }

    /// Own commits leave this as it is, those of any other connection change it. Waits for the connection behind the
    /// writers who came before, and keeps it for no longer than it takes to read one number from memory.
    pub(super) async fn data_version(&self) -> sqlx::Result<DataVersion> {
        let mut connection = self.pool.acquire().await?;
        let number = self.connections.load(Ordering::Relaxed);
        let data_version = sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut *connection).await?;
        Ok(DataVersion { connection: number, data_version })
    }
}
