//! Events about sessions, which nodes send each other through a channel of Redis. They are encrypted, so that only a
//! node can send them. Events are lost while the subscription is interrupted; [`SessionEvent::Subscribed`] says that
//! this may have happened.

use toolgate_domain::session::{SESSION_NONCE_LENGTH, SessionIdentity, SessionNonce};
use toolgate_domain::time::Timestamp;

use super::ClusterState;

/// An event about a session, or about the subscription to these events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEvent {
    /// From now on events arrive. Earlier ones may be lost.
    Subscribed,
    /// From now on no events arrive.
    Unsubscribed,
    /// Another node changed the shared state of the session.
    Changed(SessionNonce),
    /// The session ended on another node.
    Ended(SessionIdentity),
    /// Another node opened an event stream of the session, with this number.
    StreamOpened(SessionNonce, u64),
}

/// The content of a message about a session.
#[derive(Clone, Copy, Debug)]
pub(super) enum SessionMessage {
    Changed,
    Ended { expires_at: Timestamp },
    StreamOpened { number: u64 },
}

impl SessionMessage {
    /// The code and the value of a message; both are part of the format.
    fn encode(self) -> (u8, i64) {
        match self {
            Self::Changed => (0, 0),
            Self::Ended { expires_at } => (1, expires_at.as_millis()),
            Self::StreamOpened { number } => (2, i64::try_from(number).unwrap_or(i64::MAX)),
        }
    }
}

impl ClusterState {
    /// Announces to the other nodes that this one opened an event stream of a session, with a number of
    /// [`ClusterState::next_stream`]. Events of several nodes arrive in any order; the numbers show which stream is
    /// newer.
    pub async fn announce_stream(&self, nonce: &SessionNonce, number: u64) {
        if !self.connection.is_connected() {
            return;
        }
        let Some((channel, message)) = self.encode_message(nonce, SessionMessage::StreamOpened { number }) else {
            return;
        };
        self.publish(&channel, &message).await;
    }

    pub(super) fn session_channel(&self) -> String {
        self.keys.plain_key(format_args!("sessions"))
    }

    /// The channel and the encrypted message.
    pub(super) fn encode_message(&self, nonce: &SessionNonce, message: SessionMessage) -> Option<(String, Vec<u8>)> {
        let channel = self.session_channel();
        let (code, value) = message.encode();
        let plain = [&[code][..], nonce, &value.to_be_bytes(), self.node_id.as_bytes()].concat();
        let encrypted = self.keys.encrypt(&channel, &plain)?;
        Some((channel, encrypted))
    }

    /// The event of a message; `None` for messages of this node and for unknown ones.
    pub(super) fn decode_message(&self, encrypted: &[u8]) -> Option<SessionEvent> {
        let plain = self.keys.decrypt(&self.session_channel(), encrypted)?;
        let (code, rest) = plain.split_first()?;
        let (nonce, rest) = rest.split_first_chunk::<SESSION_NONCE_LENGTH>()?;
        let (value, sender) = rest.split_first_chunk::<8>()?;
        if sender == self.node_id.as_bytes() {
            return None;
        }
        let (nonce, value) = (*nonce, i64::from_be_bytes(*value));
        match code {
            0 => Some(SessionEvent::Changed(nonce)),
            1 => Some(SessionEvent::Ended(SessionIdentity { nonce, expires_at: Timestamp::from_millis(value) })),
            2 => Some(SessionEvent::StreamOpened(nonce, u64::try_from(value).ok()?)),
            _ => None,
        }
    }
}
