//! Counters of each owner's servers and tools. Every change updates them in its transaction.

use async_trait::async_trait;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Numbers of servers and tools.
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
    /// The numbers of the servers and tools that the caller may see: those of one owner and those shared with this
    /// user, or all.
    async fn owner_counts(&self, visibility: Visibility) -> Result<OwnerCounts>;
}
