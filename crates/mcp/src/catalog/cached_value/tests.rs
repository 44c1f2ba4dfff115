use std::sync::atomic::AtomicUsize;

use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use super::*;

/// Compiles immediately.
fn compile_now(value: u32, _: Option<Arc<u32>>) -> JoinHandle<Option<u32>> {
    TaskTracker::new().spawn(async move { Some(value) })
}

async fn get(cached_value: &CachedValue<u32>, value: u32) -> Option<u32> {
    cached_value.get(|| async { Ok(Some(value)) }, compile_now).await.unwrap().map(|value| *value)
}

async fn unavailable() -> Result<Option<u32>, CatalogError> {
    Err(CatalogError::TooSlow)
}

#[tokio::test]
async fn a_value_is_read_once_until_it_is_stale() {
    let cached_value = CachedValue::default();
    assert_eq!(get(&cached_value, 1).await, Some(1));
    assert_eq!(get(&cached_value, 2).await, Some(1));
    cached_value.invalidate();
    assert_eq!(cached_value.current(), None);
    assert_eq!(get(&cached_value, 3).await, Some(3));
}

#[tokio::test]
async fn a_load_that_began_before_a_change_is_not_cached_as_current() {
    let cached_value = CachedValue::default();
    let read = || async {
        cached_value.invalidate();
        Ok(Some(1))
    };
    assert_eq!(cached_value.get(read, compile_now).await.unwrap().as_deref(), Some(&1));
    assert_eq!(cached_value.current(), None);
    assert_eq!(get(&cached_value, 2).await, Some(2));
}

#[tokio::test(start_paused = true)]
async fn without_a_database_the_last_value_is_used_and_reads_wait_for_the_retry_delay() {
    let cached_value = CachedValue::default();
    assert!(cached_value.get(unavailable, compile_now).await.is_err());
    assert!(
        cached_value.get(|| async { Ok(Some(1)) }, compile_now).await.is_err(),
        "callers within the delay share the failure"
    );
    tokio::time::advance(RETRY_DELAY).await;
    assert_eq!(get(&cached_value, 1).await, Some(1));
    cached_value.invalidate();
    assert_eq!(cached_value.get(unavailable, compile_now).await.unwrap().as_deref(), Some(&1));
    assert_eq!(get(&cached_value, 2).await, Some(1), "the database is not read again during the delay");
    tokio::time::advance(RETRY_DELAY).await;
    assert_eq!(get(&cached_value, 2).await, Some(2));
    cached_value.invalidate();
    let hanging_read = std::future::pending::<Result<Option<u32>, CatalogError>>;
    assert_eq!(
        cached_value.get(hanging_read, compile_now).await.unwrap().as_deref(),
        Some(&2),
        "a read that hangs times out"
    );
}

#[tokio::test(start_paused = true)]
async fn a_change_after_a_failed_read_is_read_at_once() {
    let cached_value = CachedValue::default();
    assert_eq!(get(&cached_value, 1).await, Some(1));
    cached_value.invalidate();
    assert_eq!(cached_value.get(unavailable, compile_now).await.unwrap().as_deref(), Some(&1));
    cached_value.invalidate();
    assert_eq!(get(&cached_value, 2).await, Some(2), "the database has committed a change");
}

#[tokio::test(start_paused = true)]
async fn a_read_continues_after_a_time_in_which_the_process_did_not_run() {
    let (cached_value, response) = (CachedValue::default(), Notify::new());
    assert_eq!(get(&cached_value, 1).await, Some(1));
    cached_value.invalidate();
    let read = || async {
        response.notified().await;
        Ok(Some(2))
    };
    let suspension = async {
        tokio::time::advance(Duration::from_mins(10)).await;
        // The timers run before the response of the database is noticed.
        tokio::time::sleep(Duration::from_millis(1)).await;
        response.notify_one();
    };
    let (loaded, ()) = tokio::join!(cached_value.get(read, compile_now), suspension);
    assert_eq!(loaded.unwrap().as_deref(), Some(&2));
}

