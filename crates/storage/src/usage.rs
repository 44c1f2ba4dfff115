//! Queries for usage rollups.

use std::collections::HashMap;

use async_trait::async_trait;
use toolgate_domain::call::CallCredential;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::tool::ToolStatus;
use toolgate_domain::usage::{Grain, Totals, UsageScope};
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Selects the rollups of one scope.
#[derive(Clone, Debug)]
pub struct UsageQuery {
    /// Visibility of the caller: a scope of another owner appears to have no calls.
    pub visibility: Visibility,
    /// The scope: everything, an owner, a server or a tool.
    pub scope: UsageScope,
    /// One client type; `None` for all clients together.
    pub client_type: Option<String>,
    /// Length of a period.
    pub grain: Grain,
    /// Earliest start of a period, inclusive.
    pub from: Option<Timestamp>,
    /// Latest start of a period, exclusive.
    pub until: Option<Timestamp>,
}

/// Selects the daily rollups of tools.
#[derive(Clone, Copy, Debug)]
pub struct ToolUsageQuery {
    /// Visibility of the caller.
    pub visibility: Visibility,
    /// Only tools of this server.
    pub server: Option<ServerId>,
    /// First day, inclusive.
    pub from: Timestamp,
    /// End of the last day, exclusive.
    pub until: Timestamp,
    /// Maximum number of tools; with more, nothing is read.
    pub tools_max: u32,
    /// Maximum number of rollups, counted as tools times days; with more, nothing is read.
    pub rollups_max: u64,
}

/// Selects the daily rollups of servers.
#[derive(Clone, Debug)]
pub struct ServerUsageQuery {
    /// Visibility of the caller: servers of another owner appear to have no calls.
    pub visibility: Visibility,
    /// The servers.
    pub servers: Vec<ServerId>,
    /// First day, inclusive.
    pub from: Timestamp,
    /// End of the last day, exclusive.
    pub until: Timestamp,
}

/// Selects the daily rollups of credentials.
#[derive(Clone, Copy, Debug)]
pub struct KeyUsageQuery {
    /// Visibility of the caller.
    pub visibility: Visibility,
    /// Only calls of this server.
    pub server: Option<ServerId>,
    /// First day, inclusive.
    pub from: Timestamp,
    /// End of the last day, exclusive.
    pub until: Timestamp,
    /// Maximum number of rollups; with more, nothing is reported.
    pub rollups_max: u32,
}

/// Usage by tool, or why it was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageByTool {
    /// All selected tools ordered by id, with or without calls.
    Tools(Vec<ToolUsage>),
    /// There are more tools than [`ToolUsageQuery::tools_max`].
    TooManyTools,
    /// The number of tools times days exceeds [`ToolUsageQuery::rollups_max`].
    TooManyDays {
        /// Number of selected tools.
        tools: u64,
    },
}

/// Usage of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUsage {
    /// The tool.
    pub tool_id: ToolId,
    /// Name of the tool.
    pub tool_name: String,
    /// Whether it is active or paused.
    pub status: ToolStatus,
    /// Server of the tool.
    pub server_id: ServerId,
    /// Name of the server.
    pub server_name: String,
    /// Totals of the requested range.
    pub totals: Totals,
    /// Time of the last call, which may be outside of the range.
    pub last_at: Option<Timestamp>,
}

/// Usage by credential, or why it was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageByKey {
    /// The credentials with calls to existing servers, in no particular order.
    Keys(Vec<KeyUsage>),
    /// There are more rollups than [`KeyUsageQuery::rollups_max`].
    TooManyRollups,
}

/// Usage of one server with one credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyUsage {
    /// The server.
    pub server_id: ServerId,
    /// Name of the server.
    pub server_name: String,
    /// The credential of the calls.
    pub credential: CallCredential,
    /// Name of the endpoint key or of the user; the last name of a deleted key.
    pub credential_name: Option<String>,
    /// Totals of the requested range.
    pub totals: Totals,
}

impl KeyUsage {
    /// A server and a credential without calls.
    pub fn new(server_id: ServerId, server_name: String, credential: CallCredential) -> Self {
        Self { server_id, server_name, credential, credential_name: None, totals: Totals::default() }
    }
}

/// Reads usage rollups.
#[async_trait]
pub trait UsageReader {
    /// Totals of each period with calls, oldest first.
    async fn usage(&self, query: &UsageQuery) -> Result<Vec<(Timestamp, Totals)>>;

    /// Totals of whole days by client type, without latencies, in no particular order.
    async fn usage_by_client(
        &self,
        visibility: Visibility,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> Result<Vec<(String, Totals)>>;

    /// Totals of whole days by server; servers without calls are omitted.
    async fn usage_by_server(&self, query: &ServerUsageQuery) -> Result<HashMap<ServerId, Totals>>;

    /// Totals of whole days by tool.
    async fn usage_by_tool(&self, query: &ToolUsageQuery) -> Result<UsageByTool>;

    /// Totals of whole days by server and credential. The calls of versions that did not record the credential are not
    /// included.
    async fn usage_by_key(&self, query: &KeyUsageQuery) -> Result<UsageByKey>;
}
