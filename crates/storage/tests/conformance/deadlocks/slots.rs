//! The ids that the operations of the deadlock test pick from.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolgate_storage::{Result, StorageError};

use crate::seeded_rng::SeededRng;

/// Workers pick from a window of two ids, which moves on after this number of picks. The window is small because
/// workers that rarely use the same objects do not deadlock.
const PICKS_PER_WINDOW: usize = 64;

/// Ids of objects that exist, or existed a moment ago. At the start, some slots hold only the id 0, which is never
/// found.
pub(super) struct Slots<T> {
    ids: Mutex<Vec<T>>,
    capacity: usize,
    picks: AtomicUsize,
}

impl<T: Copy + PartialEq> Slots<T> {
    pub(super) fn new(capacity: usize, ids: &[T]) -> Self {
        Self { ids: Mutex::new(ids.to_vec()), capacity, picks: AtomicUsize::new(0) }
    }

    pub(super) fn pick(&self, rng: &mut SeededRng) -> T {
        let window = self.picks.fetch_add(1, Ordering::Relaxed) / PICKS_PER_WINDOW;
        let ids = self.ids.lock().unwrap();
        ids[(window * 2 + rng.below(2)) % ids.len()]
    }

    /// Removes the id of a deleted object. The last id stays, so that there is always one to pick.
    pub(super) fn remove(&self, id: T) {
        let mut ids = self.ids.lock().unwrap();
        if let Some(index) = ids.iter().position(|other| *other == id).filter(|_| ids.len() > 1) {
            ids.swap_remove(index);
        }
    }

    /// Returns the `result` of an operation on the object `id`, and removes the id if the object was not found.
    pub(super) fn remove_if_missing<R>(&self, id: T, result: Result<R>) -> Result<R> {
        if matches!(result, Err(StorageError::NotFound(_))) {
            self.remove(id);
        }
        result
    }

    /// Adds an id, or replaces a random one if all slots are in use.
    pub(super) fn put(&self, rng: &mut SeededRng, id: T) {
        let mut ids = self.ids.lock().unwrap();
        if ids.len() < self.capacity {
            ids.push(id);
        } else {
            let index = rng.below(ids.len());
            ids[index] = id;
        }
    }
}
