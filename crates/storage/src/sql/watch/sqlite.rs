//! SQLite tells nobody of a commit, but its file carries a version that each connection can compare with what it saw
//! last. The writing connection's own commits leave it alone, so what changes it is somebody else's.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::Change;
use crate::sql::notices::Notices;
use crate::sql::writer::{SeenVersion, Writer};

/// How long a change by another process may go unnoticed.
const BEAT: Duration = Duration::from_secs(1);

/// Looks at the version once a beat.
pub(in crate::sql) struct Watch {
    writer: Writer,
    notices: Arc<Notices>,
    seen: Option<SeenVersion>,
}

impl Watch {
    pub(in crate::sql) fn new(writer: Writer, notices: Arc<Notices>) -> Self {
        Self { writer, notices, seen: None }
    }

    /// Until the storage closes.
    pub(in crate::sql) async fn run(mut self) {
        let stopping = self.notices.stopping.clone();
        stopping.run_until_cancelled(self.look_for_ever()).await;
    }

    async fn look_for_ever(&mut self) {
        let mut beats = tokio::time::interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beats.tick().await;
            if let Err(error) = self.look().await {
                tracing::debug!(%error, "could not look for changes by other processes; trying again");
            }
        }
    }

    /// Tells of everything if somebody else may have committed since the last look: also at the first look, and at the
    /// first one with another connection.
    async fn look(&mut self) -> sqlx::Result<()> {
        let now = Some(self.writer.seen_version().await?);
        if self.seen != now {
            self.seen = now;
            self.notices.tell(&Change::Everything);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
    use sqlx::{Connection as _, SqliteConnection};

    use super::*;
    use crate::sql::notices::Told;

    const WRITE: &str = "INSERT INTO t VALUES (1)";

    /// A watch over a file, and somebody else who has it open.
    struct Bench {
        watch: Watch,
        told: Arc<Told>,
        other: SqliteConnection,
        _folder: tempfile::TempDir,
    }

    impl Bench {
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("t.db");
            let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
            let options = options.journal_mode(SqliteJournalMode::Wal);
            let writer = Writer::open(SqlitePoolOptions::new(), options.clone()).await.unwrap();
            sqlx::query("CREATE TABLE t (x)").execute(writer.pool()).await.unwrap();
            let notices = Arc::new(Notices::new().unwrap());
            let told = Arc::new(Told::default());
            notices.add(Arc::<Told>::clone(&told));
            let other = SqliteConnection::connect_with(&options).await.unwrap();
            Self { watch: Watch::new(writer, notices), told, other, _folder: folder }
        }

        /// How often one look tells of everything.
        async fn look(&mut self) -> usize {
            self.watch.look().await.unwrap();
            let told = self.told.take();
            assert!(told.iter().all(|change| *change == Change::Everything));
            told.len()
        }

        async fn write(&self) {
            let mut tx = self.watch.writer.begin().await.unwrap();
            sqlx::query(WRITE).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        }

        async fn other_writes(&mut self) {
            sqlx::query(WRITE).execute(&mut self.other).await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_first_look_tells_of_everything_for_what_was_before_is_unknown() {
        let mut bench = Bench::new().await;
        assert_eq!((bench.look().await, bench.look().await), (1, 0));
    }

    #[tokio::test]
    async fn own_writes_are_not_taken_for_somebody_else_s() {
        let mut bench = Bench::new().await;
        bench.look().await;
        for _ in 0..3 {
            bench.write().await;
            assert_eq!(bench.look().await, 0);
        }
        drop(bench.watch.writer.begin().await.unwrap());
        assert_eq!(bench.look().await, 0, "a rollback changes nothing either");
    }

    #[tokio::test]
    async fn somebody_else_s_writes_are_noticed_also_behind_own_ones() {
        let mut bench = Bench::new().await;
        bench.look().await;
        bench.other_writes().await;
        assert_eq!((bench.look().await, bench.look().await), (1, 0));
        bench.write().await;
        bench.other_writes().await;
        bench.write().await;
        assert_eq!((bench.look().await, bench.look().await), (1, 0));
    }

    #[tokio::test]
    async fn a_new_connection_is_taken_for_a_change_once_and_its_own_writes_never() {
        let mut bench = Bench::new().await;
        bench.look().await;
        bench.watch.writer.replace().await.unwrap();
        bench.write().await;
        assert_eq!(bench.look().await, 1, "somebody may have written while there was no connection");
        bench.write().await;
        assert_eq!(bench.look().await, 0);
        bench.other_writes().await;
        assert_eq!(bench.look().await, 1);
    }

    #[tokio::test]
    async fn a_look_waits_for_the_writer_at_work() {
        let mut bench = Bench::new().await;
        bench.look().await;
        let tx = bench.watch.writer.begin().await.unwrap();
        let watch = &mut bench.watch;
        let mut look = std::pin::pin!(watch.look());
        let is_waiting = std::future::poll_fn(|context| look.as_mut().poll(context).is_pending().into());
        assert!(is_waiting.await);
        tx.commit().await.unwrap();
        look.await.unwrap();
        assert_eq!(bench.told.take(), []);
    }
}
