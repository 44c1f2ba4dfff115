//! A value that is loaded once and cached until it is invalidated. Each change increments a generation number, so that
//! a value whose load began before a change is not cached as current.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::CatalogError;

/// The read timeout while there is an old value.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(2);
/// The read timeout of the first load.
const FIRST_LOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// A value is reloaded in the background after this time, in case a change notification was lost.
const REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// The delay after a failed read, during which all callers share its result until the next change.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// The number of parts of a read timeout: see [`read_within`].
const TIMEOUT_PARTS: u32 = 4;

/// A cached value with background refresh; see the module.
pub(crate) struct CachedValue<T> {
    generation: AtomicU64,
    loaded: ArcSwapOption<LoadedValue<T>>,
    /// Locked during a load, so that only one runs at a time.
    loading: Mutex<LoadState<T>>,
    weight: AtomicU32,
    is_refreshing: AtomicBool,
}

struct LoadedValue<T> {
    generation: u64,
    value: Arc<T>,
    /// When the value was loaded, or when its last refresh failed.
    loaded_at: Instant,
}

/// The state of a load. If the caller that waits for a compilation is cancelled, the next caller waits for it instead.
struct LoadState<T> {
    /// The last load, if it failed.
    failure: Option<LoadFailure>,
    /// The running compilation and the generation that was read.
    compile_task: Option<(u64, JoinHandle<Option<T>>)>,
}

struct LoadFailure {
    generation: u64,
    /// The earliest time of the next read of this generation. A newer one is read at once: if its change was committed,
    /// the database responds again.
    retry_at: Instant,
}

impl LoadFailure {
    fn now(generation: u64) -> Self {
        Self { generation, retry_at: Instant::now() + RETRY_DELAY }
    }
}

impl<T> Default for CachedValue<T> {
    fn default() -> Self {
        Self {
            generation: AtomicU64::new(0),
            loaded: ArcSwapOption::empty(),
            loading: Mutex::new(LoadState { failure: None, compile_task: None }),
            weight: AtomicU32::new(1),
            is_refreshing: AtomicBool::new(false),
        }
    }
}

impl<T> CachedValue<T> {
    /// The value, unless it is stale.
    pub(super) fn current(&self) -> Option<Arc<T>> {
        self.value_at_least(self.generation.load(Ordering::Acquire))
    }

    /// Marks the value as stale.
    pub(super) fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn weight(&self) -> u32 {
        self.weight.load(Ordering::Relaxed)
    }

    /// Sets the weight; returns whether it changed.
    pub(super) fn set_weight(&self, weight: u32) -> bool {
        self.weight.swap(weight, Ordering::Relaxed) != weight
    }

    /// The value, loaded and compiled if it is missing or stale. The last value is returned only if the database does
    /// not respond; during a slow compilation, callers wait for the new value.
    pub(super) async fn get<R, F, Fut>(
        &self,
        read: F,
        compile: impl Fn(R, Option<Arc<T>>) -> JoinHandle<Option<T>>,
    ) -> Result<Option<Arc<T>>, CatalogError>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Option<R>, CatalogError>>,
    {
        let requested = self.generation.load(Ordering::Acquire);
        let mut loading = self.loading.lock().await;
        loop {
            if let Some(value) = self.value_at_least(requested) {
                return Ok(Some(value));
            }
            if loading.compile_task.is_some() {
                self.finish_compiling(&mut loading).await?;
                continue;
            }
            let last = self.value_at_least(0);
            let is_too_early =
                |failure: &LoadFailure| failure.generation >= requested && Instant::now() < failure.retry_at;
            if loading.failure.as_ref().is_some_and(is_too_early) {
                return last.map(Some).ok_or(CatalogError::TooSlow);
            }
            // The generation is loaded before the read, so that a change during the read leaves the value stale.
            let generation = self.generation.load(Ordering::Acquire);
            let limit = if last.is_some() { REFRESH_TIMEOUT } else { FIRST_LOAD_TIMEOUT };
            let row = read_again_after_suspension(limit, &read).await;
            loading.failure = row.is_err().then(|| LoadFailure::now(generation));
            match (row, last) {
                (Ok(None), _) => return Ok(self.store(generation, None)),
                (Ok(Some(row)), last) => loading.compile_task = Some((generation, compile(row, last))),
                (Err(error), None) => return Err(error),
                (Err(error), Some(last)) => {
                    tracing::warn!(%error, "the database does not respond; using the last known state");
                    return Ok(Some(last));
                }
            }
        }
    }

