//! Retention: old calls are deleted, and their rollups stay.

use toolgate_domain::call::CapturedPayload;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, UsageScope};
use toolgate_domain::user::Visibility;
use toolgate_storage::{CallQuery, CallStore as _, StorageError, UsageQuery, UsageReader as _};

use crate::fixture::StorageFixture;
use crate::traffic::{BASE_MILLIS, DAY_MILLIS, HOUR_MILLIS, TestJournal, all_calls, all_ids, read_all, targets};

/// The names of PostgreSQL's partitions of `call_blocks`, in order of their days.
async fn partitions(fixture: &StorageFixture) -> Vec<String> {
    let sql =
        "SELECT CAST(inhrelid::regclass AS TEXT) FROM pg_inherits WHERE inhparent = 'call_blocks'::regclass ORDER BY 1";
    fixture.raw.texts(sql).await
}

/// Deletes all calls before a time. Returns the number of steps.
async fn delete_all_before(fixture: &StorageFixture, cutoff_ms: i64) -> usize {
    let mut steps = 1;
    while fixture.storage.delete_calls_before(Timestamp::from_millis(cutoff_ms)).await.unwrap() {
        steps += 1;
    }
    steps
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn old_calls_are_deleted_and_their_rollups_stay(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        let calls: Vec<_> = (0..10).map(|day| target.call(BASE_MILLIS + day * DAY_MILLIS)).collect();
        journal.ingest(&*fixture.storage, &calls).await;
        let start_of_day = Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS + 6 * DAY_MILLIS)).as_millis();
        delete_all_before(fixture, start_of_day).await;
        let remaining: Vec<_> =
            read_all(&*fixture.storage, &all_calls()).await.unwrap().iter().map(|call| call.record.at).collect();
        assert_eq!(remaining, calls[6..].iter().rev().map(|call| call.at).collect::<Vec<_>>());
        let query = UsageQuery {
            visibility: Visibility::All,
            scope: UsageScope::Tool(target.tool),
            client_type: None,
            grain: Grain::Day,
            from: None,
            until: None,
        };
        assert_eq!(fixture.storage.usage(&query).await.unwrap().len(), 10);
        assert!(!fixture.storage.delete_calls_before(Timestamp::from_millis(start_of_day)).await.unwrap());
        // Old calls of a journal that is found late are still ingested.
        journal.ingest(&*fixture.storage, &calls).await;
        assert_eq!(all_ids(&*fixture.storage).await.len(), 14);
    }

    async fn a_query_skips_deleted_calls_although_their_rollups_exist(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        let mut calls: Vec<_> = (0..150).map(|hour| target.call(BASE_MILLIS + hour * HOUR_MILLIS)).collect();
        calls.push(target.call(BASE_MILLIS + 9 * DAY_MILLIS));
        journal.ingest(&*fixture.storage, &calls).await;
        delete_all_before(fixture, BASE_MILLIS + 8 * DAY_MILLIS).await;
        let query = CallQuery { client_type: Some("cursor".to_owned()), ..all_calls() };
        let page = fixture.storage.calls(&query).await.unwrap();
        assert_eq!((page.calls.len(), page.next), (1, None));
    }

    async fn preparing_partitions_repeatedly_changes_nothing(fixture) {
        for day in [0, 0, 1, 5] {
            fixture.storage.prepare_partitions(Timestamp::from_millis(BASE_MILLIS + day * DAY_MILLIS)).await.unwrap();
        }
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        journal.ingest(&*fixture.storage, &[targets(fixture)[0].call(BASE_MILLIS + DAY_MILLIS)]).await;
        assert_eq!(all_ids(&*fixture.storage).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_deletes_a_bounded_number_of_small_blocks_per_step() {
    let fixture = StorageFixture::sqlite().await;
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    let target = targets(&fixture)[0];
    // Each call is in another span of ten seconds, and so in another block.
    let calls: Vec<_> = (0..300).map(|n| target.call(BASE_MILLIS + n * 20_000)).collect();
    journal.ingest(&*fixture.storage, &calls).await;
    for (remaining, has_more) in [(50, true), (0, false)] {
        assert_eq!(
            fixture.storage.delete_calls_before(Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS)).await.unwrap(),
            has_more
        );
        assert_eq!(all_ids(&*fixture.storage).await.len(), remaining);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_deletes_in_small_steps_the_oldest_first() {
    let fixture = StorageFixture::sqlite().await;
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    let target = targets(&fixture)[0];
    let mut calls: Vec<_> = (0..3500).map(|n| target.call(BASE_MILLIS + n)).collect();
    for call in &mut calls {
        call.captured = Some(CapturedPayload::default());
    }
    for batch in calls.chunks(500) {
        journal.ingest(&*fixture.storage, batch).await;
    }
    // The block that contains the cutoff stays complete.
    let cutoff = Timestamp::from_millis(BASE_MILLIS + 2700);
    for (remaining, has_more) in [(2500, true), (1500, true), (1000, false), (1000, false)] {
        assert_eq!(fixture.storage.delete_calls_before(cutoff).await.unwrap(), has_more);
        let ids = all_ids(&*fixture.storage).await;
        assert_eq!(ids.len(), remaining);
        assert_eq!(ids[remaining - 1].time(), calls[3500 - remaining].at);
        let rows = ["call_blocks", "call_index", "captured_calls"].map(|table| format!("SELECT COUNT(*) FROM {table}"));
        let blocks = i64::try_from(remaining / 500).unwrap();
        // The index has four entries for each block: all calls, the owner, the server and the tool.
        for (sql, expected) in rows.iter().zip([blocks, blocks * 4, blocks * 500]) {
            assert_eq!(fixture.raw.int(sql).await, expected, "{sql}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_has_a_partition_for_each_day_and_drops_whole_partitions() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let day = |number: i64| Timestamp::from_millis(BASE_MILLIS + number * DAY_MILLIS);
    fixture.storage.prepare_partitions(day(0)).await.unwrap();
    assert_eq!(partitions(&fixture).await, ["call_blocks_20261014", "call_blocks_20261015"]);
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    let target = targets(&fixture)[0];
    let calls: Vec<_> = [-3, 0, 1].iter().map(|number| target.call(day(*number).as_millis())).collect();
    journal.ingest(&*fixture.storage, &calls).await;
    let all = ["11", "14", "15"].map(|day| format!("call_blocks_202610{day}"));
    assert_eq!(partitions(&fixture).await, all);
    // The partition of the cutoff's day stays, although its first calls are older than the cutoff.
    assert_eq!(delete_all_before(&fixture, day(1).as_millis()).await, 2);
    assert_eq!(partitions(&fixture).await, all[2..]);
    assert_eq!(all_ids(&*fixture.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_partition_that_another_node_dropped_is_created_again() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    let call = targets(&fixture)[0].call(BASE_MILLIS);
    journal.ingest(&*fixture.storage, std::slice::from_ref(&call)).await;
    let other = fixture.open_again(&fixture.keys).await.unwrap();
    assert!(!other.delete_calls_before(Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS)).await.unwrap());
    let calls = [call];
    assert_fails!(fixture.storage.ingest_calls(vec![journal.batch(&calls)]).await, StorageError::Database(_));
    journal.ingest(&*fixture.storage, &calls).await;
    assert_eq!(all_ids(&*fixture.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_long_read_does_not_block_the_ingest_of_a_new_day() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    let target = targets(&fixture)[0];
    journal.ingest(&*fixture.storage, &[target.call(BASE_MILLIS)]).await;
    let crate::raw::RawDatabase::Postgres(pool) = &fixture.raw else { return };
    let mut reader = pool.begin().await.unwrap();
    let block_count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM call_blocks").fetch_one(&mut *reader).await.unwrap();
    journal.ingest(&*fixture.storage, &[target.call(BASE_MILLIS + DAY_MILLIS)]).await;
    assert_eq!((block_count, all_ids(&*fixture.storage).await.len()), (1, 2));
    // Dropping the partition waits for the reader, but only until the lock timeout.
    let dropped = fixture.storage.delete_calls_before(Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS)).await;
    assert_fails!(dropped, StorageError::Unavailable(_));
    reader.rollback().await.unwrap();
    assert!(!fixture.storage.delete_calls_before(Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS)).await.unwrap());
    assert_eq!(all_ids(&*fixture.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_partition_dropped_concurrently_by_another_node_is_not_an_error() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    let calls = [0, 1].map(|day| targets(&fixture)[0].call(BASE_MILLIS + day * DAY_MILLIS));
    journal.ingest(&*fixture.storage, &calls).await;
    let crate::raw::RawDatabase::Postgres(pool) = &fixture.raw else { return };
    let mut other = pool.begin().await.unwrap();
    sqlx::query("DROP TABLE call_blocks_20261014, call_index_20261014, captured_calls_20261014")
        .execute(&mut *other)
        .await
        .unwrap();
    let commit_other_drop = async {
        // PostgreSQL has no notification for a session that starts to wait for a lock, so this polls.
        let waiting = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                       WHERE NOT l.granted AND d.datname = current_database()";
        while fixture.raw.int(waiting).await == 0 {}
        other.commit().await.unwrap();
    };
    let delete = fixture.storage.delete_calls_before(Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS));
    let (deleted, ()) = tokio::join!(delete, commit_other_drop);
    deleted.unwrap();
    assert_eq!(all_ids(&*fixture.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_readers_of_a_page_and_a_partition_drop_take_locks_in_one_order() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    journal.ingest(&*fixture.storage, &[targets(&fixture)[0].call(BASE_MILLIS)]).await;
    let crate::raw::RawDatabase::Postgres(pool) = &fixture.raw else { return };
    let mut reader = pool.begin().await.unwrap();
    let count = |table| sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")));
    count("call_index").fetch_one(&mut *reader).await.unwrap();
    let continue_reading = async {
        let waiting = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                       WHERE NOT l.granted AND d.datname = current_database()";
        while fixture.raw.int(waiting).await == 0 {}
        let block_count = count("call_blocks").fetch_one(&mut *reader).await.unwrap();
        reader.rollback().await.unwrap();
        block_count
    };
    let delete = fixture.storage.delete_calls_before(Timestamp::from_millis(BASE_MILLIS + DAY_MILLIS));
    let (deleted, block_count) = tokio::join!(delete, continue_reading);
    assert_eq!((deleted.unwrap(), block_count), (false, 1));
}
