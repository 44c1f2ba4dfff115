//! Caches upstream responses for the tool's `cache_ttl`. The key contains the tool's revision, so an edit needs no
//! eviction: later calls use another key, and the old entries expire.
//!
//! Equal concurrent calls make one upstream call. Only successful responses are cached; other results are returned to
//! the waiting calls and discarded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::future::Cache;
use toolgate_domain::call::FailureReason;
use toolgate_domain::counters::ShardedCounters;
use toolgate_domain::ids::{ResourceId, ToolId};

use crate::call_settings::CalledObject;
use crate::cluster::ClusterState;
use crate::egress::message::{OutboundRequest, UpstreamResponse};
use crate::expiry::{EntryExpiry, ExpiringEntry};
use crate::failure::Failure;
use crate::single_flight::{Fingerprint, SingleFlight};

/// The capacity of the cache.
pub const CACHE_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Larger responses are not cached: a few of them would evict everything else.
pub const ENTRY_BYTES_MAX: u64 = CACHE_BYTES_MAX / 8;

/// The overhead of an entry: key, expiry, and the lists that contain it.
const ENTRY_OVERHEAD_BYTES: usize = 512;

/// Identifies a response: equal for requests that are equal byte for byte and made for the same revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey(Fingerprint);

impl CacheKey {
    /// The key of `request`, made for a revision of a tool or resource. The order of headers does not matter, except
    /// among headers of the same name.
    pub(crate) fn new(called: CalledObject, revision: i64, request: &OutboundRequest) -> Self {
        let (kind, id) = match called {
            CalledObject::Tool(ToolId(id)) => (b't', id),
            CalledObject::Resource(ResourceId(id)) => (b'r', id),
        };
        let (id, revision, uri) = (id.to_le_bytes(), revision.to_le_bytes(), request.uri.to_string());
        let mut headers: Vec<(&[u8], &[u8])> =
            request.headers.iter().map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes())).collect();
        headers.sort_by_key(|(name, _)| *name);
        let kind = [kind];
        // The body precedes the headers, so that the variable number of headers comes last.
        let fixed_parts =
            [&kind[..], &id, &revision, request.method.as_str().as_bytes(), uri.as_bytes(), &request.body];
        Self(Fingerprint::from_parts(
            fixed_parts.into_iter().chain(headers.into_iter().flat_map(|(name, value)| [name, value])),
        ))
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

/// The cached responses, and the calls in progress whose responses may be cached.
#[derive(Debug)]
pub struct ResponseCache {
    /// Responses that other nodes have cached.
    cluster: Option<Arc<ClusterState>>,
    entries: Cache<CacheKey, CachedResponse>,
    single_flight: SingleFlight<Arc<UpstreamResponse>>,
    /// One counter for each kind of lookup.
    lookups: ShardedCounters<4>,
}

/// How a lookup ended: the index of its counter.
#[derive(Clone, Copy, Debug)]
enum CacheLookup {
    Hit,
    ClusterHit,
    Coalesced,
    Miss,
}

/// The state of a cache, and its lookups since it was created.
#[derive(Clone, Copy, Debug, Default)]
pub struct CacheStats {
    /// Lookups that found a response of this node, and calls that got a result made of one.
    pub hits: u64,
    /// Lookups that found a response of another node.
    pub cluster_hits: u64,
    /// Lookups that waited for an equal call.
    pub coalesced: u64,
    /// Lookups that had to call the upstream.
    pub misses: u64,
    /// The number of cached responses; it may lag behind by some requests.
    pub entries: u64,
    /// The memory of the cached responses, in bytes.
    pub bytes: u64,
}

#[derive(Clone, Debug)]
struct CachedResponse {
    response: Arc<UpstreamResponse>,
    expires_at: Instant,
}

impl ExpiringEntry for CachedResponse {
    fn expires_at(&self) -> Instant {
        self.expires_at
    }
}

/// A response from the cache or the upstream.
#[derive(Clone, Debug)]
pub struct FetchedResponse {
    /// The response.
    pub response: Arc<UpstreamResponse>,
    /// Whether it came from the cache or from an equal call, so that `fetch` did not run.
    pub is_cached: bool,
    /// Until when equal calls get the same response; `None` if that is not known.
    pub cached_until: Option<Instant>,
}