#[tokio::test(start_paused = true)]
async fn a_read_that_failed_during_a_suspension_is_repeated() {
    let (cached_value, reads) = (CachedValue::default(), AtomicUsize::new(0));
    assert_eq!(get(&cached_value, 1).await, Some(1));
    cached_value.invalidate();
    let read = || async {
        if reads.fetch_add(1, Ordering::SeqCst) == 0 {
            // A timeout inside the read passes together with the time in which the process does not run.
            tokio::time::advance(Duration::from_mins(10)).await;
            return Err(CatalogError::TooSlow);
        }
        Ok(Some(2))
    };
    assert_eq!(cached_value.get(read, compile_now).await.unwrap().as_deref(), Some(&2));
}

#[tokio::test(start_paused = true)]
async fn a_slow_compiler_delays_a_change_and_never_hides_it() {
    let (cached_value, compile_count) = (CachedValue::default(), AtomicUsize::new(0));
    assert_eq!(get(&cached_value, 1).await, Some(1));
    cached_value.invalidate();
    let compile_slowly = |value: u32, last: Option<Arc<u32>>| {
        compile_count.fetch_add(1, Ordering::Relaxed);
        assert_eq!(last.as_deref(), Some(&1));
        TaskTracker::new().spawn(async move {
            tokio::time::sleep(Duration::from_mins(1)).await;
            Some(value)
        })
    };
    let load = || cached_value.get(|| async { Ok(Some(2)) }, compile_slowly);
    // The first caller is cancelled; the next one continues its load.
    assert!(tokio::time::timeout(Duration::from_secs(30), load()).await.is_err());
    assert_eq!(load().await.unwrap().as_deref(), Some(&2));
    assert_eq!(compile_count.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_change_while_compiling_is_seen_by_later_callers() {
    let (cached_value, release) = (CachedValue::default(), Arc::new(Notify::new()));
    let compile_on_release = |value: u32, _: Option<Arc<u32>>| {
        let release = Arc::clone(&release);
        TaskTracker::new().spawn(async move {
            release.notified().await;
            Some(value)
        })
    };
    let early_get = cached_value.get(|| async { Ok(Some(1)) }, compile_on_release);
    let late_get = async {
        tokio::task::yield_now().await;
        cached_value.invalidate();
        release.notify_one();
        get(&cached_value, 2).await
    };
    let (early, late) = tokio::join!(early_get, late_get);
    assert_eq!((early.unwrap().as_deref(), late), (Some(&1), Some(2)));
}

#[tokio::test(start_paused = true)]
async fn an_old_value_is_refreshed_while_it_is_used() {
    let cached_value = CachedValue::default();
    assert_eq!(get(&cached_value, 1).await, Some(1));
    assert!(!cached_value.claim_refresh());
    tokio::time::advance(REFRESH_INTERVAL + RETRY_DELAY).await;
    assert_eq!(cached_value.current().as_deref(), Some(&1), "the old value stays in use");
    assert!(cached_value.claim_refresh() && !cached_value.claim_refresh(), "only one caller claims the refresh");
    cached_value.refresh(unavailable(), compile_now).await;
    assert_eq!(cached_value.current().as_deref(), Some(&1));
    assert!(!cached_value.claim_refresh(), "a failed refresh waits for the next interval");
    tokio::time::advance(REFRESH_INTERVAL + RETRY_DELAY).await;
    assert!(cached_value.claim_refresh());
    cached_value.refresh(async { Ok(Some(2)) }, compile_now).await;
    assert_eq!(cached_value.current().as_deref(), Some(&2));
    cached_value.invalidate();
    tokio::time::advance(REFRESH_INTERVAL + RETRY_DELAY).await;
    cached_value.refresh(unavailable(), compile_now).await;
    assert_eq!(cached_value.current(), None, "a stale value stays stale");
}
