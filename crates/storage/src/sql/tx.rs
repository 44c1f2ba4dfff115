//! A transaction. It collects what it changes on the way, and its commit tells of it: an operation that locks a server
//! to change it cannot forget to say so.

use std::sync::Arc;

use sqlx::{Postgres, SqlSafeStr, Sqlite, Transaction};
use toolgate_domain::ids::{PublicId, UserId};

use super::bulk::{Bound, Values};
use super::notices::Notices;
use super::pulse::Pulse;
use super::row::{Param, Row, params, run};
use super::turns::Turn;
use crate::{Change, Result, StorageError};

/// The channel on which the nodes of one PostgreSQL database tell each other of changes.
pub(super) const CHANNEL: &str = "toolgate_changes";

/// A transaction; dropped without [`Tx::commit`] it changes nothing, and nobody hears of it.
pub(super) struct Tx {
    open: Open,
    changes: Vec<Change>,
    notices: Arc<Notices>,
}

/// What is open at the database.
pub(super) enum Open {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres { tx: Transaction<'static, Postgres>, pulse: Arc<Pulse>, _turn: Turn },
}

impl Tx {
    pub(super) fn new(open: Open, notices: &Arc<Notices>) -> Self {
        Self { open, changes: Vec::new(), notices: Arc::clone(notices) }
    }

    pub(super) async fn execute(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match &mut self.open {
            Open::Sqlite(tx) => run!(&mut **tx, sql, params, execute).rows_affected(),
            Open::Postgres { tx, pulse, .. } => {
                pulse.unless_silent(async { Ok(run!(&mut **tx, sql, params, execute)) }).await?.rows_affected()
            }
        })
    }

