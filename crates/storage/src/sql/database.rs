//! Opens a database of either kind, runs reads on it, and begins transactions.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::{Postgres, SqlSafeStr, Transaction};
use tokio::time::timeout;
use tokio_util::sync::DropGuard;

use super::change_bus::ChangeBus;
use super::connection::DatabaseConnection;
use super::liveness::LivenessProbe;
use super::pool_queue::PoolQueue;
use super::pools::{CONNECT_TIMEOUT, IfMissing, Pools};
use super::row::{Param, SqlRow};
use super::tx::{DatabaseTx, Tx};
use super::watch;
use crate::changes::ChangeListener;
use crate::error::{Result, StorageOpenError};
use crate::trace::{operation_span, statement_span};

/// A database and its change bus.
#[derive(Debug)]
pub(super) struct SqlDatabase {
    pub(super) pools: Pools,
    pub(super) change_bus: Arc<ChangeBus>,
    /// Stops the watchers if the storage is dropped without being closed.
    _stop: DropGuard,
}

impl SqlDatabase {
    pub(super) async fn open(url: &str, if_missing: IfMissing) -> std::result::Result<Self, StorageOpenError> {
        Self::new(Pools::open(url, if_missing).await?)
    }

    /// Opens a SQLite file read-only. No other process may have it open, because SQLite takes no lock in this mode.
    pub(super) async fn open_immutable(file: &Path) -> std::result::Result<Self, StorageOpenError> {
        let pools = Pools::open_immutable(file).await;
        Self::new(pools.map_err(|source| StorageOpenError::Connect { url: file.display().to_string(), source })?)
    }

    fn new(pools: Pools) -> std::result::Result<Self, StorageOpenError> {
        let change_bus = Arc::new(ChangeBus::new()?);
        let stop = change_bus.stopping.clone().drop_guard();
        Ok(Self { pools, change_bus, _stop: stop })
    }

    /// Begins a transaction that may write. On SQLite it takes the write lock immediately, because a later
    /// upgrade of a read lock can fail.
    pub(super) async fn begin(&self) -> Result<Tx> {
        let _span = operation_span("BEGIN", !self.is_sqlite());
        let inner = match &self.pools {
            Pools::Sqlite { writer, .. } => DatabaseTx::Sqlite(writer.begin().await?),
            Pools::Postgres { pool, queue, liveness } => begin_postgres(queue, liveness, pool.begin()).await?,
        };
        Ok(Tx::new(inner, &self.change_bus))
    }

    /// Begins a read-only transaction that sees one snapshot of the database from its first statement on.
    pub(super) async fn begin_snapshot(&self) -> Result<Tx> {
        let _span = operation_span("BEGIN", !self.is_sqlite());
        let inner = match &self.pools {
            Pools::Sqlite { readers, waiting_readers, .. } => {
                DatabaseTx::Sqlite(waiting_readers.during(readers.begin()).await?)
            }
            Pools::Postgres { pool, queue, liveness } => {
                let begin = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
                begin_postgres(queue, liveness, begin).await?
            }
        };
        Ok(Tx::new(inner, &self.change_bus))
    }

    pub(super) async fn fetch_all(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<SqlRow>> {
        let sql = sql.into_sql_str();
        // Includes the wait for a connection.
        let _span = statement_span(&sql, !self.is_sqlite());
        match &self.pools {
            Pools::Sqlite { readers, waiting_readers, .. } => {
                let mut connection = waiting_readers.during(readers.acquire()).await?;
                Ok(DatabaseConnection::Sqlite(&mut connection).fetch_all(sql, params).await?)
            }
            Pools::Postgres { pool, queue, liveness } => {
                let _permit = queue.acquire().await?;
                let mut connection = queue.record_outcome(pool.acquire().await)?;
                let connection = DatabaseConnection::Postgres(&mut connection, liveness);
                Ok(queue.record_outcome(connection.fetch_all(sql, params).await)?)
            }
        }
    }

    /// Runs a statement that returns at most one row.
    pub(super) async fn fetch_optional(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<SqlRow>> {
        Ok(self.fetch_all(sql, params).await?.pop())
    }

    /// Runs a statement that always returns a row, such as a count.
    pub(super) async fn fetch_one(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<SqlRow> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.pools, Pools::Sqlite { .. })
    }

    /// Adds a listener. The first one also starts the watcher for changes made by other processes.
    pub(super) fn listen(&self, listener: Arc<dyn ChangeListener>) {
        if !self.change_bus.add(listener) {
            return;
        }
        let change_bus = Arc::clone(&self.change_bus);
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                self.change_bus.tasks.spawn(watch::sqlite::SqliteWatcher::new(writer.clone(), change_bus).run());
            }
            Pools::Postgres { pool, .. } => {
                let options = (*pool.connect_options()).clone();
                self.change_bus.tasks.spawn(watch::postgres::PostgresWatcher::new(options, change_bus).run());
            }
        }
    }

    /// Adds a listener without a watcher, so that it gets only the changes of this storage.
    #[cfg(test)]
    pub(super) fn listen_without_watcher(&self, listener: Arc<dyn ChangeListener>) {
        self.change_bus.add(listener);
    }

    /// Closes the pools, which waits for running commits because each holds a connection, and then waits until their
    /// changes are published.
    pub(super) async fn close(&self) {
        self.change_bus.stopping.cancel();
        match &self.pools {
            Pools::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.pool.close().await;
            }
            Pools::Postgres { pool, .. } => pool.close().await,
        }
        self.change_bus.close().await;
    }
}

/// Begins a transaction, within a time limit: the pool limits the wait for a connection, and `BEGIN` then takes little
/// time.
async fn begin_postgres(
    queue: &PoolQueue,
    liveness: &Arc<LivenessProbe>,
    transaction: impl Future<Output = sqlx::Result<Transaction<'static, Postgres>>>,
) -> Result<DatabaseTx> {
    let permit = queue.acquire().await?;
    let result = timeout(CONNECT_TIMEOUT + Duration::from_secs(1), transaction).await;
    let tx = queue.record_outcome(result.unwrap_or(Err(sqlx::Error::PoolTimedOut)))?;
    Ok(DatabaseTx::Postgres { tx, liveness: Arc::clone(liveness), _permit: permit })
}
