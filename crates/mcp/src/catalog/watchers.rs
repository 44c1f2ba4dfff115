//! Subscribers to changes of servers. They are stored separately from the snapshots, so that evicting a snapshot does
//! not affect them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// The most subscribers of one server.
const SUBSCRIBERS_MAX: usize = 512;
/// Entries without subscribers are removed each time the map has grown by this many.
const SWEEP_INTERVAL: usize = 64;

/// Change senders by public id of the server.
#[derive(Default)]
pub(crate) struct Watchers(Mutex<HashMap<Arc<str>, watch::Sender<()>>>);

impl Watchers {
    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Subscribes to a server; `None` if it has too many subscribers.
    pub(crate) fn watch(&self, public_id: &str) -> Option<watch::Receiver<()>> {
        let mut senders = self.lock();
        if !senders.contains_key(public_id) && senders.len() % SWEEP_INTERVAL == SWEEP_INTERVAL - 1 {
            senders.retain(|_, sender| sender.receiver_count() > 0);
        }
        let sender = senders.entry(public_id.into()).or_default();
        (sender.receiver_count() < SUBSCRIBERS_MAX).then(|| sender.subscribe())
    }

    /// Notifies the subscribers of one server.
    pub(super) fn notify(&self, public_id: &str) {
        if let Some(sender) = self.lock().get(public_id) {
            sender.send_replace(());
        }
    }

    /// Notifies all subscribers.
    pub(super) fn notify_all(&self) {
        for sender in self.lock().values() {
            sender.send_replace(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_subscribers_of_the_server_are_notified_and_their_number_is_limited() {
        let watchers = Watchers::default();
        let (mut a, b) = (watchers.watch("a").unwrap(), watchers.watch("b").unwrap());
        watchers.notify("a");
        a.changed().await.unwrap();
        assert!(!b.has_changed().unwrap());
        let receivers: Vec<_> = std::iter::from_fn(|| watchers.watch("b")).collect();
        assert_eq!(receivers.len(), SUBSCRIBERS_MAX - 1);
        drop(receivers);
        assert!(watchers.watch("b").is_some());
    }

    #[test]
    fn servers_without_subscribers_are_removed() {
        let watchers = Watchers::default();
        for server in 0..10 * SWEEP_INTERVAL {
            assert!(watchers.watch(&server.to_string()).is_some());
        }
        assert!(watchers.lock().len() <= SWEEP_INTERVAL);
    }
}
