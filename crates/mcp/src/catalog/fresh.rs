//! A value that is read once and kept until it is said to be stale. A number that grows with every change tells a load
//! that began before a change from one that began after it: the first is used once, and never kept.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::CatalogError;

/// How long a reader waits for the new value while there is an old one.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the first reader waits.
const FIRST_PATIENCE: Duration = Duration::from_secs(10);
/// How long nobody tries again after a failed load: those who wait share its outcome.
const PAUSE: Duration = Duration::from_secs(1);

/// See the module.
pub(crate) struct Fresh<T> {
    generation: AtomicU64,
    kept: ArcSwapOption<Kept<T>>,
    /// One load at a time; after a failed one, when to try again.
    loading: Mutex<Option<Instant>>,
    weight: AtomicU32,
}

struct Kept<T> {
    generation: u64,
    value: Arc<T>,
}

impl<T> Default for Fresh<T> {
    fn default() -> Self {
        Self {
            generation: AtomicU64::new(0),
            kept: ArcSwapOption::empty(),
            loading: Mutex::default(),
            weight: AtomicU32::new(1),
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

    /// The value, read where it is missing or stale. While the database is away, the last one.
    pub(super) async fn get<F, Fut>(&self, load: F) -> Result<Option<Arc<T>>, CatalogError>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<Option<T>, CatalogError>>,
    {
        let mut not_before = self.loading.lock().await;
        if let Some(value) = self.current() {
            return Ok(Some(value));
        }
        let last = self.kept.load().as_ref().map(|kept| Arc::clone(&kept.value));
        if not_before.is_some_and(|at| Instant::now() < at) {
            return last.map(Some).ok_or(CatalogError::TooSlow);
        }
        let generation = self.generation.load(Ordering::Acquire);
        let patience = if last.is_some() { PATIENCE } else { FIRST_PATIENCE };
        let loaded = tokio::time::timeout(patience, load()).await.unwrap_or(Err(CatalogError::TooSlow));
        *not_before = loaded.is_err().then(|| Instant::now() + PAUSE);
        match (loaded, last) {
            (Ok(value), _) => Ok(self.keep(generation, value)),
            (Err(error), None) => Err(error),
            (Err(error), Some(last)) => {
                tracing::warn!(%error, "the last known state is used until the database is back");
                Ok(Some(last))
            }
        }
    }

    fn keep(&self, generation: u64, value: Option<T>) -> Option<Arc<T>> {
        let value = value.map(Arc::new);
        self.kept.store(value.as_ref().map(|value| Arc::new(Kept { generation, value: Arc::clone(value) })));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(fresh: &Fresh<u32>, value: u32) -> Option<u32> {
        fresh.get(|| async { Ok(Some(value)) }).await.unwrap().map(|value| *value)
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
        let loaded = fresh.get(|| async {
            fresh.make_stale();
            Ok(Some(1))
        });
        assert_eq!(loaded.await.unwrap().as_deref(), Some(&1));
        assert_eq!(fresh.current(), None);
        assert_eq!(get(&fresh, 2).await, Some(2));
    }

    #[tokio::test(start_paused = true)]
    async fn while_the_database_is_away_the_last_value_stays_and_loads_are_spaced() {
        let fresh = Fresh::default();
        assert!(fresh.get(|| async { Err(CatalogError::TooSlow) }).await.is_err());
        assert!(fresh.get(|| async { Ok(Some(1)) }).await.is_err(), "those who waited share the failure");
        tokio::time::advance(PAUSE).await;
        assert_eq!(get(&fresh, 1).await, Some(1));
        fresh.make_stale();
        let away = || async { Err(CatalogError::TooSlow) };
        assert_eq!(fresh.get(away).await.unwrap().as_deref(), Some(&1));
        assert_eq!(get(&fresh, 2).await, Some(1), "not asked again at once");
        tokio::time::advance(PAUSE).await;
        assert_eq!(get(&fresh, 2).await, Some(2));
        fresh.make_stale();
        assert_eq!(fresh.get(std::future::pending).await.unwrap().as_deref(), Some(&2), "nobody waits for ever");
    }
}
