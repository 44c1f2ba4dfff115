//! A transaction. It records changes while it runs and publishes them when it commits. [`Tx::lock_server`] records a
//! change of the server, so an operation cannot omit the notification.

use std::sync::Arc;

use sqlx::{Postgres, SqlSafeStr, Sqlite, Transaction};
use tokio::sync::OwnedSemaphorePermit;
use toolgate_domain::ids::{PublicId, UserId};

use super::bulk::{BulkStatement, BulkValues, power_of_two_chunks};
use super::change_bus::ChangeBus;
use super::connection::DatabaseConnection;
use super::liveness::LivenessProbe;
use super::row::{Param, SqlRow, params};
use crate::changes::ChangeEvent;
use crate::error::{Result, StorageError};
use crate::trace::{operation_span, statement_span};

/// The PostgreSQL channel on which the nodes of one database notify each other of changes.
pub(super) const CHANNEL: &str = "toolgate_changes";

/// A transaction. Dropping it without [`Tx::commit`] rolls it back and publishes nothing.
pub(super) struct Tx {
    inner: DatabaseTx,
    changes: Vec<ChangeEvent>,
    /// The notifications that PostgreSQL delivers to other nodes with the commit.
    notifications: Vec<String>,
    change_bus: Arc<ChangeBus>,
}

/// A transaction of either database.
pub(super) enum DatabaseTx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres { tx: Transaction<'static, Postgres>, liveness: Arc<LivenessProbe>, _permit: OwnedSemaphorePermit },
}

impl Tx {
    pub(super) fn new(inner: DatabaseTx, change_bus: &Arc<ChangeBus>) -> Self {
        Self { inner, changes: Vec::new(), notifications: Vec::new(), change_bus: Arc::clone(change_bus) }
    }

