//! The change bus: the listeners of this process, the notifications for other nodes, and the tasks that must finish
//! before storage closes. A caller can be cancelled at any time, but a commit that has begun must still publish its
//! changes.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::ids::{GrantId, PublicId, UserId};
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;

use crate::changes::{ChangeEvent, ChangeListener};
use crate::error::Result;
use crate::sealing::SealError;

/// Publishes the changes of one storage; shared by its transactions and watchers.
pub(super) struct ChangeBus {
    /// Random id of this storage in its notifications: PostgreSQL also delivers a notification to its sender.
    sender_id: String,
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
            sender_id: format!("{:032x}", u128::from_be_bytes(random)),
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

    /// The notification for other nodes.
    pub(super) fn payload(&self, change: &ChangeEvent) -> String {
        match change {
            ChangeEvent::Server(public_id) => format!("{} s {}", self.sender_id, public_id.as_str()),
            ChangeEvent::OwnerKeys(user_id) => format!("{} k {user_id}", self.sender_id),
            ChangeEvent::SessionEnded(session) => {
                let nonce = session.nonce.iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
                format!("{} e {nonce:024x} {}", self.sender_id, session.expires_at.as_millis())
            }
            ChangeEvent::GrantEnded(grant) => {
                format!("{} g {} {}", self.sender_id, grant.id, grant.ended_at.as_millis())
            }
            ChangeEvent::Everything => format!("{} *", self.sender_id),
        }
    }

    /// The change in another node's notification; `None` for this node's own. An unknown payload, such as one of a
    /// newer version, counts as [`ChangeEvent::Everything`].
    pub(super) fn parse_payload(&self, payload: &str) -> Option<ChangeEvent> {
        let mut parts = payload.split(' ');
        if parts.next() == Some(&self.sender_id) {
            return None;
        }
        let parts: Vec<&str> = parts.collect();
        let change = match parts[..] {
            ["s", id] => Some(ChangeEvent::Server(PublicId::from_stored(id.to_owned()))),
            ["k", id] => id.parse().ok().map(|id| ChangeEvent::OwnerKeys(UserId(id))),
            ["e", nonce, expires_at] => parse_session(nonce, expires_at).map(ChangeEvent::SessionEnded),
            ["g", id, ended_at] => parse_grant(id, ended_at).map(ChangeEvent::GrantEnded),
            _ => None,
        };
        Some(change.unwrap_or(ChangeEvent::Everything))
    }

    /// Waits until the last commit has published its changes and the watchers have stopped.
    pub(super) async fn close(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

fn parse_session(nonce: &str, expires_at: &str) -> Option<SessionIdentity> {
    let digits = nonce.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    let nonce = digits.collect::<Option<Vec<u8>>>()?.try_into().ok()?;
    Some(SessionIdentity { nonce, expires_at: Timestamp::from_millis(expires_at.parse().ok()?) })
}

fn parse_grant(id: &str, ended_at: &str) -> Option<EndedGrant> {
    Some(EndedGrant { id: GrantId(id.parse().ok()?), ended_at: Timestamp::from_millis(ended_at.parse().ok()?) })
}

impl fmt::Debug for ChangeBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeBus").field("sender_id", &self.sender_id).finish_non_exhaustive()
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
    use super::*;

    #[test]
    fn a_node_reads_other_nodes_payloads_and_ignores_its_own() {
        let (here, there) = (ChangeBus::new().unwrap(), ChangeBus::new().unwrap());
        let changes = [
            ChangeEvent::Server(PublicId::from_random([7; 16])),
            ChangeEvent::OwnerKeys(UserId(42)),
            ChangeEvent::OwnerKeys(UserId(-1)),
            ChangeEvent::SessionEnded(SessionIdentity {
                nonce: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255],
                expires_at: Timestamp::from_millis(1_792_000_000_000),
            }),
            ChangeEvent::GrantEnded(EndedGrant { id: GrantId(9), ended_at: Timestamp::from_millis(1_792_000_000_000) }),
            ChangeEvent::Everything,
        ];
        for change in changes {
            let payload = here.payload(&change);
            assert_eq!(here.parse_payload(&payload), None, "{payload}");
            assert_eq!(there.parse_payload(&payload), Some(change), "{payload}");
        }
    }

    #[test]
    fn an_unknown_payload_counts_as_a_change_of_everything() {
        let here = ChangeBus::new().unwrap();
        for payload in [
            "",
            "x",
            "x s",
            "x k",
            "x k one",
            "x k 1 2",
            "x s a b",
            "x t 1",
            "x e 00 1",
            "x g 1",
            "x g 1 one",
            "x e 000102030405060708090a0b",
            "  ",
            "x  s a",
        ] {
            assert_eq!(here.parse_payload(payload), Some(ChangeEvent::Everything), "{payload:?}");
        }
    }
}
