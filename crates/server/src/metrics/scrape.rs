//! The numbers of one scrape.

use toolgate_analytics::{CallTotals, RecordingFigures, ToolCallTotals};
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::Timestamp;
use toolgate_execution::cache::CacheFigures;
use toolgate_execution::cluster::RedisFigures;
use toolgate_mcp::McpFigures;
use toolgate_storage::{NotificationFigures, PoolState};

use super::process::ProcessFigures;
use crate::node_state::NodeState;
use crate::request_counters::RequestTotals;
use crate::telemetry::ExportFigures;

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
    pub(super) cache: CacheFigures,
    pub(super) refusals: Vec<(RefusalReason, u64)>,
    pub(super) is_recording: bool,
    pub(super) recording: RecordingFigures,
    /// By name of the signal.
    pub(super) telemetry: [(&'static str, ExportFigures); 2],
    pub(super) pools: Vec<PoolState>,
    pub(super) mcp: McpFigures,
    /// `None` without Redis.
    pub(super) cluster: Option<ClusterFigures>,
    pub(super) process: ProcessFigures,
}

/// The numbers of a node with Redis.
#[derive(Debug)]
pub(super) struct ClusterFigures {
    pub(super) redis: RedisFigures,
    /// The last known number of nodes.
    pub(super) nodes: u32,
    /// Notifications of changes of other nodes.
    pub(super) notifications: NotificationFigures,
    /// Notifications of this node that were not sent to Redis.
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
            cache: node.executor.cache_figures(),
            refusals: node.access_counters.refusal_totals(),
            is_recording: node.recorder.is_enabled(),
            recording: node.recorder.figures(),
            telemetry: node.telemetry.figures(),
            pools: node.storage.pool_states(),
            mcp: node.mcp.figures(),
            cluster: node.cluster.as_ref().map(|cluster| ClusterFigures {
                redis: cluster.redis_figures(),
                nodes: cluster.node_count(),
                notifications: node.storage.notification_figures(),
                unsent_changes: cluster.unsent_changes(),
            }),
            process: ProcessFigures::read(),
        }
    }
}
