//! Answers of upstreams, kept for as long as the tool says. The key holds the tool's revision, so an edit needs no
//! eviction: it asks under another key, and what was kept ages out.
//!
//! Equal calls at the same time are one upstream call. Only a success is kept; everything else is told to those who
//! wait for it, and forgotten.

use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::Expiry;
use moka::future::Cache;
use toolgate_domain::call::FailureReason;

use crate::Failure;
use crate::commons::Commons;
use crate::egress::{OutboundRequest, UpstreamResponse};
use crate::flight::{Fingerprint, Flights};

/// All that is kept together, in bytes.
pub const CAPACITY_BYTES: u64 = 32 * 1024 * 1024;

/// A larger answer is not kept: a few of them would push out everything else.
pub const LARGEST_KEPT_BYTES: u64 = CAPACITY_BYTES / 8;

/// What an entry costs beside its bytes: key, expiry, and the lists it stands in.
const ENTRY_BYTES: usize = 512;

/// Which answer is meant: equal for requests that are equal byte for byte and made for the same revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey(Fingerprint);

impl CacheKey {
    /// The key of `request`, made for `scope`: a kind of object, its id, and its revision. The order of headers does
    /// not matter, except among those of one name.
    pub fn of(scope: (u8, i64, i64), request: &OutboundRequest) -> Self {
        let (kind, id, revision) = scope;
        let (id, revision, uri) = (id.to_le_bytes(), revision.to_le_bytes(), request.uri.to_string());
        let mut headers: Vec<(&[u8], &[u8])> =
            request.headers.iter().map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes())).collect();
        headers.sort_by_key(|(name, _)| *name);
        let kind = [kind];
        // The body stands before the headers, of which there may be any number.
        let fixed = [&kind[..], &id, &revision, request.method.as_str().as_bytes(), uri.as_bytes(), &request.body];
        Self(Fingerprint::of(fixed.into_iter().chain(headers.into_iter().flat_map(|(name, value)| [name, value]))))
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        self.0.bytes()
    }
}

/// The answers kept, and the calls under way whose answers may be.
#[derive(Debug)]
pub struct ResponseCache {
    /// What other nodes may have fetched.
    commons: Option<Arc<Commons>>,
    kept: Cache<CacheKey, Kept>,
    flights: Flights<Arc<UpstreamResponse>>,
}

#[derive(Clone, Debug)]
struct Kept {
    response: Arc<UpstreamResponse>,
    ttl: Duration,
}

impl Default for ResponseCache {
    fn default() -> Self {
        Self::new()
    }
}

impl ResponseCache {
    /// Empty.
    pub fn new() -> Self {
        let kept = Cache::builder()
            .max_capacity(CAPACITY_BYTES)
            .weigher(|_, kept: &Kept| u32::try_from(weight(&kept.response)).unwrap_or(u32::MAX))
            .expire_after(EachItsOwn)
            .build();
        // How much time there is is each caller's own, and so is having none left.
        Self { commons: None, kept, flights: Flights::with_own(&[FailureReason::Cancelled, FailureReason::Timeout]) }
    }

    /// Empty, with the answers of other nodes within reach.
    pub fn within(commons: Option<Arc<Commons>>) -> Self {
        Self { commons, ..Self::new() }
    }

    /// The answer kept under `key`, or that of an equal call under way, or that of `fetch`; and whether `fetch` was
    /// spared. A `ttl` of zero keeps and shares nothing.
    ///
    /// A caller that goes away costs the others nothing: the next of them fetches.
    pub async fn get_or_fetch<F>(
        &self,
        key: CacheKey,
        ttl: Duration,
        fetch: F,
    ) -> Result<(Arc<UpstreamResponse>, bool), Failure>
    where
        F: Future<Output = Result<UpstreamResponse, Failure>>,
    {
        if ttl.is_zero() {
            return Ok((Arc::new(fetch.await?), false));
        }
        if let Some(kept) = self.kept.get(&key).await {
            return Ok((kept.response, true));
        }
        let mut fetched = false;
        // Boxed, for it is many times the size of all that a kept answer needs.
        let response = Box::pin(self.flights.join(key.0, self.fetch_and_keep(key, ttl, fetch, &mut fetched))).await?;
        Ok((response, !fetched))
    }

    async fn fetch_and_keep(
        &self,
        key: CacheKey,
        ttl: Duration,
        fetch: impl Future<Output = Result<UpstreamResponse, Failure>>,
        fetched: &mut bool,
    ) -> Result<Arc<UpstreamResponse>, Failure> {
        // An equal call may have ended between our look into the cache and our turn.
        if let Some(kept) = self.kept.get(&key).await {
            return Ok(kept.response);
        }
        if let Some(response) = self.fetched_elsewhere(key, ttl).await {
            return Ok(response);
        }
        *fetched = true;
        let response = Arc::new(fetch.await?);
        if response.status.is_success() && weight(&response) as u64 <= LARGEST_KEPT_BYTES {
            self.kept.insert(key, Kept { response: Arc::clone(&response), ttl }).await;
            if let Some(commons) = &self.commons {
                commons.offer(&key, ttl, &response).await;
            }
        }
        Ok(response)
    }

    /// Kept here too, for as long as it has left.
    async fn fetched_elsewhere(&self, key: CacheKey, ttl: Duration) -> Option<Arc<UpstreamResponse>> {
        let (response, left) = self.commons.as_ref()?.find(&key).await?;
        let kept = Kept { response: Arc::new(response), ttl: left.min(ttl) };
        self.kept.insert(key, kept.clone()).await;
        Some(kept.response)
    }
}

fn weight(response: &UpstreamResponse) -> usize {
    let headers: usize = response.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    ENTRY_BYTES + headers + response.body.len()
}

/// Every entry lives as long as its own tool says, counted from when it was fetched.
struct EachItsOwn;

impl Expiry<CacheKey, Kept> for EachItsOwn {
    fn expire_after_create(&self, _: &CacheKey, kept: &Kept, _: Instant) -> Option<Duration> {
        Some(kept.ttl)
    }

    // Without this, an entry written again would end when the one before it would have.
    fn expire_after_update(&self, _: &CacheKey, kept: &Kept, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(kept.ttl)
    }
}

#[cfg(test)]
mod tests;
