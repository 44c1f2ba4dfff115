//! Ingest of calls from journals: each call counts once, even if a batch is repeated, overlaps or fails.

use std::slice;
use std::sync::Arc;

use tokio::task::JoinSet;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::{CallId, CallRecord, CapturedPayload};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, UsageScope};
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{
    CallBatch, CallStore as _, JournalId, SqlStorage, Storage as _, StorageError, UsageQuery, UsageReader as _,
};

use crate::fixture::StorageFixture;
use crate::traffic::{BASE_MILLIS, DAY_MILLIS, TestJournal, TestTarget, all_calls, all_ids, boxed, read_all, targets};

/// The number of calls in the rollups.
async fn calls_in_rollups(storage: &SqlStorage) -> u64 {
    let query = UsageQuery {
        visibility: Visibility::All,
        scope: UsageScope::All,
        client_type: None,
        grain: Grain::Day,
        from: None,
        until: None,
    };
    storage.usage(&query).await.unwrap().iter().map(|(_, totals)| totals.calls).sum()
}

fn sample_calls(fixture: &StorageFixture, count: i64) -> Vec<CallRecord> {
    let targets = targets(fixture);
    (0..count).map(|n| targets[usize::try_from(n).unwrap() % targets.len()].call(BASE_MILLIS + n)).collect()
}

/// Asserts that there are `count` calls with unique ids, and returns the ids, newest first.
async fn assert_unique_ids(storage: &SqlStorage, count: usize) -> Vec<CallId> {
    let mut ids = all_ids(storage).await;
    assert!(ids.is_sorted_by(|newer, older| newer > older), "the newest id is first");
    ids.dedup();
    assert_eq!(ids.len(), count);
    ids
}