    fn connection(&mut self) -> DatabaseConnection<'_> {
        match &mut self.inner {
            DatabaseTx::Sqlite(tx) => DatabaseConnection::Sqlite(tx),
            DatabaseTx::Postgres { tx, liveness, .. } => DatabaseConnection::Postgres(tx, liveness),
        }
    }

    /// Runs a statement whose rows, if it returns any, are not needed.
    pub(super) async fn execute(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<()> {
        self.fetch_all(sql, params).await.map(drop)
    }

    pub(super) async fn fetch_all(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<SqlRow>> {
        let sql = sql.into_sql_str();
        let _span = statement_span(&sql, self.is_postgres());
        Ok(self.connection().fetch_all(sql, params).await?)
    }

    /// Runs a statement that returns at most one row.
    pub(super) async fn fetch_optional(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<SqlRow>> {
        Ok(self.fetch_all(sql, params).await?.pop())
    }

    pub(super) async fn fetch_one(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<SqlRow> {
        Ok(self.fetch_optional(sql, params).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    /// Runs a statement for all items, many with each execution, and returns its rows, if there are any. `bind` adds
    /// the values of one item.
    pub(super) async fn fetch_bulk<I>(
        &mut self,
        statement: &BulkStatement,
        items: &[I],
        bind: impl Fn(&I, &mut BulkValues),
    ) -> Result<Vec<SqlRow>> {
        let _span = operation_span("EXECUTE", self.is_postgres());
        let mut rows = Vec::new();
        for chunk in power_of_two_chunks(items) {
            let connection = self.connection();
            let (sql, values) = statement.bind(chunk, connection.new_values(chunk.len() * statement.columns), &bind);
            rows.extend(connection.fetch_bound(sql, values).await?);
        }
        Ok(rows)
    }

    pub(super) fn is_postgres(&self) -> bool {
        matches!(self.inner, DatabaseTx::Postgres { .. })
    }

    /// The clause that locks the rows of a `SELECT`; empty for SQLite, which runs one write transaction at a time.
    pub(super) fn row_lock(&self) -> &'static str {
        self.row_lock_with(" FOR NO KEY UPDATE")
    }

    /// Like [`Tx::row_lock`], with another lock strength.
    pub(super) fn row_lock_with(&self, strength: &'static str) -> &'static str {
        if self.is_postgres() { strength } else { "" }
    }

    /// Records that this server or one of its objects changed; the commit publishes it.
    pub(super) fn record_server_change(&mut self, public_id: PublicId) {
        self.record_change(ChangeEvent::Server(public_id));
    }

    /// Records that this user's API keys changed; the commit publishes it.
    pub(super) fn record_keys_change(&mut self, user_id: UserId) {
        self.record_change(ChangeEvent::OwnerKeys(user_id));
    }

    /// Records a change; the commit publishes it.
    pub(super) fn record_change(&mut self, change: ChangeEvent) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// Commits and publishes the changes before it returns. Both run in a separate task: if the caller is dropped
    /// during the commit, the listeners must still be notified.
    pub(super) async fn commit(self) -> Result<()> {
        let _span = operation_span("COMMIT", self.is_postgres());
        let tasks = self.change_bus.tasks.clone();
        let outcome = tasks.spawn(self.commit_and_publish()).await;
        outcome.unwrap_or_else(|_| Err(StorageError::Unavailable(sqlx::Error::WorkerCrashed)))
    }

    async fn commit_and_publish(mut self) -> Result<()> {
        let notified = self.notify_other_nodes().await;
        let committed = match (notified, self.inner) {
            (Err(error), _) => Err(error),
            (Ok(()), DatabaseTx::Sqlite(tx)) => tx.commit().await.map_err(StorageError::from),
            (Ok(()), DatabaseTx::Postgres { tx, liveness, .. }) => {
                liveness.run_while_responsive(tx.commit()).await.map_err(StorageError::from)
            }
        };
        // Without a confirmation of the commit only PostgreSQL knows whether other nodes must be notified.
        if committed.is_ok() {
            self.change_bus.relay(self.notifications);
        }
        // The changes are published even after an error, because the commit may have succeeded although its response
        // was lost. That a grant has ended is all that its event says, so after an error listeners have to read it.
        let is_unconfirmed_end =
            |change: &ChangeEvent| committed.is_err() && matches!(change, ChangeEvent::GrantEnded(_));
        for change in self.changes.iter().filter(|change| !is_unconfirmed_end(change)) {
            self.change_bus.publish(change);
        }
        if self.changes.iter().any(is_unconfirmed_end) {
            self.change_bus.publish(&ChangeEvent::EndedGrants);
        }
        committed
    }

    /// Sends the notifications inside the transaction, so that PostgreSQL delivers them only if it commits.
    async fn notify_other_nodes(&mut self) -> Result<()> {
        if !self.is_postgres() {
            return Ok(()); // other processes poll the version of a SQLite file: see watch/sqlite.rs
        }
        self.notifications = self.changes.iter().map(|change| self.change_bus.new_notification(change)).collect();
        for notification in self.notifications.clone() {
            self.execute("SELECT pg_notify($1, $2)", params![CHANNEL, notification]).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::GrantId;
    use toolgate_domain::oauth::grant::EndedGrant;
    use toolgate_domain::time::Timestamp;

    use super::super::change_bus::RecordingListener;
    use super::super::database::SqlDatabase;
    use super::super::pools::IfMissing;
    use super::*;

    /// A database with a listener but no watcher, so that only commits publish changes.
    async fn database(folder: &tempfile::TempDir) -> (SqlDatabase, Arc<RecordingListener>) {
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
        db.migrate().await.unwrap();
        let listener = Arc::new(RecordingListener::default());
        db.listen_without_watcher(Arc::<RecordingListener>::clone(&listener));
        (db, listener)
    }

    #[tokio::test]
    async fn a_change_is_published_once_and_only_by_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let (db, listener) = database(&folder).await;
        let (one, two) = (PublicId::from_random([1; 16]), PublicId::from_random([2; 16]));
        let mut tx = db.begin().await.unwrap();
        tx.record_server_change(one.clone());
        drop(tx);
        assert_eq!(listener.take(), []);
        let mut tx = db.begin().await.unwrap();
        for id in [&one, &two, &one] {
            tx.record_server_change(id.clone());
        }
        tx.record_keys_change(UserId(3));
        assert_eq!(listener.take(), []);
        tx.commit().await.unwrap();
        assert_eq!(
            listener.take(),
            [ChangeEvent::Server(one), ChangeEvent::Server(two), ChangeEvent::OwnerKeys(UserId(3))]
        );
    }

    /// A transaction whose commit fails.
    async fn begin_invalid(db: &SqlDatabase) -> Tx {
        let mut tx = db.begin().await.unwrap();
        // An invalid foreign key that only the commit checks.
        tx.execute("PRAGMA defer_foreign_keys = ON", vec![]).await.unwrap();
        let sql =
            "INSERT INTO api_keys (user_id, name, hash, hint, scopes, created_at) VALUES (4711, '', x'00', '', '', 1)";
        tx.execute(sql, vec![]).await.unwrap();
        tx
    }

    #[tokio::test]
    async fn a_failed_commit_is_published_because_it_may_have_succeeded() {
        let folder = tempfile::tempdir().unwrap();
        let (db, listener) = database(&folder).await;
        let mut tx = begin_invalid(&db).await;
        tx.record_keys_change(UserId(4711));
        assert!(tx.commit().await.is_err());
        assert_eq!(listener.take(), [ChangeEvent::OwnerKeys(UserId(4711))]);
    }

    #[tokio::test]
    async fn after_a_failed_commit_listeners_read_from_the_database_which_grants_have_ended() {
        let folder = tempfile::tempdir().unwrap();
        let (db, listener) = database(&folder).await;
        let mut tx = begin_invalid(&db).await;
        for id in [1, 2] {
            let grant = EndedGrant { id: GrantId(id), ended_at: Timestamp::from_millis(1) };
            tx.record_change(ChangeEvent::GrantEnded(grant));
        }
        assert!(tx.commit().await.is_err());
        assert_eq!(listener.take(), [ChangeEvent::EndedGrants]);
    }

    #[tokio::test]
    async fn a_snapshot_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let (db, _) = database(&folder).await;
        let mut tx = db.begin_snapshot().await.unwrap();
        assert!(tx.execute("DELETE FROM users", vec![]).await.is_err());
    }
}
