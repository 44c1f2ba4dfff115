//! Inserts call records into a service's database as its ingest does, without making calls.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, slice};

use toolgate_domain::call::CallRecord;
use toolgate_domain::time::{Clock as _, SystemClock};
use toolgate_storage::{
    CallBatch, CallStore as _, JournalId, KeySource, Keyring, KeyringError, SqlStorage, Storage as _,
};

/// Inserts calls into the database of the service with this data folder. With `SQLite` the service must not run: only
/// one process may open the database.
pub(crate) async fn insert_calls(database_url: &str, data_dir: &Path, calls: Vec<CallRecord>) {
    let keys = Arc::new(TestKeyFile(data_dir.join("encryption-keys")));
    let storage = SqlStorage::open(database_url, keys, SystemClock.now()).await.unwrap();
    let journal = JournalId("recorded".to_owned());
    storage.open_journals(slice::from_ref(&journal)).await.unwrap();
    let last = u64::try_from(calls.len()).unwrap();
    let batch = CallBatch { journal: &journal, first: 1, calls: Box::new(calls.into_iter()), through: last, lost: 0 };
    storage.ingest_calls(vec![batch]).await.unwrap();
    storage.close().await;
}

#[derive(Debug)]
struct TestKeyFile(PathBuf);

impl KeySource for TestKeyFile {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(fs::read_to_string(&self.0).unwrap().trim())
    }
}
