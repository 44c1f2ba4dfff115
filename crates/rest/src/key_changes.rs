//! Whose keys changed, told to replies that last: they look at their key again.

use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::broadcast::{Receiver, Sender};
use toolgate_domain::ids::UserId;
use toolgate_storage::{Change, ChangeListener};

/// Changes on their way; who is slower than this looks at its key whoever's changed.
const ON_THE_WAY: usize = 64;

/// Hears of every change to keys.
#[derive(Debug)]
pub(crate) struct KeyChanges(Sender<Option<UserId>>);

/// The changes that may touch one user's keys, from now on.
#[derive(Debug)]
pub(crate) struct ChangesOf {
    user: UserId,
    /// None is anybody.
    changes: Receiver<Option<UserId>>,
}

impl KeyChanges {
    pub(crate) fn new() -> Self {
        Self(Sender::new(ON_THE_WAY))
    }

    pub(crate) fn of(&self, user: UserId) -> ChangesOf {
        ChangesOf { user, changes: self.0.subscribe() }
    }
}

impl ChangeListener for KeyChanges {
    fn changed(&self, change: &Change) {
        let whose = match change {
            Change::OwnerKeys(user) => Some(*user),
            Change::Everything => None,
            Change::Server(_) => return,
        };
        // An error would be that nobody listens.
        let _ = self.0.send(whose);
    }
}

impl ChangesOf {
    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        loop {
            match self.changes.recv().await {
                Ok(whose) if !self.is_own(whose) => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    /// Whether there was one since the last time this was asked.
    pub(crate) fn any(&mut self) -> bool {
        let mut any = false;
        loop {
            match self.changes.try_recv() {
                Ok(whose) => any |= self.is_own(whose),
                Err(TryRecvError::Lagged(_)) => any = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return any,
            }
        }
    }

    fn is_own(&self, whose: Option<UserId>) -> bool {
        whose.is_none_or(|user| user == self.user)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use toolgate_domain::ids::PublicId;

    use super::*;

    #[tokio::test]
    async fn everybody_hears_of_own_keys_and_of_what_may_be_anything() {
        let keys = KeyChanges::new();
        let (mut one, mut two) = (keys.of(UserId(1)), keys.of(UserId(2)));
        let mut heard = |change: Change| {
            keys.changed(&change);
            (one.any(), two.next().now_or_never().is_some())
        };
        assert_eq!(heard(Change::OwnerKeys(UserId(1))), (true, false));
        assert_eq!(heard(Change::OwnerKeys(UserId(2))), (false, true));
        assert_eq!(heard(Change::Everything), (true, true));
        assert_eq!(heard(Change::Server(PublicId::from_random([1; 16]))), (false, false));
        assert!(!one.any());
    }

    #[tokio::test]
    async fn who_is_too_slow_to_hear_whose_keys_changed_takes_them_for_its_own() {
        let keys = KeyChanges::new();
        let (mut one, mut two) = (keys.of(UserId(1)), keys.of(UserId(1)));
        (0..=ON_THE_WAY).for_each(|_| keys.changed(&Change::OwnerKeys(UserId(2))));
        assert!(one.any() && two.next().now_or_never().is_some());
    }
}
