use std::sync::atomic::AtomicUsize;

use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use super::*;

/// Compiles at once.
fn at_once(value: u32, _: Option<Arc<u32>>) -> JoinHandle<Option<u32>> {
    TaskTracker::new().spawn(async move { Some(value) })
}

async fn get(fresh: &Fresh<u32>, value: u32) -> Option<u32> {
    fresh.get(|| async { Ok(Some(value)) }, at_once).await.unwrap().map(|value| *value)
}

async fn away() -> Result<Option<u32>, CatalogError> {
    Err(CatalogError::TooSlow)
}

#[tokio::test]
async fn a_value_is_read_once_until_it_is_stale() {
    let fresh = Fresh::default();
    assert_eq!(get(&fresh, 1).await, Some(1));
    assert_eq!(get(&fresh, 2).await, Some(1));
    fresh.make_stale();
    assert_eq!(fresh.current(), None);
    assert_eq!(get(&fresh, 3).await, Some(3));
}

#[tokio::test]
async fn a_load_that_began_before_a_change_is_not_kept() {
    let fresh = Fresh::default();
    let read = || async {
        fresh.make_stale();
        Ok(Some(1))
    };
    assert_eq!(fresh.get(read, at_once).await.unwrap().as_deref(), Some(&1));
    assert_eq!(fresh.current(), None);
    assert_eq!(get(&fresh, 2).await, Some(2));
}

#[tokio::test(start_paused = true)]
async fn while_the_database_is_away_the_last_value_stays_and_reads_are_spaced() {
    let fresh = Fresh::default();
    assert!(fresh.get(away, at_once).await.is_err());
    assert!(fresh.get(|| async { Ok(Some(1)) }, at_once).await.is_err(), "those who waited share the failure");
    tokio::time::advance(PAUSE).await;
    assert_eq!(get(&fresh, 1).await, Some(1));
    fresh.make_stale();
    assert_eq!(fresh.get(away, at_once).await.unwrap().as_deref(), Some(&1));
    assert_eq!(get(&fresh, 2).await, Some(1), "not asked again at once");
    tokio::time::advance(PAUSE).await;
    assert_eq!(get(&fresh, 2).await, Some(2));
    fresh.make_stale();
    let never = std::future::pending::<Result<Option<u32>, CatalogError>>;
    assert_eq!(fresh.get(never, at_once).await.unwrap().as_deref(), Some(&2), "nobody waits for ever");
}

#[tokio::test(start_paused = true)]
async fn a_slow_compiler_delays_a_change_and_never_hides_it() {
    let (fresh, compiled) = (Fresh::default(), AtomicUsize::new(0));
    assert_eq!(get(&fresh, 1).await, Some(1));
    fresh.make_stale();
    let slowly = |value: u32, last: Option<Arc<u32>>| {
        compiled.fetch_add(1, Ordering::Relaxed);
        assert_eq!(last.as_deref(), Some(&1));
        TaskTracker::new().spawn(async move {
            tokio::time::sleep(Duration::from_mins(1)).await;
            Some(value)
        })
    };
    let ask = || fresh.get(|| async { Ok(Some(2)) }, slowly);
    // One gives up, and what it began is taken up by the next.
    assert!(tokio::time::timeout(Duration::from_secs(30), ask()).await.is_err());
    assert_eq!(ask().await.unwrap().as_deref(), Some(&2));
    assert_eq!(compiled.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_change_while_compiling_is_seen_by_those_who_ask_after_it() {
    let (fresh, release) = (Fresh::default(), Arc::new(Notify::new()));
    let held = |value: u32, _: Option<Arc<u32>>| {
        let release = Arc::clone(&release);
        TaskTracker::new().spawn(async move {
            release.notified().await;
            Some(value)
        })
    };
    let before = fresh.get(|| async { Ok(Some(1)) }, held);
    let after = async {
        tokio::task::yield_now().await;
        fresh.make_stale();
        release.notify_one();
        get(&fresh, 2).await
    };
    let (before, after) = tokio::join!(before, after);
    assert_eq!((before.unwrap().as_deref(), after), (Some(&1), Some(2)));
}

#[tokio::test(start_paused = true)]
async fn an_old_value_is_looked_at_again_beside_its_use() {
    let fresh = Fresh::default();
    assert_eq!(get(&fresh, 1).await, Some(1));
    assert!(!fresh.wants_refresh());
    tokio::time::advance(LIFETIME + PAUSE).await;
    assert_eq!(fresh.current().as_deref(), Some(&1), "it is used meanwhile");
    assert!(fresh.wants_refresh() && !fresh.wants_refresh(), "one is enough");
    fresh.refresh(away(), at_once).await;
    assert_eq!(fresh.current().as_deref(), Some(&1));
    assert!(!fresh.wants_refresh(), "while the database is away, now and then is enough");
    tokio::time::advance(LIFETIME + PAUSE).await;
    assert!(fresh.wants_refresh());
    fresh.refresh(async { Ok(Some(2)) }, at_once).await;
    assert_eq!(fresh.current().as_deref(), Some(&2));
    fresh.make_stale();
    tokio::time::advance(LIFETIME + PAUSE).await;
    fresh.refresh(away(), at_once).await;
    assert_eq!(fresh.current(), None, "what is stale stays stale");
}
