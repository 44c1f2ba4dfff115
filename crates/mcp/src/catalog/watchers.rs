//! Who is to be told that a server may have changed. Apart from the snapshots: those may be dropped to make room, and
//! nobody who listens should notice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Most listeners of one server.
const LISTENERS_MAX: usize = 512;
/// Entries that nobody listens to any more are looked for whenever there are this many more.
const SWEEP: usize = 64;

/// Listeners by public id of the server.
#[derive(Default)]
pub(super) struct Watchers(Mutex<HashMap<Arc<str>, watch::Sender<()>>>);

impl Watchers {
    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens; `None` when too many do already.
    pub(super) fn watch(&self, public_id: &str) -> Option<watch::Receiver<()>> {
        let mut all = self.lock();
        if !all.contains_key(public_id) && all.len() % SWEEP == SWEEP - 1 {
            all.retain(|_, listeners| listeners.receiver_count() > 0);
        }
        let listeners = all.entry(public_id.into()).or_default();
        (listeners.receiver_count() < LISTENERS_MAX).then(|| listeners.subscribe())
    }

    /// Tells those of one server.
    pub(super) fn tell(&self, public_id: &str) {
        if let Some(listeners) = self.lock().get(public_id) {
            listeners.send_replace(());
        }
    }

    /// Tells all.
    pub(super) fn tell_all(&self) {
        for listeners in self.lock().values() {
            listeners.send_replace(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn those_of_one_server_are_told_and_too_many_are_refused() {
        let watchers = Watchers::default();
        let (mut a, b) = (watchers.watch("a").unwrap(), watchers.watch("b").unwrap());
        watchers.tell("a");
        a.changed().await.unwrap();
        assert!(!b.has_changed().unwrap());
        let many: Vec<_> = std::iter::from_fn(|| watchers.watch("b")).collect();
        assert_eq!(many.len(), LISTENERS_MAX - 1);
        drop(many);
        assert!(watchers.watch("b").is_some());
    }

    #[test]
    fn servers_that_nobody_listens_to_are_forgotten() {
        let watchers = Watchers::default();
        for server in 0..10 * SWEEP {
            assert!(watchers.watch(&server.to_string()).is_some());
        }
        assert!(watchers.lock().len() <= SWEEP);
    }
}
