//! The part of an MCP session that nodes share.

use crate::time::Timestamp;

/// The length of a [`SessionNonce`].
pub const SESSION_NONCE_LENGTH: usize = 12;

/// The random part of a session id, which identifies the session.
pub type SessionNonce = [u8; SESSION_NONCE_LENGTH];

/// A session, and how long its id is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SessionIdentity {
    /// The random part of its id.
    pub nonce: SessionNonce,
    /// When its id expires.
    pub expires_at: Timestamp,
}
