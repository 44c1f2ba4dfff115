//! Telling of changes: the listeners of this process, the words for those of others, and the tasks that must not end
//! half-way. A caller may go away at any moment, but from a commit's beginning on somebody has to see it through.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::ids::{PublicId, UserId};

use crate::sealing::SealError;
use crate::{Change, ChangeListener, Result};

/// Everything about changes that the transactions of one storage share.
pub(super) struct Notices {
    /// Tells our own notifications from others': PostgreSQL sends each to everybody.
    sender: String,
    listeners: RwLock<Vec<Arc<dyn ChangeListener>>>,
    /// Commits and watchers; a close waits for them.
    pub(super) tasks: TaskTracker,
    /// Ends the watchers.
    pub(super) stopping: CancellationToken,
}

impl Notices {
    pub(super) fn new() -> Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(SealError::Random)?;
        Ok(Self {
            sender: format!("{:032x}", u128::from_be_bytes(random)),
            listeners: RwLock::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        })
    }

    /// Adds a listener. Says whether it is the first.
    pub(super) fn add(&self, listener: Arc<dyn ChangeListener>) -> bool {
        let mut listeners = self.listeners.write().unwrap_or_else(PoisonError::into_inner);
        listeners.push(listener);
        listeners.len() == 1
    }

    pub(super) fn tell(&self, change: &Change) {
        // Not under the lock: what a listener does is its own affair.
        let listeners = self.listeners.read().unwrap_or_else(PoisonError::into_inner).clone();
        for listener in listeners {
            listener.changed(change);
        }
    }

    /// What other nodes are told of a change.
    pub(super) fn payload(&self, change: &Change) -> String {
        match change {
            Change::Server(public_id) => format!("{} s {}", self.sender, public_id.as_str()),
            Change::OwnerKeys(user_id) => format!("{} k {user_id}", self.sender),
            Change::Everything => format!("{} *", self.sender),
        }
    }

    /// What another node tells; `None` for what we said ourselves. What is not understood, as from a newer version,
    /// may mean anything.
    pub(super) fn heard(&self, payload: &str) -> Option<Change> {
        let mut words = payload.split(' ');
        if words.next() == Some(&self.sender) {
            return None;
        }
        Some(match (words.next(), words.next(), words.next()) {
            (Some("s"), Some(id), None) => Change::Server(PublicId::from_stored(id.to_owned())),
            (Some("k"), Some(id), None) => id.parse().map_or(Change::Everything, |id| Change::OwnerKeys(UserId(id))),
            _ => Change::Everything,
        })
    }

    /// Waits until the last commit is told and the watchers have ended.
    pub(super) async fn close(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices").field("sender", &self.sender).finish_non_exhaustive()
    }
}

/// A listener that remembers.
#[cfg(test)]
#[derive(Default)]
pub(super) struct Told(std::sync::Mutex<Vec<Change>>);

#[cfg(test)]
impl Told {
    /// What was told since the last time.
    pub(super) fn take(&self) -> Vec<Change> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[cfg(test)]
impl ChangeListener for Told {
    fn changed(&self, change: &Change) {
        self.0.lock().unwrap().push(change.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_understands_others_and_ignores_itself() {
        let (here, there) = (Notices::new().unwrap(), Notices::new().unwrap());
        let changes = [
            Change::Server(PublicId::from_random([7; 16])),
            Change::OwnerKeys(UserId(42)),
            Change::OwnerKeys(UserId(-1)),
            Change::Everything,
        ];
        for change in changes {
            let payload = here.payload(&change);
            assert_eq!(here.heard(&payload), None, "{payload}");
            assert_eq!(there.heard(&payload), Some(change), "{payload}");
        }
    }

    #[test]
    fn what_is_not_understood_may_mean_anything() {
        let here = Notices::new().unwrap();
        for payload in ["", "x", "x s", "x k", "x k one", "x k 1 2", "x s a b", "x t 1", "  ", "x  s a"] {
            assert_eq!(here.heard(payload), Some(Change::Everything), "{payload:?}");
        }
    }
}
