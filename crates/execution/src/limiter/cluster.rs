//! Chooses between the count of this node and the count of the whole cluster.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolgate_domain::counters::ShardedCounters;
use toolgate_domain::sync::lock;

use super::lease::{LEASED_LIMIT_MIN, LeaseDecision};
use super::lease_client::{LeaseClient, LeaseStats, LeasedWindow};
use super::window::RateLimited;
use super::{LimitScope, LocalRateLimiter, NodeWindow, RequestKind};
use crate::cluster::ClusterState;

/// The rate limiter of all servers and keys, shared by the nodes of a cluster if there is one.
#[derive(Debug, Default)]
pub struct RateLimiter {
    local: LocalRateLimiter,
    lease_client: Option<Arc<LeaseClient>>,
    /// Admitted and limited requests by the limit of a server, then by the limit of a key.
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

/// A request for which this node has no leased slot.
struct UndecidedRequest {
    leased: LeasedWindow,
    limit: u32,
    /// Whether the request has been counted on this node, by its share of the limit.
    is_counted: bool,
}

impl RateLimiter {
    /// An empty limiter. With a cluster, it must be created on the runtime on which requests to Redis are to run.
    pub fn new(cluster: Option<Arc<ClusterState>>) -> Self {
        let local = LocalRateLimiter::default();
        let lease_client = cluster.map(|cluster| LeaseClient::new(cluster, local.start));
        Self { local, lease_client, decisions: ShardedCounters::default() }
    }

    /// Counts one request, or returns when to retry. A `limit` of 0 means no limit.
    pub async fn admit(&self, scope: LimitScope, kind: RequestKind, limit: u32) -> Result<(), RateLimited> {
        let decision = match &self.lease_client {
            // Without Redis the share of this node decides: earlier grants and refusals of Redis are void.
            Some(lease_client) if limit > 0 && !lease_client.cluster.is_connected() => {
                self.local.admit(scope, kind, lease_client.cluster.limit_per_node(limit))
            }
            Some(lease_client) if limit >= LEASED_LIMIT_MIN => {
                match self.admit_from_lease(lease_client, scope, kind, limit) {
                    Ok(Some(request)) => Box::pin(self.ask_cluster(lease_client, request)).await,
                    decision => decision.map(drop),
                }
            }
            Some(lease_client) if limit > 0 => {
                Box::pin(self.admit_in_cluster(&lease_client.cluster, scope, kind, limit)).await
            }
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
        let is_unreported = self.local.uncount(scope, kind);
        // Without a full window the request may not have been counted in Redis.
        let cluster = self.lease_client.as_ref().map(|lease_client| &lease_client.cluster);
        if let Some(cluster) = cluster.filter(|cluster| !is_unreported && cluster.has_full_window()) {
            Box::pin(cluster.uncount_request(scope, kind.shared_name())).await;
        }
    }

    /// Gives all leased slots back, when the service stops.
    pub async fn finish(&self) {
        if let Some(lease_client) = &self.lease_client {
            lease_client.finish().await;
        }
    }

    /// The statistics of the leases; all zero without a cluster.
    pub fn lease_stats(&self) -> LeaseStats {
        self.lease_client.as_ref().map(|lease_client| lease_client.stats()).unwrap_or_default()
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
                    Err(RateLimited::after(wait))
                }
                _ => Ok(()),
            };
        }
        match cluster.count_request(scope, kind.shared_name(), limit).await {
            Some(Ok(())) => {
                self.local.record(scope, kind);
                Ok(())
            }
            Some(Err(wait)) => {
                self.local.record_refusal(scope, kind, wait);
                Err(RateLimited::after(wait))
            }
            None => self.local.admit_without_reply(scope, kind, cluster.limit_per_node(limit)),
        }
    }

    /// Like [`Self::admit_in_cluster`], with a leased slot instead of a request to Redis. Returns the request if Redis
    /// must decide. In the common case this costs as much as counting on one node: a lock and no allocation.
    fn admit_from_lease(
        &self,
        lease_client: &Arc<LeaseClient>,
        scope: LimitScope,
        kind: RequestKind,
        limit: u32,
    ) -> Result<Option<UndecidedRequest>, RateLimited> {
        let cluster = &lease_client.cluster;
        let window = self.local.window((scope, kind));
        let mut guard = lock(&window);
        let now_ms = self.local.now_ms();
        let is_counted = !cluster.has_full_window();
        if is_counted {
            guard.window.admit(now_ms, cluster.limit_per_node(limit))?;
        }
        match guard.lease().take(now_ms, limit, cluster.connection_number()) {
            LeaseDecision::Admitted => {
                if !is_counted {
                    guard.window.record(now_ms);
                }
                let request = guard.request_if_low(now_ms, cluster.node_count());
                drop(guard);
                if let Some(request) = request {
                    drop(lease_client.send(LeasedWindow { scope, kind, window }, request));
                }
                Ok(None)
            }
            LeaseDecision::Refused(wait) => {
                if is_counted {
                    guard.window.uncount();
                }
                Err(wait)
            }
            LeaseDecision::Ask => {
                drop(guard);
                Ok(Some(UndecidedRequest { leased: LeasedWindow { scope, kind, window }, limit, is_counted }))
            }
        }
    }

    /// Lets Redis decide about a request. If the node has many requests and no request for slots is pending, it also
    /// leases slots for later requests.
    async fn ask_cluster(&self, lease_client: &Arc<LeaseClient>, request: UndecidedRequest) -> Result<(), RateLimited> {
        let UndecidedRequest { leased, limit, is_counted } = request;
        let (cluster, window) = (&lease_client.cluster, Arc::clone(&leased.window));
        let lease_request = lock(&window).request(self.local.now_ms(), cluster.node_count());
        let reply = if let Some(request) = lease_request {
            let reply = lease_client.send(leased, request).await;
            reply.map(|reply| if reply.admitted > 0 { Ok(()) } else { Err(reply.wait) })
        } else {
            let reply = cluster.count_request(leased.scope, leased.kind.shared_name(), limit).await;
            if let Some(reply) = reply {
                lock(&window).lease().set_refusal(self.local.now_ms(), reply.err().unwrap_or_default());
            }
            reply
        };
        self.conclude(&window, is_counted, reply, cluster.limit_per_node(limit))
    }

    /// Counts the request on this node if Redis has admitted it. `share` decides if Redis is unavailable.
    fn conclude(
        &self,
        window: &Mutex<NodeWindow>,
        is_counted: bool,
        reply: Option<Result<(), Duration>>,
        share: u32,
    ) -> Result<(), RateLimited> {
        let mut guard = lock(window);
        let now_ms = self.local.now_ms();
        match reply {
            Some(Ok(())) if !is_counted => guard.window.record(now_ms),
            Some(Err(_)) if is_counted => guard.window.uncount(),
            None if !is_counted => guard.window.admit(now_ms, share)?,
            _ => {}
        }
        match reply {
            Some(Err(wait)) => Err(RateLimited::after(wait)),
            _ => Ok(()),
        }
    }
}