    /// Claims the refresh of a value that is due for it. Returns false if the value is not due or another caller has
    /// claimed it. After true, the caller must call [`Self::refresh`].
    pub(super) fn claim_refresh(&self) -> bool {
        let is_old = self.loaded.load().as_ref().is_some_and(|loaded| loaded.loaded_at.elapsed() > REFRESH_INTERVAL);
        is_old && !self.is_refreshing.swap(true, Ordering::AcqRel)
    }

    /// Reloads the value while the current one stays in use.
    pub(super) async fn refresh<R>(
        &self,
        read: impl Future<Output = Result<Option<R>, CatalogError>>,
        compile: impl Fn(R, Option<Arc<T>>) -> JoinHandle<Option<T>>,
    ) {
        let mut loading = self.loading.lock().await;
        let generation = self.generation.load(Ordering::Acquire);
        let loaded = self.loaded.load_full();
        match (read_within(REFRESH_TIMEOUT, read).await, loaded) {
            (Ok(Some(row)), loaded) if loading.compile_task.is_none() => {
                loading.compile_task = Some((generation, compile(row, loaded.map(|loaded| Arc::clone(&loaded.value)))));
                let _ = self.finish_compiling(&mut loading).await;
            }
            (Ok(None), _) => drop(self.store(generation, None)),
            // The database does not respond, or a compilation runs already: the next refresh is after another interval.
            // The generation stays the same.
            (_, Some(loaded)) => {
                let (generation, value) = (loaded.generation, Arc::clone(&loaded.value));
                self.loaded.store(Some(Arc::new(LoadedValue { generation, value, loaded_at: Instant::now() })));
            }
            (_, None) => {}
        }
        self.is_refreshing.store(false, Ordering::Release);
    }

    /// The value, if it is of this generation or newer.
    fn value_at_least(&self, generation: u64) -> Option<Arc<T>> {
        let loaded = self.loaded.load();
        loaded.as_ref().filter(|loaded| loaded.generation >= generation).map(|loaded| Arc::clone(&loaded.value))
    }

    /// Waits for the running compilation and stores its result.
    async fn finish_compiling(&self, loading: &mut LoadState<T>) -> Result<(), CatalogError> {
        let Some((generation, compile_task)) = &mut loading.compile_task else { return Ok(()) };
        let compiled = compile_task.await.ok().flatten();
        let generation = *generation;
        loading.compile_task = None;
        if compiled.is_none() {
            loading.failure = Some(LoadFailure::now(generation));
            return Err(CatalogError::Compile);
        }
        self.store(generation, compiled);
        Ok(())
    }

    fn store(&self, generation: u64, value: Option<T>) -> Option<Arc<T>> {
        let value = value.map(Arc::new);
        let loaded_at = Instant::now();
        self.loaded.store(
            value.as_ref().map(|value| Arc::new(LoadedValue { generation, value: Arc::clone(value), loaded_at })),
        );
        value
    }
}

/// Reads with a timeout, and once more if the first attempt failed because the process was suspended: the timeouts of
/// the connection to the database have passed as well by then.
async fn read_again_after_suspension<R, Fut: Future<Output = Result<Option<R>, CatalogError>>>(
    limit: Duration,
    read: impl Fn() -> Fut,
) -> Result<Option<R>, CatalogError> {
    let started = Instant::now();
    let row = read_within(limit, read()).await;
    let was_suspended = started.elapsed() > limit + limit / TIMEOUT_PARTS;
    if row.is_err() && was_suspended { read_within(limit, read()).await } else { row }
}

/// Reads with a timeout. The time in which this process does not run, because its machine is suspended or has no CPU
/// for it, counts as one part of the timeout at most: it does not show that the database is away.
async fn read_within<R>(
    limit: Duration,
    read: impl Future<Output = Result<Option<R>, CatalogError>>,
) -> Result<Option<R>, CatalogError> {
    let mut read = pin!(read);
    for _ in 0..TIMEOUT_PARTS {
        if let Ok(row) = timeout(limit / TIMEOUT_PARTS, &mut read).await {
            return row;
        }
    }
    Err(CatalogError::TooSlow)
}

#[cfg(test)]
mod tests;
