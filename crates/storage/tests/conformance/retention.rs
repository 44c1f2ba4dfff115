//! Old calls go, sums stay.

use toolgate_domain::call::Captured;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Scope};
use toolgate_domain::user::Visibility;
use toolgate_storage::{CallQuery, Calls as _, StorageError, UsageQuery, UsageReader as _};

use crate::bench::Bench;
use crate::traffic::{DAY, HOUR, Journal, NOON, all_calls, all_ids, read_all, targets};

/// Days from the first to the last that has a partition, as PostgreSQL's tables are called.
async fn partitions(bench: &Bench) -> Vec<String> {
    let sql =
        "SELECT CAST(inhrelid::regclass AS TEXT) FROM pg_inherits WHERE inhparent = 'call_blocks'::regclass ORDER BY 1";
    bench.raw.texts(sql).await
}

async fn forget_all_before(bench: &Bench, moment: i64) -> usize {
    let mut steps = 1;
    while bench.storage.forget_calls_before(Timestamp::from_millis(moment)).await.unwrap() {
        steps += 1;
    }
    steps
}

on_both_databases! {
    async fn old_calls_are_forgotten_and_their_sums_are_not(bench) {
        let mut journal = Journal::open(&*bench.storage, "j").await;
        let target = targets(bench)[0];
        let calls: Vec<_> = (0..10).map(|day| target.call(NOON + day * DAY)).collect();
        journal.moves(&*bench.storage, &calls).await;
        let start_of_day = Grain::Day.start_of(Timestamp::from_millis(NOON + 6 * DAY)).as_millis();
        forget_all_before(bench, start_of_day).await;
        let left: Vec<_> = read_all(&*bench.storage, &all_calls()).await.unwrap().iter().map(|c| c.record.at).collect();
        assert_eq!(left, calls[6..].iter().rev().map(|call| call.at).collect::<Vec<_>>());
        let query = UsageQuery {
            visibility: Visibility::All,
            scope: Scope::Tool(target.tool),
            client_type: None,
            grain: Grain::Day,
            from: None,
            until: None,
        };
        assert_eq!(bench.storage.usage(&query).await.unwrap().len(), 10);
        assert!(!bench.storage.forget_calls_before(Timestamp::from_millis(start_of_day)).await.unwrap());
        // A journal that was found late still has its place.
        journal.moves(&*bench.storage, &calls).await;
        assert_eq!(all_ids(&*bench.storage).await.len(), 14);
    }

    async fn nobody_is_led_through_what_is_forgotten_although_its_sums_are_there(bench) {
        let mut journal = Journal::open(&*bench.storage, "j").await;
        let target = targets(bench)[0];
        let mut calls: Vec<_> = (0..150).map(|hour| target.call(NOON + hour * HOUR)).collect();
        calls.push(target.call(NOON + 9 * DAY));
        journal.moves(&*bench.storage, &calls).await;
        forget_all_before(bench, NOON + 8 * DAY).await;
        let query = CallQuery { client_type: Some("cursor".to_owned()), ..all_calls() };
        let page = bench.storage.calls(&query).await.unwrap();
        assert_eq!((page.calls.len(), page.next), (1, None));
    }

    async fn preparing_days_again_and_again_changes_nothing(bench) {
        for day in [0, 0, 1, 5] {
            bench.storage.prepare_days(Timestamp::from_millis(NOON + day * DAY)).await.unwrap();
        }
        let mut journal = Journal::open(&*bench.storage, "j").await;
        journal.moves(&*bench.storage, &[targets(bench)[0].call(NOON + DAY)]).await;
        assert_eq!(all_ids(&*bench.storage).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_forgets_blocks_of_one_call_by_the_hundred() {
    let bench = Bench::sqlite().await;
    let mut journal = Journal::open(&*bench.storage, "j").await;
    let target = targets(&bench)[0];
    let calls: Vec<_> = (0..300).map(|n| target.call(NOON + n * 20_000)).collect();
    journal.moves(&*bench.storage, &calls).await;
    for (left, more) in [(50, true), (0, false)] {
        assert_eq!(bench.storage.forget_calls_before(Timestamp::from_millis(NOON + DAY)).await.unwrap(), more);
        assert_eq!(all_ids(&*bench.storage).await.len(), left);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_deletes_in_small_steps_the_oldest_first() {
    let bench = Bench::sqlite().await;
    let mut journal = Journal::open(&*bench.storage, "j").await;
    let target = targets(&bench)[0];
    let mut calls: Vec<_> = (0..3500).map(|n| target.call(NOON + n)).collect();
    for call in &mut calls {
        call.captured = Some(Captured::default());
    }
    for some in calls.chunks(500) {
        journal.moves(&*bench.storage, some).await;
    }
    // Of the block in which the moment lies nothing goes.
    let end = Timestamp::from_millis(NOON + 2700);
    for (left, more) in [(2500, true), (1500, true), (1000, false), (1000, false)] {
        assert_eq!(bench.storage.forget_calls_before(end).await.unwrap(), more);
        let ids = all_ids(&*bench.storage).await;
        assert_eq!(ids.len(), left);
        assert_eq!(ids[left - 1].time(), calls[3500 - left].at);
        let rows = ["call_blocks", "call_index", "captured_calls"].map(|table| format!("SELECT COUNT(*) FROM {table}"));
        let blocks = i64::try_from(left / 500).unwrap();
        for (sql, expected) in rows.iter().zip([blocks, blocks * 4, blocks * 500]) {
            assert_eq!(bench.raw.int(sql).await, expected, "{sql}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_has_a_partition_for_each_day_and_drops_whole_ones() {
    let Some(bench) = Bench::postgres().await else { return };
    let day = |number: i64| Timestamp::from_millis(NOON + number * DAY);
    bench.storage.prepare_days(day(0)).await.unwrap();
    assert_eq!(partitions(&bench).await, ["call_blocks_20261014", "call_blocks_20261015"]);
    let mut journal = Journal::open(&*bench.storage, "j").await;
    let target = targets(&bench)[0];
    let calls: Vec<_> = [-3, 0, 1].iter().map(|number| target.call(day(*number).as_millis())).collect();
    journal.moves(&*bench.storage, &calls).await;
    let all = ["11", "14", "15"].map(|day| format!("call_blocks_202610{day}"));
    assert_eq!(partitions(&bench).await, all);
    // The day of the moment itself stays, although its first calls are older.
    assert_eq!(forget_all_before(&bench, day(1).as_millis()).await, 2);
    assert_eq!(partitions(&bench).await, all[2..]);
    assert_eq!(all_ids(&*bench.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_partition_that_another_node_dropped_is_made_again() {
    let Some(bench) = Bench::postgres().await else { return };
    let mut journal = Journal::open(&*bench.storage, "j").await;
    let call = targets(&bench)[0].call(NOON);
    journal.moves(&*bench.storage, std::slice::from_ref(&call)).await;
    let other = bench.open_again(&bench.keys).await.unwrap();
    assert!(!other.forget_calls_before(Timestamp::from_millis(NOON + DAY)).await.unwrap());
    let calls = [call];
    assert_fails!(bench.storage.move_calls(journal.batch(&calls)).await, StorageError::Database(_));
    journal.moves(&*bench.storage, &calls).await;
    assert_eq!(all_ids(&*bench.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_long_reader_keeps_nobody_from_recording_a_new_day() {
    let Some(bench) = Bench::postgres().await else { return };
    let mut journal = Journal::open(&*bench.storage, "j").await;
    let target = targets(&bench)[0];
    journal.moves(&*bench.storage, &[target.call(NOON)]).await;
    let crate::raw::Raw::Postgres(pool) = &bench.raw else { return };
    let mut reader = pool.begin().await.unwrap();
    let read: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM call_blocks").fetch_one(&mut *reader).await.unwrap();
    journal.moves(&*bench.storage, &[target.call(NOON + DAY)]).await;
    assert_eq!((read, all_ids(&*bench.storage).await.len()), (1, 2));
    // Dropping waits for the reader, but not for long.
    let dropped = bench.storage.forget_calls_before(Timestamp::from_millis(NOON + DAY)).await;
    assert_fails!(dropped, StorageError::Unavailable(_));
    reader.rollback().await.unwrap();
    assert!(!bench.storage.forget_calls_before(Timestamp::from_millis(NOON + DAY)).await.unwrap());
    assert_eq!(all_ids(&*bench.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_day_that_another_node_drops_at_the_same_moment_is_forgotten() {
    let Some(bench) = Bench::postgres().await else { return };
    let mut journal = Journal::open(&*bench.storage, "j").await;
    let calls = [0, 1].map(|day| targets(&bench)[0].call(NOON + day * DAY));
    journal.moves(&*bench.storage, &calls).await;
    let crate::raw::Raw::Postgres(pool) = &bench.raw else { return };
    let mut other = pool.begin().await.unwrap();
    sqlx::query("DROP TABLE call_blocks_20261014, call_index_20261014, captured_calls_20261014")
        .execute(&mut *other)
        .await
        .unwrap();
    let other_drops = async {
        // Nobody tells when somebody begins to wait for a lock.
        let waiting = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                       WHERE NOT l.granted AND d.datname = current_database()";
        while bench.raw.int(waiting).await == 0 {}
        other.commit().await.unwrap();
    };
    let forget = bench.storage.forget_calls_before(Timestamp::from_millis(NOON + DAY));
    let (forgotten, ()) = tokio::join!(forget, other_drops);
    forgotten.unwrap();
    assert_eq!(all_ids(&*bench.storage).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_who_reads_a_page_and_who_drops_a_day_wait_for_each_other_in_one_order() {
    let Some(bench) = Bench::postgres().await else { return };
    let mut journal = Journal::open(&*bench.storage, "j").await;
    journal.moves(&*bench.storage, &[targets(&bench)[0].call(NOON)]).await;
    let crate::raw::Raw::Postgres(pool) = &bench.raw else { return };
    let mut page = pool.begin().await.unwrap();
    let count = |table| sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")));
    count("call_index").fetch_one(&mut *page).await.unwrap();
    let reads_on = async {
        let waiting = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
                       WHERE NOT l.granted AND d.datname = current_database()";
        while bench.raw.int(waiting).await == 0 {}
        let read = count("call_blocks").fetch_one(&mut *page).await.unwrap();
        page.rollback().await.unwrap();
        read
    };
    let forget = bench.storage.forget_calls_before(Timestamp::from_millis(NOON + DAY));
    let (forgotten, read) = tokio::join!(forget, reads_on);
    assert_eq!((forgotten.unwrap(), read), (false, 1));
}
