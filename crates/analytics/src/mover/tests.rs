//! Recorders on a real database: what is recorded arrives there, once.

mod answers;
mod closing;
mod damage;
mod orphans;
mod recording;
mod retention;
mod watched;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::timeout;
use toolgate_domain::call::CallRecord;
use toolgate_domain::time::{Clock, Timestamp};
use toolgate_domain::user::Visibility;
use toolgate_storage::{CallQuery, JournalId, Key, KeySource, Keyring, KeyringError, SqlStorage, Storage};
use watched::{Next, Watched};

use crate::journal::Journal;
use crate::recorder::{Config, OpenError, Recorder};
use crate::sample::{record, records};

/// Long enough for whatever a test waits for.
const LONG: Duration = Duration::from_secs(30);
/// Room that no test fills.
const PLENTY: u64 = 1 << 30;
/// The moment at which tests take place.
const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

/// A folder with a database and journals.
struct Bench {
    folder: TempDir,
    storage: Arc<dyn Storage>,
}

#[derive(Debug)]
struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        NOW
    }
}

#[derive(Debug)]
struct OneKey;

impl KeySource for OneKey {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&Key::new([1; 32]).to_text())
    }
}

impl Bench {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = open(folder.path()).await;
        Self { folder, storage }
    }

    /// The database comes back after it was closed.
    async fn reopen(&mut self) {
        self.storage = open(self.folder.path()).await;
    }

    fn journals(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    fn config(&self, boot: u64, journal_max: u64) -> Config {
        let (storage, clock) = (Arc::<dyn Storage>::clone(&self.storage), Arc::new(Stopped));
        Config { folder: self.journals(), journal_max, retention_days: 30, storage, clock, boot }
    }

    async fn recorder(&self, boot: u64) -> Arc<Recorder> {
        Recorder::open(self.config(boot, PLENTY)).await.unwrap()
    }

    /// A recorder whose database somebody looks on at.
    async fn watched(&self, boot: u64, storage: &Arc<Watched>) -> Arc<Recorder> {
        let config = Config { storage: Arc::<Watched>::clone(storage), ..self.config(boot, PLENTY) };
        Recorder::open(config).await.unwrap()
    }

    /// A journal of a process that recorded these and was killed before it could move them.
    async fn orphan(&self, boot: u64, records: &[CallRecord]) -> JournalId {
        let journal = Journal::create(&self.journals(), boot, PLENTY).unwrap();
        let id = journal.segments().id().clone();
        self.storage.open_journal(&id).await.unwrap();
        for record in records {
            journal.append(record);
        }
        id
    }

    /// The request ids of all calls in the database, sorted.
    async fn calls(&self) -> Vec<String> {
        let mut query = all_calls();
        let mut ids = Vec::new();
        loop {
            let page = self.storage.calls(&query).await.unwrap();
            ids.extend(page.calls.into_iter().map(|call| call.record.request_id));
            query.before = page.next;
            if query.before.is_none() {
                ids.sort();
                return ids;
            }
        }
    }

    /// Names in the folder of journals.
    fn folders(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.journals()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

async fn open(folder: &Path) -> Arc<dyn Storage> {
    let url = format!("sqlite://{}", folder.join("toolgate.db").display());
    Arc::new(SqlStorage::open(&url, Arc::new(OneKey), NOW).await.unwrap())
}

fn all_calls() -> CallQuery {
    CallQuery::all(Visibility::All, 1000)
}

/// The calls in the database are these records, each once.
#[track_caller]
fn assert_same(calls: &[String], records: &[CallRecord]) {
    let expected = ids(records);
    let missing: Vec<&String> = expected.iter().filter(|id| calls.binary_search(id).is_err()).collect();
    let twice: Vec<&String> = calls.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(calls == expected, "{} calls; missing: {missing:?}; twice: {twice:?}", calls.len());
}

/// The sorted request ids of records.
fn ids(records: &[CallRecord]) -> Vec<String> {
    let mut ids: Vec<String> = records.iter().map(|record| record.request_id.clone()).collect();
    ids.sort();
    ids
}

/// Waits until all there is has been moved, however busy the machine.
async fn settle(recorder: &Recorder) {
    let settled = async {
        while timeout(Duration::ZERO, recorder.settle()).await.is_err() {
            recorder.settle().await;
        }
    };
    timeout(LONG, settled).await.expect("all is moved");
}

fn record_all(recorder: &Recorder, records: &[CallRecord]) {
    for record in records {
        recorder.record(record);
    }
}
