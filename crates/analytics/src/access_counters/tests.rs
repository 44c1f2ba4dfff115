//! Tests of figures that are written, skipped and given up.

use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use toolgate_storage::{Result, StorageError};

use super::*;

const KEY: EndpointKeyId = EndpointKeyId(7);

/// A storage that notes what is written, and fails or skips on request.
#[derive(Default)]
struct FakeStorage {
    uses: Mutex<Vec<KeyUse>>,
    fails: AtomicBool,
    skips: AtomicBool,
}

#[async_trait]
impl AccessStore for FakeStorage {
    async fn record_key_uses(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(StorageError::InUse("unavailable".into()));
        }
        if self.skips.load(Ordering::Relaxed) {
            return Ok(uses.to_vec());
        }
        lock(&self.uses).extend(uses);
        Ok(Vec::new())
    }
}

fn counters() -> (Arc<FakeStorage>, Arc<AccessCounters>) {
    let storage = Arc::new(FakeStorage::default());
    (Arc::clone(&storage), AccessCounters::new(storage))
}

fn key_use(millis: i64) -> KeyUse {
    KeyUse { key: KEY, at: Timestamp::from_millis(millis) }
}

#[tokio::test]
async fn the_latest_use_of_a_key_is_written_once() {
    let (storage, counters) = counters();
    let key = counters.key(KEY);
    for millis in [5, 9, 7] {
        counters.key(KEY).record(Timestamp::from_millis(millis));
    }
    counters.flush().await;
    counters.flush().await;
    assert_eq!(*lock(&storage.uses), [key_use(9)]);
    key.record(Timestamp::from_millis(12));
    counters.flush().await;
    assert_eq!(*lock(&storage.uses), [key_use(9), key_use(12)]);
}

#[tokio::test]
async fn uses_that_were_not_stored_are_written_later() {
    let (storage, counters) = counters();
    let key = counters.key(KEY);
    for switch in [&storage.fails, &storage.skips] {
        key.record(Timestamp::from_millis(5));
        switch.store(true, Ordering::Relaxed);
        counters.flush().await;
        assert!(lock(&storage.uses).is_empty());
        switch.store(false, Ordering::Relaxed);
    }
    counters.flush().await;
    assert_eq!(*lock(&storage.uses), [key_use(5)]);
}

#[tokio::test]
async fn keys_of_snapshots_that_are_gone_use_no_memory() {
    let (storage, counters) = counters();
    counters.key(KEY).record(Timestamp::from_millis(5));
    counters.flush().await;
    assert_eq!((lock(&storage.uses).len(), lock(&counters.keys).len()), (1, 0));
}
