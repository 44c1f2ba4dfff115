//! The figures of today and yesterday.

use toolgate_domain::time::{DAY_MS, Timestamp};
use toolgate_domain::usage::{Grain, Totals};
use toolgate_domain::user::Visibility;
use toolgate_storage::{Result, Storage, UsageQuery};

/// Counts and totals of the objects that the caller can see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// Number of servers.
    pub total_servers: i64,
    /// Number of active servers.
    pub active_servers: i64,
    /// Number of tools of all servers.
    pub total_tools: i64,
    /// Number of active tools.
    pub active_tools: i64,
    /// Calls of today (UTC).
    pub today: Totals,
    /// Calls of yesterday (UTC).
    pub yesterday: Totals,
}

/// The overview of the objects in `visibility`.
pub async fn overview(storage: &dyn Storage, visibility: Visibility, now: Timestamp) -> Result<Overview> {
    let counts = storage.owner_counts(visibility).await?;
    let day = Grain::Day.start_of(now);
    let query = UsageQuery {
        visibility,
        scope: super::visible_scope(visibility),
        client_type: None,
        grain: Grain::Day,
        from: Some(day.plus_millis(-DAY_MS)),
        until: Some(day.plus_millis(DAY_MS)),
    };
    let mut overview = Overview {
        total_servers: counts.servers(),
        active_servers: counts.active_servers,
        total_tools: counts.tools,
        active_tools: counts.active_tools,
        ..Overview::default()
    };
    for (start, totals) in storage.usage(&query).await? {
        if start == day {
            overview.today = totals;
        } else {
            overview.yesterday = totals;
        }
    }
    Ok(overview)
}