    pub(super) async fn fetch_all(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match &mut self.open {
            Open::Sqlite(tx) => run!(&mut **tx, sql, params, fetch_all).into_iter().map(Row::Sqlite).collect(),
            Open::Postgres { tx, pulse, .. } => {
                let rows = pulse.unless_silent(async { Ok(run!(&mut **tx, sql, params, fetch_all)) }).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    pub(super) async fn fetch_optional(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &mut self.open {
            Open::Sqlite(tx) => run!(&mut **tx, sql, params, fetch_optional).map(Row::Sqlite),
            Open::Postgres { tx, pulse, .. } => {
                let work = async { Ok(run!(&mut **tx, sql, params, fetch_optional)) };
                pulse.unless_silent(work).await?.map(Row::Postgres)
            }
        })
    }

    pub(super) async fn fetch_one(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Row> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    /// Runs a statement whose values are bound already.
    pub(super) async fn execute_bound(&mut self, sql: impl SqlSafeStr, values: Values) -> Result<()> {
        match (&mut self.open, values.0?) {
            (Open::Sqlite(tx), Bound::Sqlite(values)) => {
                sqlx::query_with(sql, values).execute(&mut **tx).await?;
            }
            (Open::Postgres { tx, pulse, .. }, Bound::Postgres(values)) => {
                pulse.unless_silent(sqlx::query_with(sql, values).execute(&mut **tx)).await?;
            }
            _ => return Err(other_database().into()),
        }
        Ok(())
    }

    /// As [`Tx::execute_bound`], for what it returns.
    pub(super) async fn fetch_bound(&mut self, sql: impl SqlSafeStr, values: Values) -> Result<Vec<Row>> {
        Ok(match (&mut self.open, values.0?) {
            (Open::Sqlite(tx), Bound::Sqlite(values)) => {
                let rows = sqlx::query_with(sql, values).fetch_all(&mut **tx).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            (Open::Postgres { tx, pulse, .. }, Bound::Postgres(values)) => {
                let rows = pulse.unless_silent(sqlx::query_with(sql, values).fetch_all(&mut **tx)).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
            _ => return Err(other_database().into()),
        })
    }

    pub(super) fn is_postgres(&self) -> bool {
        matches!(self.open, Open::Postgres { .. })
    }

    /// What locks the rows a `SELECT` reads. SQLite needs nothing: a write transaction there is alone.
    pub(super) fn row_lock(&self) -> &'static str {
        self.row_lock_of(" FOR NO KEY UPDATE")
    }

    /// As [`Tx::row_lock`], of another strength.
    pub(super) fn row_lock_of(&self, strength: &'static str) -> &'static str {
        if self.is_postgres() { strength } else { "" }
    }

    /// The commit will tell that this server, or what belongs to it, changed.
    pub(super) fn changes_server(&mut self, public_id: PublicId) {
        self.changes(Change::Server(public_id));
    }

    /// The commit will tell that this user's keys changed.
    pub(super) fn changes_keys_of(&mut self, user_id: UserId) {
        self.changes(Change::OwnerKeys(user_id));
    }

    fn changes(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// Commits, tells of the changes, and only then returns. From the first poll on this goes to its end in a task of
    /// its own: a caller who is dropped while the database commits must not leave the listeners in the dark.
    pub(super) async fn commit(self) -> Result<()> {
        let tasks = self.notices.tasks.clone();
        let outcome = tasks.spawn(self.commit_and_tell()).await;
        outcome.unwrap_or_else(|_| Err(StorageError::Unavailable(sqlx::Error::WorkerCrashed)))
    }

    async fn commit_and_tell(mut self) -> Result<()> {
        let told_others = self.tell_other_nodes().await;
        let committed = match (told_others, self.open) {
            (Err(error), _) => Err(error),
            (Ok(()), Open::Sqlite(tx)) => tx.commit().await.map_err(StorageError::from),
            (Ok(()), Open::Postgres { tx, pulse, .. }) => {
                pulse.unless_silent(tx.commit()).await.map_err(StorageError::from)
            }
        };
        // Whatever the outcome: a commit whose answer was lost may have happened.
        for change in &self.changes {
            self.notices.tell(change);
        }
        committed
    }

    /// As part of the transaction: PostgreSQL delivers it with the commit, or never.
    async fn tell_other_nodes(&mut self) -> Result<()> {
        if !self.is_postgres() {
            return Ok(()); // SQLite counts commits by itself: see watch/sqlite.rs
        }
        let payloads: Vec<String> = self.changes.iter().map(|change| self.notices.payload(change)).collect();
        for payload in payloads {
            self.execute("SELECT pg_notify($1, $2)", params![CHANNEL, payload]).await?;
        }
        Ok(())
    }
}

fn other_database() -> sqlx::Error {
    sqlx::Error::Encode("the values were bound for another database".into())
}

#[cfg(test)]
mod tests {
    use super::super::database::Database;
    use super::super::notices::Told;
    use super::super::pools::IfMissing;
    use super::*;

    /// A database with a listener that hears of commits only: no watcher tells of everything in between.
    async fn database(folder: &tempfile::TempDir) -> (Database, Arc<Told>) {
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        let db = Database::open(&url, IfMissing::Create).await.unwrap();
        db.migrate().await.unwrap();
        let told = Arc::new(Told::default());
        db.tell_of_own_changes(Arc::<Told>::clone(&told));
        (db, told)
    }

    #[tokio::test]
    async fn a_change_is_told_once_and_only_by_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let (db, told) = database(&folder).await;
        let (one, two) = (PublicId::from_random([1; 16]), PublicId::from_random([2; 16]));
        let mut tx = db.begin().await.unwrap();
        tx.changes_server(one.clone());
        drop(tx);
        assert_eq!(told.take(), []);
        let mut tx = db.begin().await.unwrap();
        for id in [&one, &two, &one] {
            tx.changes_server(id.clone());
        }
        tx.changes_keys_of(UserId(3));
        assert_eq!(told.take(), []);
        tx.commit().await.unwrap();
        assert_eq!(told.take(), [Change::Server(one), Change::Server(two), Change::OwnerKeys(UserId(3))]);
    }

    #[tokio::test]
    async fn a_commit_that_fails_is_told_for_it_may_have_happened() {
        let folder = tempfile::tempdir().unwrap();
        let (db, told) = database(&folder).await;
        let mut tx = db.begin().await.unwrap();
        // A broken reference that only the commit looks at.
        tx.execute("PRAGMA defer_foreign_keys = ON", vec![]).await.unwrap();
        let sql =
            "INSERT INTO api_keys (user_id, name, hash, hint, scopes, created_at) VALUES (4711, '', x'00', '', '', 1)";
        tx.execute(sql, vec![]).await.unwrap();
        tx.changes_keys_of(UserId(4711));
        assert!(tx.commit().await.is_err());
        assert_eq!(told.take(), [Change::OwnerKeys(UserId(4711))]);
    }

    #[tokio::test]
    async fn a_snapshot_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let (db, _) = database(&folder).await;
        let mut tx = db.snapshot().await.unwrap();
        assert!(tx.execute("DELETE FROM users", vec![]).await.is_err());
    }
}
