//! Reports.

use analytics::Overview;
use serde::Serialize;
use utoipa::ToSchema;

/// The figures of the day.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverviewOut {
    total_servers: i64,
    active_servers: i64,
    total_tools: i64,
    active_tools: i64,
    calls_today: i64,
    calls_yesterday: i64,
    avg_response_ms: i64,
    success_rate: f64,
}

impl From<Overview> for OverviewOut {
    fn from(overview: Overview) -> Self {
        Self {
            total_servers: overview.total_servers,
            active_servers: overview.active_servers,
            total_tools: overview.total_tools,
            active_tools: overview.active_tools,
            calls_today: overview.calls_today,
            calls_yesterday: overview.calls_yesterday,
            avg_response_ms: overview.avg_response_ms,
            success_rate: overview.success_rate,
        }
    }
}

/// Calls of one type of client.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClientOut {
    client_type: String,
    total_calls: i64,
    successful_calls: i64,
    failed_calls: i64,
    avg_response_time_ms: i64,
}
