//! Chooses between the count of this node and the count of the whole cluster.

use std::sync::Arc;

use toolgate_domain::counters::ShardedCounters;

use super::window::RateLimited;
use super::{LimitScope, LocalRateLimiter, RequestKind};
use crate::cluster::ClusterState;

/// The rate limiter of all servers and keys, shared by the nodes of a cluster if there is one.
#[derive(Debug, Default)]
pub struct RateLimiter {
    local: LocalRateLimiter,
    cluster: Option<Arc<ClusterState>>,
    /// Decisions by scope: those of servers that admitted and limited, then those of keys.
    decisions: ShardedCounters<4>,
}

/// The decisions of a rate limiter. Requests without a limit are not part of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimiterTotals {
    /// Requests that the limit of their server admitted.
    pub server_admitted: u64,
    /// Requests over the limit of their server.
    pub server_limited: u64,
    /// Requests that the limit of their key admitted.
    pub key_admitted: u64,
    /// Requests over the limit of their key.
    pub key_limited: u64,
}

impl RateLimiter {
    /// An empty limiter.
    pub fn new(cluster: Option<Arc<ClusterState>>) -> Self {
        Self { local: LocalRateLimiter::default(), cluster, decisions: ShardedCounters::default() }
    }

    /// Counts one request, or returns when to retry. A `limit` of 0 means no limit.
    pub async fn admit(&self, scope: LimitScope, kind: RequestKind, limit: u32) -> Result<(), RateLimited> {
        let decision = match &self.cluster {
            Some(cluster) if limit > 0 => Box::pin(self.admit_in_cluster(cluster, scope, kind, limit)).await,
            _ => self.local.admit(scope, kind, limit),
        };
        if limit > 0 {
            let first = if matches!(scope, LimitScope::Server(_)) { 0 } else { 2 };
            self.decisions.add(first + usize::from(decision.is_err()), 1);
        }
        decision
    }

    /// The decisions since the limiter was created.
    pub fn totals(&self) -> LimiterTotals {
        let [server_admitted, server_limited, key_admitted, key_limited] = self.decisions.sums();
        LimiterTotals { server_admitted, server_limited, key_admitted, key_limited }
    }

    /// Reverts the count of a request that was admitted just now and then refused by another limit.
    pub async fn uncount(&self, scope: LimitScope, kind: RequestKind) {
        self.local.uncount(scope, kind);
        // Without a full window the request may not have been counted in Redis.
        if let Some(cluster) = self.cluster.as_ref().filter(|cluster| cluster.has_full_window()) {
            Box::pin(cluster.uncount_request(scope, kind.shared_name())).await;
        }
    }

    /// The cluster's count decides. Requests that it admits are counted locally as well: if Redis becomes unavailable,
    /// they count towards this node's share. For a minute after a reconnect Redis lacks the requests that were admitted
    /// without it, so both counts must admit a request.
    async fn admit_in_cluster(
        &self,
        cluster: &ClusterState,
        scope: LimitScope,
        kind: RequestKind,
        limit: u32,
    ) -> Result<(), RateLimited> {
        if !cluster.has_full_window() {
            self.local.admit(scope, kind, cluster.limit_per_node(limit))?;
            return match cluster.count_request(scope, kind.shared_name(), limit).await {
                Some(Err(wait)) => {
                    self.local.uncount(scope, kind);
                    Err(RateLimited(wait))
                }
                _ => Ok(()),
            };
        }
        match cluster.count_request(scope, kind.shared_name(), limit).await {
            Some(Ok(())) => {
                self.local.record(scope, kind);
                Ok(())
            }
            Some(Err(wait)) => Err(RateLimited(wait)),
            None => self.local.admit(scope, kind, cluster.limit_per_node(limit)),
        }
    }
}
