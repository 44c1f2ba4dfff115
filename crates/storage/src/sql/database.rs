//! The two databases: how they are opened, read, and written to.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::SqlSafeStr;
use tokio_util::sync::DropGuard;

use super::notices::Notices;
use super::pools::{CONNECT_TIMEOUT, IfMissing, Pools};
use super::row::{Param, Row, run};
use super::tx::{Open, Tx};
use super::watch;
use crate::{ChangeListener, OpenError, Result};

/// A database, and who hears of changes in it.
#[derive(Debug)]
pub(super) struct Database {
    pools: Pools,
    notices: Arc<Notices>,
    /// Ends the watchers of a storage that is dropped without being closed.
    _stop: DropGuard,
}

impl Database {
    pub(super) async fn open(url: &str, if_missing: IfMissing) -> std::result::Result<Self, OpenError> {
        let notices = Arc::new(Notices::new()?);
        let pools = Pools::open(url, if_missing).await?;
        let stop = notices.stopping.clone().drop_guard();
        Ok(Self { pools, notices, _stop: stop })
    }

    /// Opens a file that nobody else has open, to look at it: nothing is written, not even a lock.
    pub(super) async fn open_still(file: &Path) -> std::result::Result<Self, OpenError> {
        let notices = Arc::new(Notices::new()?);
        let pools = Pools::open_still(file).await;
        let pools = pools.map_err(|source| OpenError::Connect { url: file.display().to_string(), source })?;
        let stop = notices.stopping.clone().drop_guard();
        Ok(Self { pools, notices, _stop: stop })
    }

    pub(super) fn pools(&self) -> &Pools {
        &self.pools
    }

    /// Begins a transaction that may write. SQLite's takes the write lock at once: one that upgrades later fails.
    pub(super) async fn begin(&self) -> Result<Tx> {
        let open = match &self.pools {
            Pools::Sqlite { writer, .. } => Open::Sqlite(writer.begin().await?),
            Pools::Postgres { pool, turns, pulse } => {
                let turn = turns.take().await?;
                let tx = turns.note(soon(pool.begin()).await)?;
                Open::Postgres { tx, pulse: Arc::clone(pulse), _turn: turn }
            }
        };
        Ok(Tx::new(open, &self.notices))
    }

    /// Begins a transaction that only reads, and sees one state of the database from its first statement on.
    pub(super) async fn snapshot(&self) -> Result<Tx> {
        let open = match &self.pools {
            Pools::Sqlite { readers, .. } => Open::Sqlite(readers.begin().await?),
            Pools::Postgres { pool, turns, pulse } => {
                let turn = turns.take().await?;
                let begun = soon(pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")).await;
                Open::Postgres { tx: turns.note(begun)?, pulse: Arc::clone(pulse), _turn: turn }
            }
        };
        Ok(Tx::new(open, &self.notices))
    }

    pub(super) async fn fetch_all(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => {
                run!(readers, sql, params, fetch_all).into_iter().map(Row::Sqlite).collect()
            }
            Pools::Postgres { pool, turns, pulse } => {
                let _turn = turns.take().await?;
                let mut connection = turns.note(pool.acquire().await)?;
                let work = async { Ok(run!(&mut *connection, sql, params, fetch_all)) };
                turns.note(pulse.unless_silent(work).await)?.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    pub(super) async fn fetch_optional(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.pools {
            Pools::Sqlite { readers, .. } => run!(readers, sql, params, fetch_optional).map(Row::Sqlite),
            Pools::Postgres { pool, turns, pulse } => {
                let _turn = turns.take().await?;
                let mut connection = turns.note(pool.acquire().await)?;
                let work = async { Ok(run!(&mut *connection, sql, params, fetch_optional)) };
                turns.note(pulse.unless_silent(work).await)?.map(Row::Postgres)
            }
        })
    }

    /// A statement that always has one row, such as a count.
    pub(super) async fn fetch_one(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Row> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.pools, Pools::Sqlite { .. })
    }

    /// Adds a listener. The first one is why changes made by others are watched for, too.
    pub(super) fn listen(&self, listener: Arc<dyn ChangeListener>) {
        if !self.notices.add(listener) {
            return;
        }
        let notices = Arc::clone(&self.notices);
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                self.notices.tasks.spawn(watch::sqlite::Watch::new(writer.clone(), notices).run());
            }
            Pools::Postgres { pool, .. } => {
                let options = (*pool.connect_options()).clone();
                self.notices.tasks.spawn(watch::postgres::Watch::new(options, notices).run());
            }
        }
    }

    /// Adds a listener that hears nothing of what others do.
    #[cfg(test)]
    pub(super) fn tell_of_own_changes(&self, listener: Arc<dyn ChangeListener>) {
        self.notices.add(listener);
    }

    /// A commit under way holds its connection, so the pools wait for it; what it has to tell follows.
    pub(super) async fn close(&self) {
        self.notices.stopping.cancel();
        match &self.pools {
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                writer.pool().close().await;
            }
            Pools::Postgres { pool, .. } => pool.close().await,
        }
        self.notices.close().await;
    }
}

/// Beginning is nothing that takes long, once there is a connection.
async fn soon<T>(begun: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    let patience = CONNECT_TIMEOUT + Duration::from_secs(1);
    tokio::time::timeout(patience, begun).await.map_err(|_| sqlx::Error::PoolTimedOut)?
}
