//! The figures of the day. Calls are not recorded yet, so theirs are zero; servers and tools are real.

use domain::user::Visibility;
use storage::{Result, Storage};

/// One look at everything the caller owns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overview {
    /// Servers configured.
    pub total_servers: i64,
    /// Servers with status active.
    pub active_servers: i64,
    /// Tools across all servers.
    pub total_tools: i64,
    /// Tools with status active.
    pub active_tools: i64,
    /// Calls today.
    pub calls_today: i64,
    /// Calls yesterday.
    pub calls_yesterday: i64,
    /// Average execution time today, in milliseconds.
    pub avg_response_ms: i64,
    /// Percentage of successful calls today.
    pub success_rate: f64,
}

/// The overview of what `visibility` covers.
pub async fn overview(storage: &dyn Storage, visibility: Visibility) -> Result<Overview> {
    let counts = storage.owner_counts(visibility).await?;
    Ok(Overview {
        total_servers: counts.servers(),
        active_servers: counts.active_servers,
        total_tools: counts.tools,
        active_tools: counts.active_tools,
        ..Overview::default()
    })
}