/// Ingests the calls of one node, each batch twice.
async fn ingest_batches_twice(storage: Arc<SqlStorage>, name: String, target: TestTarget) {
    let mut journal = TestJournal::open(&*storage, &name).await;
    for round in 0..12 {
        let calls: Vec<CallRecord> = (0..100).map(|n| target.call(BASE_MILLIS + round * 7 + n / 10)).collect();
        storage.ingest_calls(vec![journal.batch(&calls)]).await.unwrap();
        journal.ingest(&*storage, &calls).await;
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_repeated_batch_counts_once(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let calls = sample_calls(fixture, 7);
        for _ in 0..3 {
            fixture.storage.ingest_calls(vec![journal.batch(&calls)]).await.unwrap();
            assert_eq!(fixture.storage.journal_position(&journal.id).await.unwrap(), Some(7));
            assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (7, 7));
        }
        journal.next_number = 8;
        journal.ingest(&*fixture.storage, &calls).await;
        assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (14, 14));
    }

    async fn an_overlapping_batch_adds_only_its_new_calls(fixture) {
        let journal = TestJournal::open(&*fixture.storage, "j").await;
        let calls = sample_calls(fixture, 10);
        let batch = |first: u64, end: u64| CallBatch {
            journal: &journal.id,
            first,
            calls: boxed(&calls[usize::try_from(first).unwrap() - 1..usize::try_from(end).unwrap()]),
            through: end,
            lost: 0,
        };
        for (first, end) in [(1, 4), (2, 7), (6, 6), (1, 10), (5, 9)] {
            fixture.storage.ingest_calls(vec![batch(first, end)]).await.unwrap();
        }
        assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (10, 10));
        let times: Vec<Timestamp> = all_ids(&*fixture.storage).await.iter().rev().map(|id| id.time()).collect();
        assert_eq!(times, calls.iter().map(|call| call.at).collect::<Vec<_>>());
    }

    async fn a_failed_batch_stores_nothing(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let calls = sample_calls(fixture, 600);
        fixture.raw.execute("ALTER TABLE lost_calls RENAME TO renamed_lost_calls").await;
        let batch = || CallBatch { through: 601, lost: 1, ..journal.batch(&calls) };
        assert_fails!(fixture.storage.ingest_calls(vec![batch()]).await, StorageError::Database(_));
        assert_eq!(fixture.storage.journal_position(&journal.id).await.unwrap(), Some(0));
        assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (0, 0));
        fixture.raw.execute("ALTER TABLE renamed_lost_calls RENAME TO lost_calls").await;
        fixture.storage.ingest_calls(vec![batch()]).await.unwrap();
        journal.next_number = 602;
        journal.ingest(&*fixture.storage, &calls).await;
        assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (1200, 1200));
        assert_eq!(fixture.storage.lost_calls().await.unwrap(), 1);
    }

    async fn the_batches_of_several_journals_are_one_transaction(fixture) {
        let mut one = TestJournal::open(&*fixture.storage, "one").await;
        let mut other = TestJournal::open(&*fixture.storage, "other").await;
        let unknown = TestJournal { id: JournalId("foreign".to_owned()), next_number: 1 };
        let calls = sample_calls(fixture, 1000);
        let (first, second) = calls.split_at(600);
        let batches = vec![one.batch(first), other.batch(second), unknown.batch(first)];
        assert_fails!(fixture.storage.ingest_calls(batches).await, NotFound(ObjectKind::Call));
        assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (0, 0));

        // A batch that is stored already is skipped, the others are stored.
        one.ingest(&*fixture.storage, &first[..300]).await;
        one.next_number = 1;
        let batches = || vec![one.batch(first), CallBatch { through: 405, lost: 5, ..other.batch(second) }];
        for _ in 0..2 {
            fixture.storage.ingest_calls(batches()).await.unwrap();
            assert_eq!(fixture.storage.journal_position(&one.id).await.unwrap(), Some(600));
            assert_eq!(fixture.storage.journal_position(&other.id).await.unwrap(), Some(405));
            assert_eq!(calls_in_rollups(&fixture.storage).await, 1000);
            assert_eq!(fixture.storage.lost_calls().await.unwrap(), 5);
        }
        assert_unique_ids(&fixture.storage, 1000).await;
        one.next_number = 601;
        other.next_number = 406;
        fixture.storage.ingest_calls(vec![one.batch(&[]), other.batch(first)]).await.unwrap();
        assert_eq!(calls_in_rollups(&fixture.storage).await, 1600);
    }

    async fn the_position_of_a_journal_survives_reopening(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        journal.ingest(&*fixture.storage, &sample_calls(fixture, 5)).await;
        fixture.storage.close().await;
        let reopened = fixture.open_again(&fixture.keys).await.unwrap();
        reopened.open_journals(slice::from_ref(&journal.id)).await.unwrap();
        assert_eq!(reopened.journal_position(&journal.id).await.unwrap(), Some(5));
        reopened.close_journal(&journal.id).await.unwrap();
        assert_eq!(reopened.journal_position(&journal.id).await.unwrap(), None);
        assert_eq!(all_ids(&reopened).await.len(), 5);
    }

    async fn a_journal_of_another_database_is_refused(fixture) {
        let journal = TestJournal { id: JournalId("foreign".to_owned()), next_number: 1 };
        assert_eq!(fixture.storage.journal_position(&journal.id).await.unwrap(), None);
        let calls = sample_calls(fixture, 2);
        assert_fails!(fixture.storage.ingest_calls(vec![journal.batch(&calls)]).await, NotFound(ObjectKind::Call));
        assert_eq!((calls_in_rollups(&fixture.storage).await, all_ids(&*fixture.storage).await.len()), (0, 0));
    }

    async fn lost_calls_are_counted_once(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let calls = sample_calls(fixture, 10);
        let batch = |first, calls, through, lost| CallBatch { journal: &journal.id, first, calls, through, lost };
        for _ in 0..2 {
            fixture.storage.ingest_calls(vec![batch(6, boxed(&calls), 18, 8)]).await.unwrap();
            assert_eq!(fixture.storage.lost_calls().await.unwrap(), 8);
        }
        fixture.storage.ingest_calls(vec![batch(19, boxed(&[]), 20, 2)]).await.unwrap();
        assert_eq!(fixture.storage.lost_calls().await.unwrap(), 10);
        journal.next_number = 21;
        journal.ingest(&*fixture.storage, &calls).await;
        assert_eq!((calls_in_rollups(&fixture.storage).await, fixture.storage.lost_calls().await.unwrap()), (20, 10));
        // A batch without calls adds its lost calls to the day of the newest stored call.
        let day = Grain::Day.start_of(calls[9].at).as_millis().to_string();
        assert_eq!(fixture.raw.texts("SELECT CAST(day AS TEXT) FROM lost_calls").await, [day]);
    }

    async fn five_thousand_calls_in_one_millisecond_have_unique_ids(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let call = targets(fixture)[0].call(BASE_MILLIS);
        journal.ingest(&*fixture.storage, &vec![call.clone(); 5000]).await;
        journal.ingest(&*fixture.storage, &vec![call.clone(); 100]).await;
        let ids = assert_unique_ids(&fixture.storage, 5100).await;
        assert!(ids.iter().all(|id| (BASE_MILLIS..BASE_MILLIS + 5).contains(&id.time().as_millis())));
        assert_eq!(calls_in_rollups(&fixture.storage).await, 5100);
    }

    async fn calls_after_the_clock_jumped_back_have_unique_ids(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        let earlier_calls: Vec<CallRecord> = (0..700).map(|n| target.call(BASE_MILLIS - DAY_MILLIS + n)).collect();
        journal.ingest(&*fixture.storage, &earlier_calls).await;
        journal.ingest(&*fixture.storage, &[target.call(BASE_MILLIS)]).await;
        for _ in 0..2 {
            journal.ingest(&*fixture.storage, &earlier_calls).await;
        }
        let ids = assert_unique_ids(&fixture.storage, 2101).await;
        let mut times: Vec<i64> = ids.iter().rev().map(|id| id.time().as_millis()).collect();
        assert_eq!(times.pop(), Some(BASE_MILLIS));
        assert_eq!(times, (0..700).flat_map(|n| [BASE_MILLIS - DAY_MILLIS + n; 3]).collect::<Vec<_>>());
    }

    async fn calls_of_two_journals_in_the_same_milliseconds_have_unique_ids(fixture) {
        let mut journals =
            [TestJournal::open(&*fixture.storage, "a").await, TestJournal::open(&*fixture.storage, "b").await];
        let target = targets(fixture)[0];
        for round in 0..4 {
            let calls: Vec<CallRecord> = (0..50).map(|n| target.call(BASE_MILLIS + round * 10 + n / 5)).collect();
            for journal in &mut journals {
                journal.ingest(&*fixture.storage, &calls).await;
            }
        }
        assert_unique_ids(&fixture.storage, 400).await;
    }

    async fn out_of_range_times_and_numbers_are_clamped(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        let mut calls = [i64::MIN, -1, 0, i64::MAX].map(|at| target.call(at));
        for call in &mut calls {
            (call.duration_us, call.request_bytes, call.response_bytes) = (u64::MAX, u64::MAX, u64::MAX);
        }
        for _ in 0..3 {
            journal.ingest(&*fixture.storage, &calls).await;
        }
        let logged = read_all(&*fixture.storage, &all_calls()).await.unwrap();
        assert_eq!(logged.len(), 12);
        assert!(logged.iter().all(|call| call.record.duration_us > 1_000_000_000_000));
        assert!(logged.iter().all(|call| call.record.at >= Timestamp::from_millis(0)));
        let by_client = fixture.storage.usage_by_client(Visibility::All, None, None).await.unwrap();
        assert_eq!(by_client.iter().map(|(_, totals)| totals.calls).collect::<Vec<_>>(), [12]);
    }

    async fn texts_may_contain_any_character(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut call = targets(fixture)[0].call(BASE_MILLIS);
        let text = "a\0b 'quoted' \u{1F600}";
        call.client_type = text.to_owned();
        call.client_name = Some(text.to_owned());
        call.protocol_version = Some(text.to_owned().into());
        call.request_id = text.to_owned();
        call.captured = Some(CapturedPayload { arguments: text.to_owned(), response: text.to_owned() });
        journal.ingest(&*fixture.storage, std::slice::from_ref(&call)).await;
        let logged = read_all(&*fixture.storage, &all_calls()).await.unwrap().remove(0);
        let replaced = text.replace('\0', "\u{fffd}");
        let stored = fixture.storage.call(fixture.as_alice(), logged.id).await.unwrap().record;
        assert_eq!(stored.client_type, replaced);
        for unchanged in
            [&stored.request_id, stored.client_name.as_ref().unwrap(), &stored.protocol_version.unwrap().into_owned()]
        {
            assert_eq!(unchanged, text);
        }
        assert_eq!(stored.captured.unwrap(), CapturedPayload { arguments: replaced.clone(), response: replaced });
        for client_type in [call.client_type.as_str(), &logged.record.client_type] {
            let query = toolgate_storage::CallQuery { client_type: Some(client_type.to_owned()), ..all_calls() };
            assert_eq!(read_all(&*fixture.storage, &query).await.unwrap().len(), 1);
        }
    }

    async fn nodes_that_ingest_concurrently_lose_no_call_and_count_none_twice(fixture) {
        let other = Arc::new(fixture.open_again(&fixture.keys).await.unwrap());
        let target = targets(fixture)[0];
        let mut tasks = JoinSet::new();
        for number in 0..4 {
            let storage = if number % 2 == 0 { &fixture.storage } else { &other };
            tasks.spawn(ingest_batches_twice(Arc::clone(storage), format!("node {number}"), target));
        }
        tasks.join_all().await;
        assert_unique_ids(&fixture.storage, 4800).await;
        assert_eq!((calls_in_rollups(&fixture.storage).await, calls_in_rollups(&other).await), (4800, 4800));
    }
}
