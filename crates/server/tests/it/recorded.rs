//! Calls that nobody made: they go into a service's database as its own mover brings them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgate_domain::call::CallRecord;
use toolgate_domain::time::{Clock as _, SystemClock};
use toolgate_storage::{CallBatch, Calls as _, JournalId, KeySource, Keyring, KeyringError, SqlStorage, Storage as _};

/// Puts these calls into the database of the service with this data folder. `SQLite` has room for one: the service is
/// not to run meanwhile.
pub(crate) async fn record(database_url: &str, data_dir: &Path, calls: Vec<CallRecord>) {
    let keys = Arc::new(KeyFile(data_dir.join("encryption-keys")));
    let storage = SqlStorage::open(database_url, keys, SystemClock.now()).await.unwrap();
    let journal = JournalId("recorded".to_owned());
    storage.open_journal(&journal).await.unwrap();
    let through = u64::try_from(calls.len()).unwrap();
    let batch = CallBatch { journal: &journal, first: 1, calls: Box::new(calls.into_iter()), through, lost: 0 };
    storage.move_calls(batch).await.unwrap();
    storage.close().await;
}

#[derive(Debug)]
struct KeyFile(PathBuf);

impl KeySource for KeyFile {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(fs::read_to_string(&self.0).unwrap().trim())
    }
}
