//! Numbers on the state of the MCP service, for reports on this node.

use toolgate_execution::limiter::{LeaseStats, LimiterTotals};

use crate::cached_results;
use crate::service::{McpService, STREAMS_MAX};

/// The state of the service at one time. Counts of entries can lag behind by some requests.
#[derive(Clone, Copy, Debug)]
pub struct McpStats {
    /// Open streams.
    pub streams: usize,
    /// The most open streams.
    pub streams_max: usize,
    /// Sessions of legacy clients that were begun since the start of the process.
    pub sessions_started: u64,
    /// Sessions with state in memory.
    pub sessions_with_state: u64,
    /// Compiled servers in memory.
    pub compiled_servers: u64,
    /// The approximate size of their configuration, in bytes.
    pub compiled_bytes: u64,
    /// Compilations of servers since the start of the process.
    pub compilations: u64,
    /// The memory of the results made of cached responses, in bytes.
    pub cached_result_bytes: u64,
    /// The most memory for them.
    pub cached_result_bytes_max: u64,
    /// Decisions of the rate limiter since the start of the process.
    pub limiter: LimiterTotals,
    /// The slots of rate limits that this node leases; all zero without a cluster.
    pub leases: LeaseStats,
}

impl McpService {
    /// The state of the service.
    pub fn stats(&self) -> McpStats {
        let (compiled_servers, compiled_bytes) = self.catalog.size();
        McpStats {
            streams: STREAMS_MAX.saturating_sub(self.stream_permits.available_permits()),
            streams_max: STREAMS_MAX,
            sessions_started: self.sessions.issued(),
            sessions_with_state: self.sessions.state_count(),
            compiled_servers,
            compiled_bytes,
            compilations: self.catalog.compilations(),
            cached_result_bytes: self.cached_results.bytes(),
            cached_result_bytes_max: cached_results::BYTES_MAX,
            limiter: self.rate_limiter.totals(),
            leases: self.rate_limiter.lease_stats(),
        }
    }
}
