//! The numbers of one scrape.

use toolgate_analytics::{CallTotals, RecordingStats, ToolCallTotals};
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;
use toolgate_execution::cache::CacheStats;
use toolgate_execution::cluster::RedisStats;
use toolgate_mcp::McpStats;
use toolgate_storage::{NotificationCounts, PoolState};

use super::process::ProcessStats;
use crate::node_state::NodeState;
use crate::request_counters::RequestTotals;
use crate::telemetry::ExportStats;

/// All numbers, read at about the same time.
#[derive(Debug)]
pub(super) struct Scrape {
    pub(super) now: Timestamp,
    pub(super) node: String,
    /// `postgres` or `sqlite`.
    pub(super) database: &'static str,
    pub(super) is_database_up: bool,
    pub(super) is_stopping: bool,
    pub(super) requests: RequestTotals,
    pub(super) connections: usize,
    pub(super) calls: CallTotals,
    /// `None` if calls of single tools are not counted.
    pub(super) tools: Option<Vec<ToolCallTotals>>,
    pub(super) cache: CacheStats,
    pub(super) refusals: Vec<(RefusalReason, u64)>,
    pub(super) is_recording: bool,
    pub(super) recording: RecordingStats,
    /// By name of the signal.
    pub(super) telemetry: [(&'static str, ExportStats); 2],
    pub(super) pools: Vec<PoolState>,
    pub(super) mcp: McpStats,
    /// `None` without Redis.
    pub(super) cluster: Option<ClusterStats>,
    pub(super) process: ProcessStats,
}

/// The numbers of a node with Redis.
#[derive(Debug)]
pub(super) struct ClusterStats {
    pub(super) redis: RedisStats,
    /// The last known number of nodes.
    pub(super) nodes: u32,
    /// Received notifications of changes on other nodes.
    pub(super) notifications: NotificationCounts,
    /// Changes of this node that were not sent to Redis.
    pub(super) unsent_changes: u64,
}

impl Scrape {
    pub(super) fn read(node: &NodeState, is_database_up: bool) -> Self {
        Self {
            now: node.clock.now(),
            node: node.name.clone(),
            database: if node.is_postgres { "postgres" } else { "sqlite" },
            is_database_up,
            is_stopping: node.stopping.is_cancelled(),
            requests: node.requests.totals(),
            connections: node.workers.connections(),
            calls: node.recorder.call_totals(),
            tools: node.access_counters.tool_totals(),
            cache: node.executor.cache_stats(),
            refusals: node.access_counters.refusal_totals(),
            is_recording: node.recorder.is_enabled(),
            recording: node.recorder.stats(),
            telemetry: node.telemetry.stats(),
            pools: node.storage.pool_states(),
            mcp: node.mcp.stats(),
            cluster: node.cluster.as_ref().map(|cluster| ClusterStats {
                redis: cluster.redis_stats(),
                nodes: cluster.node_count(),
                notifications: node.storage.notification_counts(),
                unsent_changes: cluster.unsent_changes(),
            }),
            process: ProcessStats::read(),
        }
    }
}
