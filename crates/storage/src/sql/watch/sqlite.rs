//! SQLite tells nobody of a commit, but its file carries a version that each connection can compare with what it saw
//! last. The writing connection's own commits leave it alone, so what changes it is somebody else's.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::ChangeEvent;
use crate::sql::change_bus::ChangeBus;
use crate::sql::sqlite_writer::{DataVersion, SqliteWriter};

/// How long a change by another process may go unnoticed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Looks at the version once a beat.
pub(in crate::sql) struct SqliteWatcher {
    writer: SqliteWriter,
    change_bus: Arc<ChangeBus>,
    seen: Option<DataVersion>,
}

impl SqliteWatcher {
    pub(in crate::sql) fn new(writer: SqliteWriter, change_bus: Arc<ChangeBus>) -> Self {
        Self { writer, change_bus, seen: None }
    }

    /// Until the storage closes.
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
                tracing::debug!(%error, "could not look for changes by other processes; trying again");
            }
        }
    }

    /// Tells of everything if somebody else may have committed since the last look: also at the first look, and at the
    /// first one with another connection.
    async fn poll(&mut self) -> sqlx::Result<()> {
        let now = Some(self.writer.data_version().await?);
        if self.seen != now {
            self.seen = now;
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

    /// A watch over a file, and somebody else who has it open.
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
            sqlx::query("CREATE TABLE t (x)").execute(writer.pool()).await.unwrap();
            let change_bus = Arc::new(ChangeBus::new().unwrap());
            let listener = Arc::new(RecordingListener::default());
            change_bus.add(Arc::<RecordingListener>::clone(&listener));
            let other = SqliteConnection::connect_with(&options).await.unwrap();
            Self { watcher: SqliteWatcher::new(writer, change_bus), listener, other, _folder: folder }
        }

        /// How often one look tells of everything.
        async fn poll(&mut self) -> usize {
            self.watcher.poll().await.unwrap();
            let listener = self.listener.take();
            assert!(listener.iter().all(|change| *change == ChangeEvent::Everything));
            listener.len()
        }

        async fn write(&self) {
            let mut tx = self.watcher.writer.begin().await.unwrap();
            sqlx::query(WRITE).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        }

        async fn other_writes(&mut self) {
            sqlx::query(WRITE).execute(&mut self.other).await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_first_look_tells_of_everything_for_what_was_before_is_unknown() {
        let mut fixture = WatcherFixture::new().await;
        assert_eq!((fixture.poll().await, fixture.poll().await), (1, 0));
    }

    #[tokio::test]
    async fn own_writes_are_not_taken_for_somebody_else_s() {
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
    async fn somebody_else_s_writes_are_noticed_also_behind_own_ones() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        fixture.other_writes().await;
        assert_eq!((fixture.poll().await, fixture.poll().await), (1, 0));
        fixture.write().await;
        fixture.other_writes().await;
        fixture.write().await;
        assert_eq!((fixture.poll().await, fixture.poll().await), (1, 0));
    }

    #[tokio::test]
    async fn a_new_connection_is_taken_for_a_change_once_and_its_own_writes_never() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        fixture.watcher.writer.replace().await.unwrap();
        fixture.write().await;
        assert_eq!(fixture.poll().await, 1, "somebody may have written while there was no connection");
        fixture.write().await;
        assert_eq!(fixture.poll().await, 0);
        fixture.other_writes().await;
        assert_eq!(fixture.poll().await, 1);
    }

    #[tokio::test]
    async fn a_look_waits_for_the_writer_at_work() {
        let mut fixture = WatcherFixture::new().await;
        fixture.poll().await;
        let tx = fixture.watcher.writer.begin().await.unwrap();
        let watcher = &mut fixture.watcher;
        let mut poll = std::pin::pin!(watcher.poll());
        let is_waiting = std::future::poll_fn(|context| poll.as_mut().poll(context).is_pending().into());
        assert!(is_waiting.await);
        tx.commit().await.unwrap();
        poll.await.unwrap();
        assert_eq!(fixture.listener.take(), []);
    }
}
