//! The single write connection to SQLite. It also detects commits of other connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{Connection as _, Sqlite, SqlitePool, Transaction};

use super::connection_waiters::ConnectionWaiters;

/// A pool of one connection. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct SqliteWriter {
    pub(super) pool: SqlitePool,
    /// Number of connections opened so far; identifies the current connection.
    opened_count: Arc<AtomicU64>,
    pub(super) waiting: ConnectionWaiters,
}

/// The version of the database file as the write connection sees it. It stays the same until another connection
/// commits. SQLite's `data_version` is comparable only within one connection, so a new connection always gives a new
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataVersion {
    connection_number: u64,
    data_version: i64,
}

impl SqliteWriter {
    pub(super) async fn open(pool: SqlitePoolOptions, options: SqliteConnectOptions) -> sqlx::Result<Self> {
        let opened_count = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&opened_count);
        let pool = pool.max_connections(1).after_connect(move |_, _| {
            counter.fetch_add(1, Ordering::Relaxed);
            Box::pin(std::future::ready(Ok(())))
        });
        // On a full disk SQLite rolls a transaction back, but sqlx still counts it as open and would fail every later
        // one on this connection. The pool therefore replaces such a connection.
        let pool =
            pool.before_acquire(|connection, _| Box::pin(std::future::ready(Ok(!connection.is_in_transaction()))));
        Ok(Self { pool: pool.connect_with(options).await?, opened_count, waiting: ConnectionWaiters::default() })
    }

    /// Begins a transaction that takes the write lock immediately.
    pub(super) async fn begin(&self) -> sqlx::Result<Transaction<'static, Sqlite>> {
        self.waiting.during(self.pool.begin_with("BEGIN IMMEDIATE")).await
    }

    /// Closes the connection; the next use opens a new one.
    #[cfg(test)]
    pub(super) async fn close_connection(&self) -> sqlx::Result<()> {
        self.pool.acquire().await?.close().await
    }

    /// The current version: commits of this connection do not change it, commits of any other connection do. Waits for
    /// earlier users of the connection, and then holds it only to read one number from memory.
    pub(super) async fn data_version(&self) -> sqlx::Result<DataVersion> {
        let mut connection = self.pool.acquire().await?;
        // Relaxed is enough: the pool runs `after_connect` before it hands out the connection.
        let connection_number = self.opened_count.load(Ordering::Relaxed);
        let data_version = sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut *connection).await?;
        Ok(DataVersion { connection_number, data_version })
    }
}
