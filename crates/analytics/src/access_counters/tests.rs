//! Tests of figures that are written, written later after a failure, or dropped.

use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use tokio::task::JoinSet;
use toolgate_domain::page::Listing;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::HOUR_MS;
use toolgate_storage::{RefusalQuery, RefusalTotals, Result, StorageError};

use super::*;

const KEY: EndpointKeyId = EndpointKeyId(7);
const SERVER: ServerId = ServerId(3);

/// Half past ten.
const NOW: Timestamp = Timestamp::from_millis(10 * HOUR_MS + HOUR_MS / 2);

#[derive(Debug)]
struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

/// A storage that records all writes, and fails, skips or delays them if that is set.
#[derive(Default)]
struct FakeStorage {
    uses: Mutex<Vec<KeyUse>>,
    grant_uses: Mutex<Vec<(GrantId, Timestamp)>>,
    subjects: Mutex<Vec<SeenSubject>>,
    refusals: Mutex<Vec<(Timestamp, RefusalCount)>>,
    fails: AtomicBool,
    skips: AtomicBool,
    is_slow: AtomicBool,
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

    async fn store_grant_uses(&self, uses: &[(GrantId, Timestamp)]) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(StorageError::InUse("unavailable".into()));
        }
        lock(&self.grant_uses).extend(uses);
        Ok(())
    }

    async fn store_subjects(&self, subjects: &[SeenSubject]) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(StorageError::InUse("unavailable".into()));
        }
        if self.is_slow.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        lock(&self.subjects).extend(subjects.iter().cloned());
        Ok(())
    }

    async fn delete_subjects_before(&self, _: Timestamp) -> Result<()> {
        Ok(())
    }

    async fn add_refusals(&self, hour: Timestamp, counts: &[RefusalCount]) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(StorageError::InUse("unavailable".into()));
        }
        lock(&self.refusals).extend(counts.iter().map(|count| (hour, *count)));
        Ok(())
    }

    async fn refusals(&self, _: &RefusalQuery) -> Result<Listing<RefusalTotals>> {
        Ok(Listing { items: Vec::new(), total: 0 })
    }

    async fn delete_refusals_before(&self, _: Timestamp) -> Result<()> {
        Ok(())
    }
}

fn subject(name: &str) -> SeenSubject {
    SeenSubject {
        id: SubjectId(5),
        issuer: "https://login.example".to_owned(),
        subject: "ada".to_owned(),
        name: Some(name.to_owned()),
        seen_at: NOW,
    }
}

#[tokio::test(start_paused = true)]
async fn a_flush_waits_for_people_that_another_write_has_taken() {
    let (storage, counters) = counters();
    storage.is_slow.store(true, Ordering::Relaxed);
    counters.note_subject(subject("Ada"));
    let mut tasks = JoinSet::new();
    let other = Arc::clone(&counters);
    tasks.spawn(async move { other.flush().await });
    while !lock(&counters.subjects).is_empty() {
        tokio::task::yield_now().await;
    }
    assert!(lock(&storage.subjects).is_empty(), "the write has not ended");
    counters.flush_subjects().await;
    assert_eq!(*lock(&storage.subjects), [subject("Ada")]);
    tasks.join_all().await;
}

#[tokio::test]
async fn people_are_written_once_with_their_newest_name() {
    let (storage, counters) = counters();
    storage.fails.store(true, Ordering::Relaxed);
    counters.note_subject(subject("Ada"));
    counters.flush().await;
    storage.fails.store(false, Ordering::Relaxed);
    counters.note_subject(subject("Ada Lovelace"));
    counters.flush().await;
    counters.flush().await;
    assert_eq!(*lock(&storage.subjects), [subject("Ada Lovelace")]);
}

fn counters() -> (Arc<FakeStorage>, Arc<AccessCounters>) {
    let storage = Arc::new(FakeStorage::default());
    (Arc::clone(&storage), AccessCounters::new(storage, Arc::new(StoppedClock), None))
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
async fn the_last_use_of_a_grant_is_written_once_and_again_after_a_failure() {
    let (storage, counters) = counters();
    let grant = counters.grant(GrantId(4));
    grant.record(Timestamp::from_millis(9));
    storage.fails.store(true, Ordering::Relaxed);
    counters.flush().await;
    storage.fails.store(false, Ordering::Relaxed);
    counters.flush().await;
    counters.flush().await;
    assert_eq!(*lock(&storage.grant_uses), [(GrantId(4), Timestamp::from_millis(9))]);
    drop(grant);
    counters.flush().await;
    assert!(lock(&counters.grants).is_empty(), "a grant that is not used any more needs no memory");
}

#[tokio::test]
async fn keys_of_snapshots_that_are_gone_use_no_memory() {
    let (storage, counters) = counters();
    counters.key(KEY).record(Timestamp::from_millis(5));
    counters.flush().await;
    assert_eq!((lock(&storage.uses).len(), lock(&counters.keys).len()), (1, 0));
}

#[tokio::test]
async fn refusals_are_added_to_the_current_hour_and_written_once() {
    let (storage, counters) = counters();
    let server = counters.server(SERVER);
    for _ in 0..3 {
        server.record(RefusalReason::UnknownKey);
    }
    counters.server(SERVER).record(RefusalReason::RateLimit);
    counters.unknown_servers().record(RefusalReason::ForbiddenHost);
    counters.flush().await;
    counters.flush().await;
    let hour = Timestamp::from_millis(10 * HOUR_MS);
    let count = |server, reason, requests| (hour, RefusalCount { server, reason, requests });
    let expected = [
        count(Some(SERVER), RefusalReason::UnknownKey, 3),
        count(Some(SERVER), RefusalReason::RateLimit, 1),
        count(None, RefusalReason::ForbiddenHost, 1),
    ];
    assert_eq!(*lock(&storage.refusals), expected);
}

#[tokio::test]
async fn refusals_that_were_not_stored_are_written_later_even_if_the_snapshot_is_gone() {
    let (storage, counters) = counters();
    counters.server(SERVER).record(RefusalReason::MissingKey);
    counters.unknown_servers().record(RefusalReason::ForbiddenHost);
    storage.fails.store(true, Ordering::Relaxed);
    counters.flush().await;
    storage.fails.store(false, Ordering::Relaxed);
    counters.flush().await;
    assert_eq!(lock(&storage.refusals).len(), 2);
    assert!(lock(&counters.servers).is_empty());
    let totals: u64 = counters.refusal_totals().into_iter().map(|(_, requests)| requests).sum();
    assert_eq!(totals, 2, "a repeated write does not count again");
}

#[tokio::test]
async fn counters_of_tools_that_are_no_longer_compiled_are_removed_with_each_write() {
    let (storage, tools) = (Arc::<FakeStorage>::default(), ToolCounters::new(1));
    let counters = AccessCounters::new(storage, Arc::new(StoppedClock), Some(tools));
    let used = counters.tool(SERVER, ToolId(1), "used");
    for id in 2..100 {
        counters.tool(SERVER, ToolId(id), "dropped");
    }
    counters.flush().await;
    assert_eq!(counters.tools.as_ref().map(ToolCounters::tool_count), Some(1));
    drop(used);
}
