//! Chooses between the count of this node and the count of the whole cluster.

use std::sync::Arc;

use toolgate_domain::ids::ServerId;

use super::window::RateLimited;
use super::{LocalRateLimiter, RequestKind};
use crate::cluster::ClusterState;

/// The rate limiter of all servers, shared by the nodes of a cluster if there is one.
#[derive(Debug, Default)]
pub struct RateLimiter {
    local: LocalRateLimiter,
    cluster: Option<Arc<ClusterState>>,
}

impl RateLimiter {
    /// An empty limiter.
    pub fn new(cluster: Option<Arc<ClusterState>>) -> Self {
        Self { local: LocalRateLimiter::default(), cluster }
    }

    /// Counts one request, or returns when to retry. A `limit` of 0 means no limit.
    pub async fn admit(&self, server: ServerId, kind: RequestKind, limit: u32) -> Result<(), RateLimited> {
        match &self.cluster {
            Some(cluster) if limit > 0 => Box::pin(self.admit_in_cluster(cluster, server, kind, limit)).await,
            _ => self.local.admit(server, kind, limit),
        }
    }

    /// The cluster's count decides. Requests that it admits are counted locally as well: if Redis becomes unavailable,
    /// they count towards this node's share. For a minute after a reconnect Redis lacks the requests that were admitted
    /// without it, so both counts must admit a request.
    async fn admit_in_cluster(
        &self,
        cluster: &ClusterState,
        server: ServerId,
        kind: RequestKind,
        limit: u32,
    ) -> Result<(), RateLimited> {
        if !cluster.has_full_window() {
            self.local.admit(server, kind, cluster.limit_per_node(limit))?;
            return match cluster.count_request(server, kind.shared_name(), limit).await {
                Some(Err(wait)) => {
                    self.local.uncount(server, kind);
                    Err(RateLimited(wait))
                }
                _ => Ok(()),
            };
        }
        match cluster.count_request(server, kind.shared_name(), limit).await {
            Some(Ok(())) => {
                self.local.record(server, kind);
                Ok(())
            }
            Some(Err(wait)) => Err(RateLimited(wait)),
            None => self.local.admit(server, kind, cluster.limit_per_node(limit)),
        }
    }
}
