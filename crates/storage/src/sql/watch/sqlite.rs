//! Detects commits of other processes to the SQLite file. SQLite sends no notifications, so the watcher polls
//! `PRAGMA data_version` on the write connection. Its value changes only when another connection commits.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::changes::ChangeEvent;
use crate::sql::change_bus::ChangeBus;
use crate::sql::sqlite_writer::{DataVersion, SqliteWriter};

/// Time between polls: the usual maximum until a change by another process is noticed. An open write transaction delays
/// the poll.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Polls the version of the file.
pub(in crate::sql) struct SqliteWatcher {
    writer: SqliteWriter,
    change_bus: Arc<ChangeBus>,
    last_version: Option<DataVersion>,
}

impl SqliteWatcher {
    pub(in crate::sql) fn new(writer: SqliteWriter, change_bus: Arc<ChangeBus>) -> Self {
        Self { writer, change_bus, last_version: None }
    }

    /// Runs until the storage closes.
    pub(in crate::sql) async fn run(mut self) {
        let stopping = self.change_bus.stopping.clone();
        stopping.run_until_cancelled(self.poll_repeatedly()).await;
    }

    async fn poll_repeatedly(&mut self) {
        let mut ticks = tokio::time::interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.poll().await {
                tracing::debug!(%error, "could not poll for changes by other processes; retrying");
            }
        }
    }

    /// Publishes [`ChangeEvent::Everything`] if another connection may have committed since the last poll. The first
    /// poll, and the first one on a new connection, always publish.
    async fn poll(&mut self) -> sqlx::Result<()> {
        let version = Some(self.writer.data_version().await?);
        if self.last_version != version {
            self.last_version = version;
            self.change_bus.publish(&ChangeEvent::Everything);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
    use sqlx::{Connection as _, SqliteConnection};

    use super::*;
    use crate::sql::change_bus::RecordingListener;

    const WRITE: &str = "INSERT INTO t VALUES (1)";

    /// A watcher of a file, and another connection to the same file.
    struct WatcherFixture {
        watcher: SqliteWatcher,
        listener: Arc<RecordingListener>,
        other: SqliteConnection,
        _folder: tempfile::TempDir,
    }

    impl WatcherFixture {
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("t.db");
            let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
            let options = options.journal_mode(SqliteJournalMode::Wal);
            let writer = SqliteWriter::open(SqlitePoolOptions::new(), options.clone()).await.unwrap();
            sqlx::query("CREATE TABLE t (x)").execute(&writer.pool).await.unwrap();
            let change_bus = Arc::new(ChangeBus::new().unwrap());
            let listener = Arc::new(RecordingListener::default());
            change_bus.add(Arc::<RecordingListener>::clone(&listener));
            let other = SqliteConnection::connect_with(&options).await.unwrap();
            Self { watcher: SqliteWatcher::new(writer, change_bus), listener, other, _folder: folder }
        }

        /// Polls once; returns how many changes were published.
        async fn poll(&mut self) -> usize {
            self.watcher.poll().await.unwrap();
            let changes = self.listener.take();
            assert!(changes.iter().all(|change| *change == ChangeEvent::Everything));
            changes.len()
        }

        async fn write(&self) {
            let mut tx = self.watcher.writer.begin().await.unwrap();
            sqlx::query(WRITE).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        }

        async fn write_from_other_connection(&mut self) {
            sqlx::query(WRITE).execute(&mut self.other).await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_first_poll_publishes_a_change_because_earlier_commits_are_unknown() {
        let mut fixture = WatcherFixture::new().await;
        assert_eq!((fixture.poll().await, fixture.poll().await), (1, 0));
    }

    #[tokio::test]
    async fn own_writes_publish_no_change() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        for _ in 0..3 {
            fixture.write().await;
            assert_eq!(fixture.poll().await, 0);
        }
        drop(fixture.watcher.writer.begin().await.unwrap());
        assert_eq!(fixture.poll().await, 0, "a rollback changes nothing either");
    }

    #[tokio::test]
    async fn writes_of_another_connection_are_noticed_even_between_own_writes() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        fixture.write_from_other_connection().await;
        assert_eq!((fixture.poll().await, fixture.poll().await), (1, 0));
        fixture.write().await;
        fixture.write_from_other_connection().await;
        fixture.write().await;
        assert_eq!((fixture.poll().await, fixture.poll().await), (1, 0));
    }

    #[tokio::test]
    async fn a_new_connection_publishes_one_change_and_its_own_writes_none() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        fixture.watcher.writer.close_connection().await.unwrap();
        fixture.write().await;
        assert_eq!(fixture.poll().await, 1, "another process may have written while there was no connection");
        fixture.write().await;
        assert_eq!(fixture.poll().await, 0);
        fixture.write_from_other_connection().await;
        assert_eq!(fixture.poll().await, 1);
    }

    #[tokio::test]
    async fn a_poll_waits_for_an_open_write_transaction() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        let tx = fixture.watcher.writer.begin().await.unwrap();
        let watcher = &mut fixture.watcher;
        let mut poll = std::pin::pin!(watcher.poll());
        let is_pending = std::future::poll_fn(|context| poll.as_mut().poll(context).is_pending().into()).await;
        assert!(is_pending);
        tx.commit().await.unwrap();
        poll.await.unwrap();
        assert_eq!(fixture.listener.take(), []);
    }
}
