//! A log that is long without anybody having called: calls go into the database as the service's own mover brings them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::call::CallRecord;
use domain::ids::{ServerId, ToolId, UserId};
use domain::time::{Clock as _, SystemClock, Timestamp};
use storage::{CallBatch, Calls as _, JournalId, KeySource, Keyring, KeyringError, SqlStorage, Storage as _};

/// Puts so many calls into the log of a service's database, each of about half a kilobyte.
pub(super) async fn fill_log(database_url: &str, data_dir: &Path, count: u64) {
    let keys = Arc::new(KeyFile(data_dir.join("encryption-keys")));
    let now = SystemClock.now();
    let storage = SqlStorage::open(database_url, keys, now).await.unwrap();
    let journal = JournalId("filler".to_owned());
    storage.open_journal(&journal).await.unwrap();
    let first = now.as_millis() - i64::try_from(count).unwrap();
    let calls = (first..now.as_millis()).map(long_call).collect::<Vec<_>>().into_iter();
    let batch = CallBatch { journal: &journal, first: 1, calls: Box::new(calls), through: count, lost: 0 };
    storage.move_calls(batch).await.unwrap();
    storage.close().await;
}

fn long_call(at: i64) -> CallRecord {
    CallRecord {
        at: Timestamp::from_millis(at),
        client_name: Some("x".repeat(200)),
        request_id: "r".repeat(200),
        ..CallRecord::begun(UserId(1), ServerId(1), ToolId(1), "cursor".to_owned())
    }
}

#[derive(Debug)]
struct KeyFile(PathBuf);

impl KeySource for KeyFile {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(fs::read_to_string(&self.0).unwrap().trim())
    }
}
