//! Notifies long-lived replies that a user's keys changed, so that they revalidate their key.

use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::broadcast::{Receiver, Sender};
use toolgate_domain::ids::UserId;
use toolgate_storage::{ChangeEvent, ChangeListener};

/// Changes buffered for each subscriber. A subscriber that lags further behind assumes that its user's keys changed.
const CHANNEL_CAPACITY: usize = 64;

/// Broadcasts every change to keys.
#[derive(Debug)]
pub(crate) struct KeyChanges(Sender<Option<UserId>>);

/// A subscription to the changes that may affect one user's keys.
#[derive(Debug)]
pub(crate) struct UserKeyChanges {
    user: UserId,
    /// `None` means that the keys of any user may have changed.
    changes: Receiver<Option<UserId>>,
}

impl KeyChanges {
    pub(crate) fn new() -> Self {
        Self(Sender::new(CHANNEL_CAPACITY))
    }

    pub(crate) fn subscribe(&self, user: UserId) -> UserKeyChanges {
        UserKeyChanges { user, changes: self.0.subscribe() }
    }
}

impl ChangeListener for KeyChanges {
    fn changed(&self, change: &ChangeEvent) {
        let user = match change {
            ChangeEvent::OwnerKeys(user) => Some(*user),
            ChangeEvent::Everything => None,
            ChangeEvent::Server(_)
            | ChangeEvent::SessionEnded(_)
            | ChangeEvent::GrantEnded(_)
            | ChangeEvent::EndedGrants => return,
        };
        // Sending fails only when there are no subscribers.
        let _ = self.0.send(user);
    }
}

impl UserKeyChanges {
    /// Waits for the next change that affects this user.
    pub(crate) async fn next(&mut self) {
        loop {
            match self.changes.recv().await {
                Ok(user) if !self.affects_user(user) => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    /// Drains the pending changes and reports whether one affects this user.
    pub(crate) fn has_changed(&mut self) -> bool {
        let mut changed = false;
        loop {
            match self.changes.try_recv() {
                Ok(user) => changed |= self.affects_user(user),
                Err(TryRecvError::Lagged(_)) => changed = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return changed,
            }
        }
    }

    fn affects_user(&self, user: Option<UserId>) -> bool {
        user.is_none_or(|user| user == self.user)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use toolgate_domain::ids::PublicId;

    use super::*;

    #[tokio::test]
    async fn subscribers_are_notified_of_changes_to_the_keys_of_their_user_and_of_changes_to_everything() {
        let keys = KeyChanges::new();
        let (mut first, mut second) = (keys.subscribe(UserId(1)), keys.subscribe(UserId(2)));
        let mut notified = |change: ChangeEvent| {
            keys.changed(&change);
            (first.has_changed(), second.next().now_or_never().is_some())
        };
        assert_eq!(notified(ChangeEvent::OwnerKeys(UserId(1))), (true, false));
        assert_eq!(notified(ChangeEvent::OwnerKeys(UserId(2))), (false, true));
        assert_eq!(notified(ChangeEvent::Everything), (true, true));
        assert_eq!(notified(ChangeEvent::Server(PublicId::from_random([1; 16]))), (false, false));
        assert!(!first.has_changed());
    }

    #[tokio::test]
    async fn a_lagging_subscriber_assumes_that_the_keys_of_its_user_changed() {
        let keys = KeyChanges::new();
        let (mut first, mut second) = (keys.subscribe(UserId(1)), keys.subscribe(UserId(1)));
        (0..=CHANNEL_CAPACITY).for_each(|_| keys.changed(&ChangeEvent::OwnerKeys(UserId(2))));
        assert!(first.has_changed() && second.next().now_or_never().is_some());
    }
}
