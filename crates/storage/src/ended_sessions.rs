//! The store of MCP sessions that ended before their ids expire. An id is valid on every node until it expires, so all
//! nodes must know which sessions have ended, also after a restart.

use async_trait::async_trait;
use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;

use crate::error::Result;

/// Stores ended sessions.
#[async_trait]
pub trait EndedSessionStore {
    /// Stores that these sessions have ended, and notifies all nodes. Sessions that are stored already stay.
    async fn end_sessions(&self, sessions: &[SessionIdentity]) -> Result<()>;

    /// A page of at most `limit` ended sessions, beginning with the one whose id expires last, or with the one that
    /// follows `last`, the last session of the previous page. The page after the last one is empty.
    async fn ended_sessions(&self, last: Option<SessionIdentity>, limit: u32) -> Result<Vec<SessionIdentity>>;

    /// Deletes the sessions whose ids expired before `cutoff`.
    async fn delete_ended_sessions_before(&self, cutoff: Timestamp) -> Result<()>;
}
