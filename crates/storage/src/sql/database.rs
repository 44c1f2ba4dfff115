//! The two databases: how they are opened, read, and written to.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::SqlSafeStr;
use tokio_util::sync::DropGuard;

use super::change_bus::ChangeBus;
use super::pools::{CONNECT_TIMEOUT, IfMissing, Pools};
use super::row::{Param, SqlRow, run};
use super::tx::{DatabaseTx, Tx};
use super::watch;
use crate::{ChangeListener, Result, StorageOpenError};

/// A database, and who hears of changes in it.
#[derive(Debug)]
pub(super) struct SqlDatabase {
    pools: Pools,
    change_bus: Arc<ChangeBus>,
    /// Ends the watchers of a storage that is dropped without being closed.
    _stop: DropGuard,
}

impl SqlDatabase {
    pub(super) async fn open(url: &str, if_missing: IfMissing) -> std::result::Result<Self, StorageOpenError> {
        let change_bus = Arc::new(ChangeBus::new()?);
        let pools = Pools::open(url, if_missing).await?;
        let stop = change_bus.stopping.clone().drop_guard();
        Ok(Self { pools, change_bus, _stop: stop })
    }

    /// Opens a file that nobody else has open, to look at it: nothing is written, not even a lock.
    pub(super) async fn open_immutable(file: &Path) -> std::result::Result<Self, StorageOpenError> {
        let change_bus = Arc::new(ChangeBus::new()?);
        let pools = Pools::open_immutable(file).await;
        let pools = pools.map_err(|source| StorageOpenError::Connect { url: file.display().to_string(), source })?;
        let stop = change_bus.stopping.clone().drop_guard();
        Ok(Self { pools, change_bus, _stop: stop })
    }

    pub(super) fn pools(&self) -> &Pools {
        &self.pools
    }

    /// Begins a transaction that may write. SQLite's takes the write lock at once: one that upgrades later fails.
    pub(super) async fn begin(&self) -> Result<Tx> {
        let open = match &self.pools {
            Pools::Sqlite { writer, .. } => DatabaseTx::Sqlite(writer.begin().await?),
            Pools::Postgres { pool, queue, liveness } => {
                let permit = queue.acquire().await?;
                let tx = queue.record_outcome(begin_with_timeout(pool.begin()).await)?;
                DatabaseTx::Postgres { tx, liveness: Arc::clone(liveness), _permit: permit }
            }
        };
        Ok(Tx::new(open, &self.change_bus))
    }

    /// Begins a transaction that only reads, and sees one state of the database from its first statement on.
    pub(super) async fn snapshot(&self) -> Result<Tx> {
        let open = match &self.pools {
            Pools::Sqlite { readers, .. } => DatabaseTx::Sqlite(readers.begin().await?),
            Pools::Postgres { pool, queue, liveness } => {
                let permit = queue.acquire().await?;
                let begun =
                    begin_with_timeout(pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")).await;
                DatabaseTx::Postgres {
                    tx: queue.record_outcome(begun)?,
                    liveness: Arc::clone(liveness),
                    _permit: permit,
                }
            }
        };
        Ok(Tx::new(open, &self.change_bus))
    }

    pub(super) async fn fetch_all(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<SqlRow>> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => {
                run!(readers, sql, params, fetch_all).into_iter().map(SqlRow::Sqlite).collect()
            }
            Pools::Postgres { pool, queue, liveness } => {
                let _permit = queue.acquire().await?;
                let mut connection = queue.record_outcome(pool.acquire().await)?;
                let work = async { Ok(run!(&mut *connection, sql, params, fetch_all)) };
                queue
                    .record_outcome(liveness.run_while_responsive(work).await)?
                    .into_iter()
                    .map(SqlRow::Postgres)
                    .collect()
            }
        })
    }

    pub(super) async fn fetch_optional(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<SqlRow>> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => run!(readers, sql, params, fetch_optional).map(SqlRow::Sqlite),
            Pools::Postgres { pool, queue, liveness } => {
                let _permit = queue.acquire().await?;
                let mut connection = queue.record_outcome(pool.acquire().await)?;
                let work = async { Ok(run!(&mut *connection, sql, params, fetch_optional)) };
                queue.record_outcome(liveness.run_while_responsive(work).await)?.map(SqlRow::Postgres)
            }
        })
    }

    /// A statement that always has one row, such as a count.
    pub(super) async fn fetch_one(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<SqlRow> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.pools, Pools::Sqlite { .. })
    }

    /// Adds a listener. The first one is why changes made by others are watched for, too.
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

    /// Adds a listener that hears nothing of what others do.
    #[cfg(test)]
    pub(super) fn listen_without_watcher(&self, listener: Arc<dyn ChangeListener>) {
        self.change_bus.add(listener);
    }

    /// A commit under way holds its connection, so the pools wait for it; what it has to tell follows.
    pub(super) async fn close(&self) {
        self.change_bus.stopping.cancel();
        match &self.pools {
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                writer.pool().close().await;
            }
            Pools::Postgres { pool, .. } => pool.close().await,
        }
        self.change_bus.close().await;
    }
}

/// Beginning is nothing that takes long, once there is a connection.
async fn begin_with_timeout<T>(begun: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    let limit = CONNECT_TIMEOUT + Duration::from_secs(1);
    tokio::time::timeout(limit, begun).await.map_err(|_| sqlx::Error::PoolTimedOut)?
}
