//! Several journals of one process: threads that record at the same time, and one transaction for all journals.

use std::fs;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use tokio::sync::watch;
use toolgate_domain::ids::ToolId;

use super::super::source::JournalGroup;
use super::super::{Progress, wait_until_ingested};
use super::*;
use crate::wake_signal::WakeSignal;

impl IngestFixture {
    async fn recorder_for_threads(&self, threads: usize, journal_number: u64) -> Arc<Recorder> {
        let config = RecorderConfig { threads, ..self.config(journal_number, LARGE_BUDGET) };
        Recorder::open(config).await.unwrap()
    }
}

/// Records in six threads.
fn record_in_threads(recorder: &Recorder, records: &[CallRecord]) {
    std::thread::scope(|scope| {
        for part in records.chunks(records.len().div_ceil(6)) {
            scope.spawn(|| record_all(recorder, part));
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_many_threads_are_stored_once() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder_for_threads(4, 1).await;
    let folders = ["0000000000000001", "0000000000000002", "0000000000000003", "0000000000000004"];
    assert_eq!(fixture.journal_entries(), folders);
    record_in_threads(&recorder, &records(12_000));
    flush_all(&recorder).await;
    assert_stored(&fixture.stored_request_ids().await, &records(12_000));
    record_in_threads(&recorder, &records(30_000)[12_000..]);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(30_000));
    assert_eq!(fixture.journal_entries(), [""; 0]);
    for folder in folders {
        assert_eq!(fixture.storage.journal_position(&JournalId(folder.to_owned())).await.unwrap(), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_many_threads_stay_in_the_journals_for_the_next_start() {
    let mut fixture = IngestFixture::new().await;
    let recorder = fixture.recorder_for_threads(4, 1).await;
    fixture.storage.close().await;
    record_in_threads(&recorder, &records(5_000));
    assert_eq!((recorder.state().pending, recorder.state().lost), (5_000, 0));
    recorder.close(Duration::ZERO).await;
    drop(recorder);

    fixture.reopen().await;
    let recorder = fixture.recorder_for_threads(3, 0x10).await;
    flush_all(&recorder).await;
    assert_stored(&fixture.stored_request_ids().await, &records(5_000));
    assert_eq!(fixture.journal_entries().len(), 3);
}

#[tokio::test]
async fn a_transaction_has_the_records_of_all_journals() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 3, LARGE_BUDGET).await;
    let all: Vec<CallRecord> = (0..)
        .zip(records(1200))
        .map(|(number, record)| CallRecord { at: NOW.plus_millis(number * 3), ..record })
        .collect();
    for (number, record) in all.iter().enumerate() {
        journals.append_to(if number % 3 == 0 { 0 } else { 2 }, record);
    }
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::Stored);
    let mut group = JournalGroup::new(journals.segments().cloned());
    let outcome = group.step(&*storage, || journals.segment_lists()).await.unwrap();
    assert_eq!(outcome.ingested.map(|calls| (calls.count, calls.oldest)), Some((1200, NOW)));
    assert!(!outcome.has_more);
    assert_eq!(storage.ingest_operations(), ["ingest 0000000000000001 0000000000000003"]);
    assert_stored(&fixture.stored_request_ids().await, &all);

    group.step(&*storage, || journals.segment_lists()).await.unwrap();
    assert_eq!(storage.ingest_operations().len(), 1, "there is nothing new");
    assert_eq!(journals.stats().state.pending, 0);
}

#[tokio::test]
async fn a_transaction_has_the_oldest_records_of_all_journals() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 2, LARGE_BUDGET).await;
    for (number, record) in records(40_000).iter().enumerate() {
        journals.append_to(usize::from(number % 4 == 3), record);
    }
    let mut group = JournalGroup::new(journals.segments().cloned());
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!(outcome.ingested.map(|calls| calls.count), Some(32_000));
    assert!(outcome.has_more);
    assert_eq!(journals.ingested(), [24_000, 8_000]);
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert!(!outcome.has_more);
    assert_stored(&fixture.stored_request_ids().await, &records(40_000));
}

#[tokio::test]
async fn a_transaction_has_at_most_four_thousand_rollup_keys_of_all_journals() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 2, LARGE_BUDGET).await;
    // Both journals have calls of the same 3,000 tools, then of 3,000 others.
    for (number, record) in (0..).zip(records(18_000)) {
        let tool = if number < 12_000 { number / 2 % 3_000 } else { 3_000 + number / 2 % 3_000 };
        let record = CallRecord { tool_id: ToolId(tool + 1), ..record };
        journals.append_to(usize::from(number % 2 == 1), &record);
    }
    let mut group = JournalGroup::new(journals.segments().cloned());
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!(outcome.ingested.map(|calls| calls.count), Some(13_999), "the last call adds a key");
    assert!(outcome.has_more);
    group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_stored(&fixture.stored_request_ids().await, &records(18_000));
}

