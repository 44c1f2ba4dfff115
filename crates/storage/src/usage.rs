//! Reading the sums over calls.

use std::collections::HashMap;

use async_trait::async_trait;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::ToolStatus;
use toolgate_domain::usage::{Grain, Totals, UsageScope};
use toolgate_domain::user::Visibility;

use crate::Result;

/// Which sums to read.
#[derive(Clone, Debug)]
pub struct UsageQuery {
    /// Who asks: sums over what belongs to somebody else are as if there had been no calls.
    pub visibility: Visibility,
    /// Over what.
    pub scope: UsageScope,
    /// Of one type of client; none for all together.
    pub client_type: Option<String>,
    /// Hours or days.
    pub grain: Grain,
    /// Periods that do not start before this moment.
    pub from: Option<Timestamp>,
    /// Periods that start before this moment.
    pub until: Option<Timestamp>,
}

/// Which tools' sums to read.
#[derive(Clone, Copy, Debug)]
pub struct ToolUsageQuery {
    /// Who asks.
    pub visibility: Visibility,
    /// Tools of one server.
    pub server: Option<ServerId>,
    /// Days that do not start before this moment.
    pub from: Timestamp,
    /// Days that start before this moment.
    pub until: Timestamp,
    /// Of more tools than this nothing is read.
    pub tools_max: u32,
    /// Nor is anything when there may be more sums than this: one for each tool and day.
    pub rollups_max: u64,
}

/// Which servers' sums to read.
#[derive(Clone, Debug)]
pub struct ServerUsageQuery {
    /// Who asks: servers of somebody else are as if there had been no calls.
    pub visibility: Visibility,
    /// The servers.
    pub servers: Vec<ServerId>,
    /// Days that do not start before this moment.
    pub from: Timestamp,
    /// Days that start before this moment.
    pub until: Timestamp,
}

/// Sums by tool, or why they were not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageByTool {
    /// Every tool there is, used or not, by id.
    Tools(Vec<ToolUsage>),
    /// There are more tools than may be looked at.
    TooManyTools,
    /// There are so many tools that the range has too many days.
    TooManyDays {
        /// How many tools there are.
        tools: u64,
    },
}

/// The calls of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUsage {
    /// The tool.
    pub tool_id: ToolId,
    /// What it is called.
    pub tool_name: String,
    /// Whether it is published.
    pub status: ToolStatus,
    /// Its server.
    pub server_id: ServerId,
    /// What that is called.
    pub server_name: String,
    /// Its calls in the range asked for.
    pub totals: Totals,
    /// When it was called last, within the range or not.
    pub last_at: Option<Timestamp>,
}

/// Reads the sums.
#[async_trait]
pub trait UsageReader {
    /// One sum for each period with calls, oldest first.
    async fn usage(&self, query: &UsageQuery) -> Result<Vec<(Timestamp, Totals)>>;

    /// The sums of whole days by type of client, without latencies; in no particular order.
    async fn usage_by_client(
        &self,
        visibility: Visibility,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> Result<Vec<(String, Totals)>>;

    /// The sums of whole days of some servers; those without calls are left out.
    async fn usage_by_server(&self, query: &ServerUsageQuery) -> Result<HashMap<ServerId, Totals>>;

    /// The sums of whole days by tool.
    async fn usage_by_tool(&self, query: &ToolUsageQuery) -> Result<UsageByTool>;
}
