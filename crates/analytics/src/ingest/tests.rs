//! Recorders with a real database: every record is ingested exactly once.

mod closing;
mod damage;
mod leftover_segments;
mod lost_responses;
mod observed_storage;
mod recording;
mod retention;
mod several_journals;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use observed_storage::{BatchBehaviour, ObservedStorage};
use tempfile::TempDir;
use tokio::time::timeout;
use toolgate_domain::call::CallRecord;
use toolgate_domain::time::{Clock, Timestamp};
use toolgate_domain::user::Visibility;
use toolgate_storage::{CallQuery, EncryptionKey, JournalId, KeySource, Keyring, KeyringError, SqlStorage, Storage};

use crate::journal::OwnJournals;
use crate::recorder::{Recorder, RecorderConfig, RecorderOpenError};
use crate::sample::{record, records};

/// Timeout of every wait in these tests.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);
/// A disk budget that no test exhausts, in bytes.
const LARGE_BUDGET: u64 = 1 << 30;
/// A disk budget that a thousand records exceed, in bytes.
const SMALL_BUDGET: u64 = 20_000;
/// The current time in these tests.
const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

/// A folder with a database and journals.
struct IngestFixture {
    folder: TempDir,
    storage: Arc<dyn Storage>,
}

#[derive(Debug)]
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

#[derive(Debug)]
struct IngestTestKey;

impl KeySource for IngestTestKey {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&EncryptionKey::new([1; 32]).to_text())
    }
}

impl IngestFixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = open_storage(folder.path()).await;
        Self { folder, storage }
    }

    /// Opens the database again after it was closed.
    async fn reopen(&mut self) {
        self.storage = open_storage(self.folder.path()).await;
    }

    fn journals(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    fn config(&self, journal_number: u64, journal_max_bytes: u64) -> RecorderConfig {
        let (storage, clock) = (Arc::<dyn Storage>::clone(&self.storage), Arc::new(FixedClock));
        RecorderConfig {
            folder: self.journals(),
            journal_max_bytes,
            retention_days: 30,
            storage,
            clock,
            journal_number,
            threads: 1,
        }
    }

    async fn recorder(&self, journal_number: u64) -> Arc<Recorder> {
        Recorder::open(self.config(journal_number, LARGE_BUDGET)).await.unwrap()
    }

    /// A recorder with an observed database.
    async fn observed_recorder(&self, journal_number: u64, storage: &Arc<ObservedStorage>) -> Arc<Recorder> {
        let config = RecorderConfig {
            storage: Arc::<ObservedStorage>::clone(storage),
            ..self.config(journal_number, LARGE_BUDGET)
        };
        Recorder::open(config).await.unwrap()
    }

    /// The journal of a process that was killed before these records were ingested.
    async fn leftover_journal(&self, journal_number: u64, records: &[CallRecord]) -> JournalId {
        let journal = self.registered_journal(journal_number, LARGE_BUDGET).await;
        for record in records {
            journal.append(record);
        }
        JournalId(format!("{journal_number:016x}"))
    }

    /// A journal that the database knows and nothing ingests.
    async fn registered_journal(&self, journal_number: u64, max_bytes: u64) -> OwnJournals {
        self.registered_journals(journal_number, 1, max_bytes).await
    }

    /// Journals with numbers from `first_number` on that the database knows and nothing ingests.
    async fn registered_journals(&self, first_number: u64, count: usize, max_bytes: u64) -> OwnJournals {
        let journals = OwnJournals::create(&self.journals(), first_number, count, max_bytes).unwrap();
        self.storage.open_journals(&journals.ids()).await.unwrap();
        journals
    }

    /// The request ids of all calls in the database, sorted.
    async fn stored_request_ids(&self) -> Vec<String> {
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

    /// Names of the entries in the folder of journals.
    fn journal_entries(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.journals()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

async fn open_storage(folder: &Path) -> Arc<dyn Storage> {
    let url = format!("sqlite://{}", folder.join("toolgate.db").display());
    Arc::new(SqlStorage::open(&url, Arc::new(IngestTestKey), NOW).await.unwrap())
}

fn all_calls() -> CallQuery {
    CallQuery::all(Visibility::All, 1000)
}

/// Asserts that `stored_ids`, the request ids in the database, are those of `records`, each once.
#[track_caller]
fn assert_stored(stored_ids: &[String], records: &[CallRecord]) {
    let expected = request_ids(records);
    let missing: Vec<&String> = expected.iter().filter(|id| stored_ids.binary_search(id).is_err()).collect();
    let duplicates: Vec<&String> =
        stored_ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(
        stored_ids == expected,
        "the database has {} calls; missing: {missing:?}; duplicates: {duplicates:?}",
        stored_ids.len()
    );
}

/// The sorted request ids of records.
fn request_ids(records: &[CallRecord]) -> Vec<String> {
    let mut ids: Vec<String> = records.iter().map(|record| record.request_id.clone()).collect();
    ids.sort();
    ids
}

/// Waits until all records are ingested.
async fn flush_all(recorder: &Recorder) {
    let flush = async {
        while timeout(Duration::ZERO, recorder.flush()).await.is_err() {
            recorder.flush().await;
        }
    };
    timeout(TEST_TIMEOUT, flush).await.expect("all records are ingested");
}

fn record_all(recorder: &Recorder, records: &[CallRecord]) {
    for record in records {
        recorder.record(record);
    }
}
