//! Rate limits per minute, of servers and of endpoint keys. [`Window`] implements the algorithm; this module holds one
//! window per server or key and request kind, and drops windows that are empty.
//!
//! There are two levels of locks, neither held across an await: the shard's lock to find a window, and the window's
//! lock to count. So a busy server does not delay others.

pub(crate) mod cluster;
mod lease;
mod lease_client;
pub(crate) mod window;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ahash::HashMap;
use tokio::time::Instant;
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::sync::lock;

pub use cluster::{LimiterTotals, RateLimiter};
use lease::{Lease, LeaseRequest};
pub use lease_client::LeaseStats;
pub use window::{RateLimited, Window};

/// The number of shards. A sweep visits every window of one shard and is short even with 100,000 active servers.
const SHARDS: u8 = 16;

/// For how long after a refusal by Redis a small limit is regarded as used up where Redis does not reply.
const REFUSAL_HOLD_MS: u64 = 5_000;

/// How often a shard drops idle windows, which cost only a few hundred bytes each.
const SWEEP_INTERVAL_MS: u64 = 60_000;

/// Kinds of requests with separate limits, so that listing tools does not use up the limit for calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// `tools/call`.
    Call,
    /// Every other counted request.
    Other,
}

impl RequestKind {
    /// The name of this kind in the Redis keys of shared windows.
    fn shared_name(self) -> &'static str {
        match self {
            Self::Call => "calls",
            Self::Other => "others",
        }
    }
}

/// What a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitScope {
    /// All requests to a server.
    Server(ServerId),
    /// The requests with an endpoint key.
    Key(EndpointKeyId),
}

impl LimitScope {
    fn id(self) -> i64 {
        match self {
            Self::Server(id) => id.0,
            Self::Key(id) => id.0,
        }
    }
}

impl std::fmt::Display for LimitScope {
    /// The name of the scope in the Redis keys of shared windows.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Server(id) => write!(f, "{id}"),
            Self::Key(id) => write!(f, "key:{id}"),
        }
    }
}

type WindowKey = (LimitScope, RequestKind);

/// The rate limiter of one node, with the windows of all servers and keys that had requests in about the last minute.
#[derive(Debug)]
pub struct LocalRateLimiter {
    start: Instant,
    shards: [Mutex<LimiterShard>; SHARDS as usize],
}

/// A window, with the slots that the cluster has leased to this node.
#[derive(Debug, Default)]
struct NodeWindow {
    window: Window,
    /// `None` without a cluster, and for small limits.
    lease: Option<Box<Lease>>,
    /// For small limits: until then a request without a reply of Redis is refused, because Redis refused one recently.
    refused_until_ms: u64,
}

#[derive(Debug, Default)]
struct LimiterShard {
    windows: HashMap<WindowKey, Arc<Mutex<NodeWindow>>>,
    sweep_at_ms: u64,
}

impl Default for LocalRateLimiter {
    /// An empty limiter. It uses a monotonic clock that starts now.
    fn default() -> Self {
        Self { start: Instant::now(), shards: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl LocalRateLimiter {
    /// Counts one request, or returns when to retry. A `limit` of 0 means no limit.
    pub fn admit(&self, scope: LimitScope, kind: RequestKind, limit: u32) -> Result<(), RateLimited> {
        if limit == 0 {
            return Ok(());
        }
        let window = self.window((scope, kind));
        let mut window = lock(&window);
        // The time is read under the lock, so that times never decrease within a window.
        window.window.admit(self.now_ms(), limit)
    }

    /// Counts a request that the cluster admitted.
    fn record(&self, scope: LimitScope, kind: RequestKind) {
        let window = self.window((scope, kind));
        let mut window = lock(&window);
        window.window.record(self.now_ms());
    }

    /// Notes that the cluster refused a request, because no slot is free for this time.
    fn record_refusal(&self, scope: LimitScope, kind: RequestKind, wait: Duration) {
        let window = self.window((scope, kind));
        let held_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(REFUSAL_HOLD_MS);
        lock(&window).refused_until_ms = self.now_ms().saturating_add(held_ms);
    }

    /// Counts a request about which the cluster was asked without a reply: within the share of this node, and not directly
    /// after a refusal.
    fn admit_without_reply(&self, scope: LimitScope, kind: RequestKind, share: u32) -> Result<(), RateLimited> {
        let window = self.window((scope, kind));
        let mut window = lock(&window);
        let now_ms = self.now_ms();
        if now_ms < window.refused_until_ms {
            return Err(RateLimited::after(Duration::ZERO));
        }
        window.window.admit(now_ms, share)
    }

    /// Reverts the count of a request that this node admitted and that was then refused for another reason. Returns
    /// whether the request had used a leased slot that has not been reported to Redis.
    fn uncount(&self, scope: LimitScope, kind: RequestKind) -> bool {
        let window = self.window((scope, kind));
        let mut window = lock(&window);
        window.window.uncount();
        window.lease.as_mut().is_some_and(|lease| lease.uncount(self.now_ms()))
    }

    fn window(&self, key: WindowKey) -> Arc<Mutex<NodeWindow>> {
        let now_ms = self.now_ms();
        let mut shard = lock(self.shard(key.0));
        if now_ms >= shard.sweep_at_ms {
            shard.sweep(now_ms);
        }
        Arc::clone(shard.windows.entry(key).or_default())
    }

    fn shard(&self, scope: LimitScope) -> &Mutex<LimiterShard> {
        // Ids are sequential, so the remainder distributes them evenly.
        let index = usize::try_from(scope.id().rem_euclid(i64::from(SHARDS))).unwrap_or_default();
        &self.shards[index]
    }

    fn now_ms(&self) -> u64 {
        millis_since(self.start)
    }
}

fn millis_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl NodeWindow {
    fn lease(&mut self) -> &mut Lease {
        self.lease.get_or_insert_default()
    }

    /// A request for more slots, if few are left.
    fn request_if_low(&mut self, now_ms: u64, nodes: u32) -> Option<LeaseRequest> {
        let recent = if self.lease().is_low(now_ms) { self.window.recent(now_ms) } else { return None };
        self.lease().request(now_ms, 0, recent, nodes)
    }

    /// A request to admit one waiting request, and to lease slots for later ones.
    fn request(&mut self, now_ms: u64, nodes: u32) -> Option<LeaseRequest> {
        let recent = self.window.recent(now_ms);
        self.lease().request(now_ms, 1, recent, nodes)
    }
}

impl LimiterShard {
    /// Drops empty windows. A window with a second reference is about to be used, so it stays. Windows are handed out
    /// only under this shard's lock, so the reference count cannot grow during the sweep.
    fn sweep(&mut self, now_ms: u64) {
        self.windows.retain(|_, window| Arc::strong_count(window) > 1 || !lock(window).window.is_idle(now_ms));
        if self.windows.capacity() / 4 > self.windows.len() {
            self.windows.shrink_to_fit();
        }
        self.sweep_at_ms = now_ms.saturating_add(SWEEP_INTERVAL_MS);
    }
}

#[cfg(test)]
mod tests;
