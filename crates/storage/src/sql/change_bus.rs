//! The change bus: the listeners of this process, the notifications for other nodes, and the tasks that must finish
//! before storage closes. A caller can be cancelled at any time, but a commit that has begun must still publish its
//! changes.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::notification::{self, NotificationId};
use super::recent_notifications::RecentNotifications;
use crate::changes::{ChangeEvent, ChangeListener, ChangeRelay, DeliveryCounts, NotificationCounts};
use crate::error::Result;
use crate::sealing::SealError;

/// Publishes the changes of one storage; shared by its transactions and watchers.
pub(super) struct ChangeBus {
    /// Random id of this storage in its notifications: each channel also delivers a notification to its sender.
    sender: u128,
    next_number: AtomicU64,
    /// The second channel to other nodes.
    relay: OnceLock<Arc<dyn ChangeRelay>>,
    recent: Mutex<RecentNotifications>,
    from_database: DeliveryCounters,
    from_relay: DeliveryCounters,
    listeners: RwLock<Vec<Arc<dyn ChangeListener>>>,
    /// Commits and watchers; closing waits for them.
    pub(super) tasks: TaskTracker,
    /// Stops the watchers.
    pub(super) stopping: CancellationToken,
}

impl ChangeBus {
    pub(super) fn new() -> Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(SealError::Random)?;
        Ok(Self {
            sender: u128::from_be_bytes(random),
            next_number: AtomicU64::new(0),
            relay: OnceLock::new(),
            recent: Mutex::default(),
            from_database: DeliveryCounters::default(),
            from_relay: DeliveryCounters::default(),
            listeners: RwLock::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        })
    }

    /// Adds a listener. Returns whether it is the first.
    pub(super) fn add(&self, listener: Arc<dyn ChangeListener>) -> bool {
        let mut listeners = self.listeners.write().unwrap_or_else(PoisonError::into_inner);
        listeners.push(listener);
        listeners.len() == 1
    }

    pub(super) fn publish(&self, change: &ChangeEvent) {
        // The lock is released first: a listener may itself add a listener.
        let listeners = self.listeners.read().unwrap_or_else(PoisonError::into_inner).clone();
        for listener in listeners {
            listener.changed(change);
        }
    }

    /// A new notification of this change for other nodes. Each notification gets a new number, so that a second change
    /// of the same object is not mistaken for a second delivery of the first change.
    pub(super) fn new_notification(&self, change: &ChangeEvent) -> String {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        notification::encode(NotificationId { sender: self.sender, number }, change)
    }

    /// Sets the second channel to other nodes, once.
    pub(super) fn set_relay(&self, relay: Arc<dyn ChangeRelay>) {
        let _ = self.relay.set(relay);
    }

    /// Sends notifications through the second channel, if there is one.
    pub(super) fn relay(&self, notifications: Vec<String>) {
        if let Some(relay) = self.relay.get() {
            for notification in notifications {
                relay.send(notification);
            }
        }
    }

    /// Publishes the change of a notification that the database delivered.
    pub(super) fn receive(&self, text: &str) {
        let (id, change) = notification::parse_any_version(text);
        self.publish_received(id, &change, &self.from_database);
    }

    /// Publishes the change of a notification that the relay delivered. Unknown notifications are ignored: the database
    /// delivers them too, and [`Self::receive`] treats one of a newer version as a change of everything.
    pub(super) fn receive_relayed(&self, text: &str) {
        if let Some((id, change)) = notification::parse(text) {
            self.publish_received(Some(id), &change, &self.from_relay);
        }
    }

    /// Publishes a change, unless this storage has published it before.
    fn publish_received(&self, id: Option<NotificationId>, change: &ChangeEvent, counters: &DeliveryCounters) {
        if id.is_some_and(|id| id.sender == self.sender) {
            // It confirms a commit whose response may have been lost. Others are published in that case, too.
            if matches!(change, ChangeEvent::GrantEnded(_)) {
                self.publish(change);
            }
            return;
        }
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if id.is_none_or(|id| recent().insert(id)) {
            counters.applied.fetch_add(1, Ordering::Relaxed);
            self.publish(change);
        } else {
            counters.duplicates.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn counts(&self) -> NotificationCounts {
        NotificationCounts { database: self.from_database.counts(), relay: self.from_relay.counts() }
    }

    /// Waits until the last commit has published its changes and the watchers have stopped.
    pub(super) async fn close(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Notifications of other nodes that one channel delivered.
#[derive(Default)]
struct DeliveryCounters {
    applied: AtomicU64,
    duplicates: AtomicU64,
}

impl DeliveryCounters {
    fn counts(&self) -> DeliveryCounts {
        DeliveryCounts {
            applied: self.applied.load(Ordering::Relaxed),
            duplicates: self.duplicates.load(Ordering::Relaxed),
        }
    }
}

impl fmt::Debug for ChangeBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeBus").field("sender", &self.sender).finish_non_exhaustive()
    }
}

/// A listener that records the changes it gets.
#[cfg(test)]
#[derive(Default)]
pub(super) struct RecordingListener(std::sync::Mutex<Vec<ChangeEvent>>);

#[cfg(test)]
impl RecordingListener {
    /// The changes since the last call.
    pub(super) fn take(&self) -> Vec<ChangeEvent> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[cfg(test)]
impl ChangeListener for RecordingListener {
    fn changed(&self, change: &ChangeEvent) {
        self.0.lock().unwrap().push(change.clone());
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::{GrantId, PublicId, UserId};
    use toolgate_domain::oauth::grant::EndedGrant;
    use toolgate_domain::time::Timestamp;

    use super::*;

    fn bus() -> (ChangeBus, Arc<RecordingListener>) {
        let (bus, listener) = (ChangeBus::new().unwrap(), Arc::new(RecordingListener::default()));
        bus.add(Arc::<RecordingListener>::clone(&listener));
        (bus, listener)
    }

    #[test]
    fn a_change_that_two_channels_deliver_is_published_once() {
        let ((here, changes), there) = (bus(), ChangeBus::new().unwrap());
        let change = ChangeEvent::Server(PublicId::from_random([7; 16]));
        let [first, second] = [(), ()].map(|()| there.new_notification(&change));
        here.receive_relayed(&first);
        here.receive(&first);
        here.receive(&second);
        here.receive_relayed(&second);
        assert_eq!(changes.take(), [change.clone(), change], "two changes of one object are two changes");
        let each = DeliveryCounts { applied: 1, duplicates: 1 };
        assert_eq!(here.counts(), NotificationCounts { database: each, relay: each });
    }

    #[test]
    fn own_notifications_are_ignored_on_both_channels() {
        let (here, changes) = bus();
        let own = here.new_notification(&ChangeEvent::OwnerKeys(UserId(1)));
        here.receive(&own);
        here.receive_relayed(&own);
        assert_eq!(changes.take(), []);
        assert_eq!(here.counts(), NotificationCounts::default());
    }

    #[test]
    fn an_own_notification_confirms_that_a_grant_has_ended() {
        let (here, changes) = bus();
        let ended = ChangeEvent::GrantEnded(EndedGrant { id: GrantId(9), ended_at: Timestamp::from_millis(1) });
        here.receive(&here.new_notification(&ended));
        assert_eq!(changes.take(), [ended]);
        assert_eq!(here.counts(), NotificationCounts::default());
    }

    #[test]
    fn an_unknown_notification_of_the_database_is_a_change_of_everything_and_one_of_the_relay_is_ignored() {
        let ((here, changes), there) = (bus(), ChangeBus::new().unwrap());
        let known = there.new_notification(&ChangeEvent::OwnerKeys(UserId(1)));
        for unknown in ["from the future", &known.replace(" k ", " z "), &format!("{known}\n")] {
            here.receive_relayed(unknown);
            assert_eq!(changes.take(), [], "{unknown:?}");
        }
        here.receive(&known.replace(" k ", " z "));
        here.receive("from the future");
        assert_eq!(changes.take(), [ChangeEvent::Everything, ChangeEvent::Everything]);
    }
}
