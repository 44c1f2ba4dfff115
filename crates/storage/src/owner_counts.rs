//! What owners have, in numbers kept beside every change.

use async_trait::async_trait;
use toolgate_domain::user::Visibility;

use crate::Result;

/// Servers and tools in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnerCounts {
    /// Active servers.
    pub active_servers: i64,
    /// Paused servers.
    pub paused_servers: i64,
    /// Draft servers.
    pub draft_servers: i64,
    /// Tools of all servers.
    pub tools: i64,
    /// Active tools of all servers.
    pub active_tools: i64,
}

impl OwnerCounts {
    /// Servers of every status.
    pub fn servers(self) -> i64 {
        self.active_servers + self.paused_servers + self.draft_servers
    }
}

/// Reads the counters.
#[async_trait]
pub trait OwnerCountsReader {
    /// The counters of one owner, or of all together.
    async fn owner_counts(&self, visibility: Visibility) -> Result<OwnerCounts>;
}
