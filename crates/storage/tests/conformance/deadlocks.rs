//! Every kind of write runs concurrently against few users and servers on PostgreSQL: no two writes may deadlock. The
//! order of locks that guarantees it is documented in `src/sql/locks.rs`.

mod operations;
mod sign_in;
mod slots;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::error::DatabaseError;
use tokio::task::JoinSet;
use toolgate_storage::{SqlStorage, Storage as _, StorageError};
use toolgate_testkit::volume;

use crate::counters::wrong_counters;
use crate::fixture::StorageFixture;
use crate::raw::RawDatabase;
use crate::seeded_rng::SeededRng;
use operations::{OPERATIONS, Workload};

const WORKERS: u64 = 24;
/// Workers that run one after the other until every kind of write has succeeded.
const EXTRA_WORKERS_MAX: u64 = 100;
/// The run takes a few seconds; a cycle that PostgreSQL cannot see would hang it.
const RUN_TIMEOUT: Duration = Duration::from_mins(2);
/// PostgreSQL looks for a deadlock after one second, and a session reports its statistics at most once a second.
const STATISTICS_TIMEOUT: Duration = Duration::from_mins(1);
const DEADLOCK_DETECTED: &str = "40P01";

fn steps_per_worker() -> usize {
    volume::full_or_sample(100, 50)
}

fn is_deadlock(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(DatabaseError::code).as_deref() == Some(DEADLOCK_DETECTED)
}

/// Whether concurrent writes to the same objects may cause this error. A deadlock is never expected.
fn is_expected(error: &StorageError) -> bool {
    use StorageError::{Exists, InUse, NotFound, Outdated, Rejected};
    matches!(error, NotFound(_) | Exists { .. } | InUse(_) | Rejected(_) | Outdated)
}

/// Number of deadlocks that PostgreSQL has counted in this database, which includes those that a caller retried.
async fn deadlock_count(raw: &RawDatabase) -> i64 {
    raw.int("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").await
}

/// Runs random operations of these kinds. Returns how often each kind succeeded.
async fn run_worker(
    workload: Arc<Workload>,
    storage: Arc<SqlStorage>,
    seed: u64,
    kinds: Vec<&'static str>,
) -> BTreeMap<&'static str, usize> {
    let mut rng = SeededRng::new(seed);
    let mut journal = Workload::open_journal(&storage, seed).await;
    let mut succeeded = BTreeMap::new();
    for step in 0..steps_per_worker() {
        let kind = *rng.pick(&kinds);
        match workload.run(kind, &storage, &mut journal, &mut rng).await {
            Ok(()) => *succeeded.entry(kind).or_default() += 1,
            Err(error) => assert!(is_expected(&error), "worker {seed}, step {step}, {kind}: {error:?}"),
        }
    }
    succeeded
}

/// The kinds of writes that have not succeeded.
fn missing_kinds(succeeded: &BTreeMap<&'static str, usize>) -> Vec<&'static str> {
    OPERATIONS.into_iter().filter(|kind| !succeeded.contains_key(kind)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_writes_of_every_kind_never_deadlock() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    // Two storages, like those of two nodes, have more connections and share no state in memory.
    let other_node = Arc::new(fixture.open_again(&fixture.keys).await.unwrap());
    let workload = Arc::new(Workload::new(&fixture).await);
    let mut workers = JoinSet::new();
    for seed in 0..WORKERS {
        let storage = if seed % 2 == 0 { &fixture.storage } else { &other_node };
        workers.spawn(run_worker(Arc::clone(&workload), Arc::clone(storage), seed, OPERATIONS.to_vec()));
    }
    let results = tokio::time::timeout(RUN_TIMEOUT, workers.join_all()).await.expect("the writes hang");
    let mut succeeded: BTreeMap<&str, usize> = results.into_iter().flatten().collect();
    // Some kinds need objects that few writes leave behind, so that chance decides whether all of them have succeeded.
    for seed in WORKERS..WORKERS + EXTRA_WORKERS_MAX {
        let missing = missing_kinds(&succeeded);
        if missing.is_empty() {
            break;
        }
        // Every second write is of a kind that is missing; the others leave the objects that it needs behind.
        let kinds = OPERATIONS.into_iter().chain(missing.into_iter().cycle().take(OPERATIONS.len())).collect();
        let worker = run_worker(Arc::clone(&workload), Arc::clone(&fixture.storage), seed, kinds);
        succeeded.extend(tokio::time::timeout(RUN_TIMEOUT, worker).await.expect("the writes hang"));
    }
    assert_eq!(missing_kinds(&succeeded), [""; 0], "never succeeded; {succeeded:?} did");
    assert_eq!(wrong_counters(&fixture).await, [""; 0]);
    // Closed sessions have reported their statistics.
    other_node.close().await;
    fixture.storage.close().await;
    assert_eq!(deadlock_count(&fixture.raw).await, 0);
}

/// Proves that both checks of the test above detect a deadlock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_deadlock_is_detected_by_its_code_and_by_the_statistics() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let RawDatabase::Postgres(pool) = &fixture.raw else { return };
    let locks = [fixture.alice, fixture.bob].map(|user| format!("SELECT id FROM users WHERE id = {user} FOR UPDATE"));
    let (mut one, mut two) = (pool.begin().await.unwrap(), pool.begin().await.unwrap());
    let lock = |sql: &String| sqlx::query(sqlx::AssertSqlSafe(sql.clone()));
    lock(&locks[0]).execute(&mut *one).await.unwrap();
    lock(&locks[1]).execute(&mut *two).await.unwrap();
    let results = tokio::join!(lock(&locks[1]).execute(&mut *one), lock(&locks[0]).execute(&mut *two));
    let errors: Vec<_> = [results.0, results.1].into_iter().filter_map(Result::err).collect();
    let [error] = errors.try_into().unwrap();
    assert!(is_deadlock(&error), "{error:?}");
    assert!(!is_expected(&StorageError::from(error)));
    drop((one, two));
    let started = Instant::now();
    while deadlock_count(&fixture.raw).await == 0 {
        assert!(started.elapsed() < STATISTICS_TIMEOUT, "the deadlock is not counted");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