#[tokio::test]
async fn a_gap_in_one_journal_does_not_end_the_batches_of_the_others() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 2, 16 * 1200).await;
    let all = records(60);
    for (number, record) in all.iter().enumerate() {
        journals.append_to(number % 2, record);
    }
    let folder = journals.segments().next().unwrap().folder.clone();
    fs::remove_file(folder.join("00000002.calls")).unwrap();
    let mut group = JournalGroup::new(journals.segments().cloned());
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!((journals.ingested()[1], outcome.lost, outcome.has_more), (30, 0, true));
    let before = journals.ingested()[0];
    assert!((1..30).contains(&before), "{before}");
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!((journals.ingested(), outcome.has_more), (vec![30, 30], false));
    assert_eq!(outcome.lost, outcome.lost_by_damage);
    let stored = fixture.stored_request_ids().await.len() as u64;
    assert_eq!((stored + outcome.lost, outcome.lost > 0), (60, true));
}

#[tokio::test]
async fn a_lost_response_affects_no_journal_twice() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 2, LARGE_BUDGET).await;
    for (number, record) in records(100).iter().enumerate() {
        journals.append_to(number % 2, record);
    }
    let storage = ObservedStorage::new(&fixture, BatchBehaviour::StoredButFails);
    let mut group = JournalGroup::new(journals.segments().cloned());
    assert!(group.step(&*storage, || journals.segment_lists()).await.is_err());
    journals.append_to(1, &record(100));
    let outcome = group.step(&*storage, || journals.segment_lists()).await.unwrap();
    assert_eq!(outcome.ingested.map(|calls| calls.count), Some(1), "the others are stored already");
    assert_stored(&fixture.stored_request_ids().await, &records(101));
    assert_eq!(journals.ingested(), [50, 51]);
}

#[tokio::test(flavor = "multi_thread")]
async fn journals_that_a_restored_database_does_not_know_are_registered_again() {
    let fixture = IngestFixture::new().await;
    let recorder = fixture.recorder_for_threads(4, 1).await;
    record_in_threads(&recorder, &records(600));
    flush_all(&recorder).await;
    for number in [1, 2, 4] {
        fixture.storage.close_journal(&JournalId(format!("{number:016x}"))).await.unwrap();
    }
    record_in_threads(&recorder, &records(6_000)[600..]);
    recorder.close(TEST_TIMEOUT).await;
    assert_stored(&fixture.stored_request_ids().await, &records(6_000));
}

#[tokio::test]
async fn a_journal_that_cannot_be_read_does_not_block_the_others() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 2, LARGE_BUDGET).await;
    for (at, record) in (NOW.as_millis()..).zip(records(100)) {
        journals.append_to(usize::from(at % 2 == 1), &CallRecord { at: Timestamp::from_millis(at), ..record });
    }
    let folder = journals.segments().next().unwrap().folder.clone();
    let moved = folder.with_extension("moved");
    fs::rename(&folder, &moved).unwrap();
    fs::write(&folder, "not a folder").unwrap();
    let mut group = JournalGroup::new(journals.segments().cloned());
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!((outcome.read_error.is_some(), outcome.lost, journals.ingested()), (true, 0, vec![0, 50]));
    assert!(!outcome.has_more, "ingest must pause before it reads the journal again");
    assert_eq!(journals.stats().pending_since, Some(NOW), "the records that cannot be read are the oldest");
    fs::remove_file(&folder).unwrap();
    fs::rename(&moved, &folder).unwrap();
    let outcome = group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!((outcome.read_error.is_some(), journals.ingested()), (false, vec![50, 50]));
    assert_stored(&fixture.stored_request_ids().await, &records(100));
}

#[tokio::test]
async fn the_oldest_pending_call_is_as_old_as_the_last_ingested_one_of_all_journals() {
    let fixture = IngestFixture::new().await;
    let journals = fixture.registered_journals(1, 2, LARGE_BUDGET).await;
    let at = |number: i64, record: &CallRecord| CallRecord { at: NOW.plus_millis(number * 10), ..record.clone() };
    // The first journal has only the first and the last call.
    for (number, record) in (0..).zip(&records(33_000)) {
        journals.append_to(usize::from(number != 0 && number != 32_999), &at(number, record));
    }
    assert_eq!(journals.stats().pending_since, Some(NOW));
    let mut group = JournalGroup::new(journals.segments().cloned());
    group.step(&*fixture.storage, || journals.segment_lists()).await.unwrap();
    assert_eq!(journals.ingested(), [1, 31_999]);
    assert_eq!(journals.stats().pending_since, Some(NOW.plus_millis(31_999 * 10)));
}

/// Polls a flush once; returns whether it has ended.
async fn is_ready(mut flush: Pin<&mut impl Future>) -> bool {
    poll_fn(|context| Poll::Ready(flush.as_mut().poll(context).is_ready())).await
}

#[tokio::test]
async fn a_flush_waits_for_the_records_of_every_journal() {
    let progress = watch::Sender::new(Progress { ingested: vec![0, 0], is_replaying: false });
    let wake_signal = WakeSignal::default();
    let flush = wait_until_ingested(progress.subscribe(), &[0, 2], &wake_signal, TEST_TIMEOUT);
    let mut flush = pin!(flush);
    for ingested in [vec![0, 0], vec![5, 0], vec![5, 1]] {
        progress.send_replace(Progress { ingested, is_replaying: false });
        assert!(!is_ready(flush.as_mut()).await);
    }
    progress.send_replace(Progress { ingested: vec![0, 2], is_replaying: true });
    assert!(!is_ready(flush.as_mut()).await, "leftover journals are not ingested yet");
    progress.send_replace(Progress { ingested: vec![0, 2], is_replaying: false });
    assert!(is_ready(flush.as_mut()).await);
}