impl ResponseCache {
    /// An empty cache that shares responses with the other nodes of the cluster, if there is one.
    pub fn new(cluster: Option<Arc<ClusterState>>) -> Self {
        let entries = Cache::builder()
            .max_capacity(CACHE_BYTES_MAX)
            .weigher(|_, cached: &CachedResponse| u32::try_from(weight(&cached.response)).unwrap_or(u32::MAX))
            .expire_after(EntryExpiry)
            .build();
        // Deadlines differ between callers, so a timeout of one caller must not fail the others.
        let single_flight = SingleFlight::with_unshared_reasons(&[FailureReason::Cancelled, FailureReason::Timeout]);
        Self { cluster, entries, single_flight, lookups: ShardedCounters::default() }
    }

    /// Returns the cached response for `key`, or the response of an equal call in progress, or the result of `fetch`.
    /// The `ttl` must not be zero.
    ///
    /// If a caller that fetches is cancelled, the next waiting caller fetches.
    pub async fn get_or_fetch<F>(&self, key: CacheKey, ttl: Duration, fetch: F) -> Result<FetchedResponse, Failure>
    where
        F: Future<Output = Result<UpstreamResponse, Failure>>,
    {
        if let Some(CachedResponse { response, expires_at }) = self.entries.get(&key).await {
            self.count(CacheLookup::Hit);
            return Ok(FetchedResponse { response, is_cached: true, cached_until: Some(expires_at) });
        }
        let mut lookup = CacheLookup::Coalesced;
        // Boxed: this future is many times larger than a cache hit needs.
        let fetch = self.fetch_and_store(key, ttl, fetch, &mut lookup);
        let response = Box::pin(self.single_flight.join(key.0, fetch)).await;
        self.count(lookup);
        let is_cached = !matches!(lookup, CacheLookup::Miss);
        Ok(FetchedResponse { response: response?, is_cached, cached_until: None })
    }

    /// Counts a call that got a cached response without a lookup.
    pub(crate) fn count_hit(&self) {
        self.count(CacheLookup::Hit);
    }

    fn count(&self, lookup: CacheLookup) {
        self.lookups.add(lookup as usize, 1);
    }

    /// The state of the cache.
    pub fn stats(&self) -> CacheStats {
        let [hits, cluster_hits, coalesced, misses] = self.lookups.sums();
        let (entries, bytes) = (self.entries.entry_count(), self.entries.weighted_size());
        CacheStats { hits, cluster_hits, coalesced, misses, entries, bytes }
    }

    async fn fetch_and_store(
        &self,
        key: CacheKey,
        ttl: Duration,
        fetch: impl Future<Output = Result<UpstreamResponse, Failure>>,
        lookup: &mut CacheLookup,
    ) -> Result<Arc<UpstreamResponse>, Failure> {
        // An equal call may have ended between the first lookup and this one.
        if let Some(cached) = self.entries.get(&key).await {
            *lookup = CacheLookup::Hit;
            return Ok(cached.response);
        }
        if let Some(response) = self.get_from_cluster(key, ttl).await {
            *lookup = CacheLookup::ClusterHit;
            return Ok(response);
        }
        *lookup = CacheLookup::Miss;
        let response = Arc::new(fetch.await?);
        if response.status.is_success() && weight(&response) as u64 <= ENTRY_BYTES_MAX {
            let expires_at = Instant::now() + ttl;
            self.entries.insert(key, CachedResponse { response: Arc::clone(&response), expires_at }).await;
            if let Some(cluster) = &self.cluster {
                cluster.put_response(key.as_bytes(), ttl, &response).await;
            }
        }
        Ok(response)
    }

    /// Returns a response that another node cached, and stores it locally for its remaining time to live.
    async fn get_from_cluster(&self, key: CacheKey, ttl: Duration) -> Option<Arc<UpstreamResponse>> {
        let (response, remaining) = self.cluster.as_ref()?.get_response(key.as_bytes()).await?;
        let cached = CachedResponse { response: Arc::new(response), expires_at: Instant::now() + remaining.min(ttl) };
        self.entries.insert(key, cached.clone()).await;
        Some(cached.response)
    }
}

/// The memory that a cached response needs, in bytes.
fn weight(response: &UpstreamResponse) -> usize {
    let headers: usize = response.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    ENTRY_OVERHEAD_BYTES + headers + response.body.len()
}

#[cfg(test)]
mod tests;
