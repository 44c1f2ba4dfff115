//! A value that is read once and kept until it is said to be stale. A number that grows with every change tells a load
//! that began before a change from one that began after it: the first is used once, and never kept.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::CatalogError;

/// How long the database may take while there is an old value.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long it may take the first time.
const FIRST_PATIENCE: Duration = Duration::from_secs(10);
/// After this time a value is looked at again beside its use, should a change not have been heard of.
const LIFETIME: Duration = Duration::from_secs(30);
/// How long nobody tries again after a failed read: those who wait share its outcome.
const PAUSE: Duration = Duration::from_secs(1);

/// See the module.
pub(crate) struct Fresh<T> {
    generation: AtomicU64,
    kept: ArcSwapOption<Kept<T>>,
    /// One load at a time.
    loading: Mutex<Loading<T>>,
    weight: AtomicU32,
    is_refreshing: AtomicBool,
}

struct Kept<T> {
    generation: u64,
    value: Arc<T>,
    /// When it was read.
    at: Instant,
}

/// How far a load has come. Whoever waits for it may go away: the next one takes it up.
struct Loading<T> {
    /// After a failed read, when to try again.
    not_before: Option<Instant>,
    /// What was read, on its way to a value, and how new it is.
    compiling: Option<(u64, JoinHandle<Option<T>>)>,
}

impl<T> Default for Fresh<T> {
    fn default() -> Self {
        Self {
            generation: AtomicU64::new(0),
            kept: ArcSwapOption::empty(),
            loading: Mutex::new(Loading { not_before: None, compiling: None }),
            weight: AtomicU32::new(1),
            is_refreshing: AtomicBool::new(false),
        }
    }
}

impl<T> Fresh<T> {
    /// The value, unless it is stale.
    pub(super) fn current(&self) -> Option<Arc<T>> {
        let kept = self.kept.load();
        let kept = kept.as_ref()?;
        (kept.generation == self.generation.load(Ordering::Acquire)).then(|| Arc::clone(&kept.value))
    }

    /// From now on the value is read again.
    pub(super) fn make_stale(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn weight(&self) -> u32 {
        self.weight.load(Ordering::Relaxed)
    }

    /// Sets the weight; whether it is another than before.
    pub(super) fn set_weight(&self, weight: u32) -> bool {
        self.weight.swap(weight, Ordering::Relaxed) != weight
    }

    /// The value, read and compiled where it is missing or stale. While the database is away, the last one; but never
    /// because compiling takes long: whoever asks after a change sees it, however late.
    pub(super) async fn get<R, F, Fut>(
        &self,
        read: F,
        compile: impl Fn(R, Option<Arc<T>>) -> JoinHandle<Option<T>>,
    ) -> Result<Option<Arc<T>>, CatalogError>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<Option<R>, CatalogError>>,
    {
        let asked = self.generation.load(Ordering::Acquire);
        let mut loading = self.loading.lock().await;
        loop {
            if let Some(value) = self.at_least(asked) {
                return Ok(Some(value));
            }
            if loading.compiling.is_some() {
                self.finish(&mut loading).await?;
                continue;
            }
            let last = self.kept.load().as_ref().map(|kept| Arc::clone(&kept.value));
            if loading.not_before.is_some_and(|at| Instant::now() < at) {
                return last.map(Some).ok_or(CatalogError::TooSlow);
            }
            let generation = self.generation.load(Ordering::Acquire);
            let patience = if last.is_some() { PATIENCE } else { FIRST_PATIENCE };
            let found = tokio::time::timeout(patience, read()).await.unwrap_or(Err(CatalogError::TooSlow));
            loading.not_before = found.is_err().then(|| Instant::now() + PAUSE);
            match (found, last) {
                (Ok(None), _) => return Ok(self.keep(generation, None)),
                (Ok(Some(row)), last) => loading.compiling = Some((generation, compile(row, last))),
                (Err(error), None) => return Err(error),
                (Err(error), Some(last)) => {
                    tracing::warn!(%error, "the last known state is used until the database is back");
                    return Ok(Some(last));
                }
            }
        }
    }

    /// Whether the value should be looked at again, and nobody does yet. Whoever is told so calls [`Self::refresh`].
    pub(super) fn wants_refresh(&self) -> bool {
        let is_old = self.kept.load().as_ref().is_some_and(|kept| kept.at.elapsed() > LIFETIME);
        is_old && !self.is_refreshing.swap(true, Ordering::AcqRel)
    }

    /// Reads the value again while the one at hand is used.
    pub(super) async fn refresh<R>(
        &self,
        read: impl Future<Output = Result<Option<R>, CatalogError>>,
        compile: impl Fn(R, Option<Arc<T>>) -> JoinHandle<Option<T>>,
    ) {
        let mut loading = self.loading.lock().await;
        let generation = self.generation.load(Ordering::Acquire);
        let kept = self.kept.load_full();
        match (tokio::time::timeout(PATIENCE, read).await, kept) {
            (Ok(Ok(Some(row))), kept) if loading.compiling.is_none() => {
                loading.compiling = Some((generation, compile(row, kept.map(|kept| Arc::clone(&kept.value)))));
                let _ = self.finish(&mut loading).await;
            }
            (Ok(Ok(None)), _) => drop(self.keep(generation, None)),
            // The database is away: next time, then. It is no newer for that.
            (_, Some(kept)) => {
                let (generation, value) = (kept.generation, Arc::clone(&kept.value));
                self.kept.store(Some(Arc::new(Kept { generation, value, at: Instant::now() })));
            }
            (_, None) => {}
        }
        self.is_refreshing.store(false, Ordering::Release);
    }

    /// The value, where it is as new as that.
    fn at_least(&self, generation: u64) -> Option<Arc<T>> {
        let kept = self.kept.load();
        kept.as_ref().filter(|kept| kept.generation >= generation).map(|kept| Arc::clone(&kept.value))
    }

    /// Waits for what is being compiled, and keeps it.
    async fn finish(&self, loading: &mut Loading<T>) -> Result<(), CatalogError> {
        let Some((generation, compiling)) = &mut loading.compiling else { return Ok(()) };
        let compiled = compiling.await.ok().flatten();
        let generation = *generation;
        loading.compiling = None;
        if compiled.is_none() {
            loading.not_before = Some(Instant::now() + PAUSE);
            return Err(CatalogError::Compile);
        }
        self.keep(generation, compiled);
        Ok(())
    }

    fn keep(&self, generation: u64, value: Option<T>) -> Option<Arc<T>> {
        let value = value.map(Arc::new);
        let at = Instant::now();
        self.kept.store(value.as_ref().map(|value| Arc::new(Kept { generation, value: Arc::clone(value), at })));
        value
    }
}

#[cfg(test)]
mod tests;
