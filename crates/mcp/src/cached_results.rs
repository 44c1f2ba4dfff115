//! Results of calls whose response is cached, as they are sent. Until the cached response expires, a call with the same
//! arguments gets the same result without being executed.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use moka::sync::Cache;
use toolgate_execution::expiry::{EntryExpiry, ExpiringEntry};

use crate::era::Era;

/// The capacity of the cache.
pub(crate) const BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Larger entries are not stored: a few of them would evict everything else.
pub(crate) const ENTRY_BYTES_MAX: usize = 256 * 1024;
/// The memory of an entry besides its texts, in bytes: an estimate.
const ENTRY_OVERHEAD_BYTES: usize = 256;

/// A bounded cache of results.
pub(crate) struct CachedResults(Cache<ResultKey, CachedResult, ahash::RandomState>);

/// The inputs of a call that determine its result while its response is cached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ResultKey {
    /// The [id](crate::catalog::tools::PublishedTool::compile_id) of the compiled tool: a tool is compiled again after
    /// each change of it and of its credential.
    pub(crate) compile_id: u64,
    pub(crate) arguments: Option<Arc<str>>,
    pub(crate) era: Era,
    pub(crate) coerces_arguments: bool,
}

/// A successful result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CachedResult {
    /// The result as JSON, without the members that modern callers get in addition.
    pub(crate) json: Bytes,
    pub(crate) upstream_status: Option<u16>,
    /// The size of the upstream's response body.
    pub(crate) response_bytes: u64,
    /// When the cached response expires.
    pub(crate) expires_at: Instant,
}

impl ExpiringEntry for CachedResult {
    fn expires_at(&self) -> Instant {
        self.expires_at
    }
}

impl CachedResults {
    pub(crate) fn new() -> Self {
        let cache = Cache::builder()
            .max_capacity(BYTES_MAX)
            .weigher(|key, result| u32::try_from(weight(key, result)).unwrap_or(u32::MAX))
            .expire_after(EntryExpiry);
        Self(cache.build_with_hasher(ahash::RandomState::new()))
    }

    pub(crate) fn get(&self, key: &ResultKey) -> Option<CachedResult> {
        self.0.get(key)
    }

    /// The memory of the results, in bytes; it can lag behind by some calls.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weighted_size()
    }

    /// Stores a result, unless it is large.
    pub(crate) fn insert(&self, key: ResultKey, result: CachedResult) {
        if weight(&key, &result) <= ENTRY_BYTES_MAX {
            self.0.insert(key, result);
        }
    }
}

/// The memory of an entry, in bytes.
fn weight(key: &ResultKey, result: &CachedResult) -> usize {
    ENTRY_OVERHEAD_BYTES + key.arguments.as_ref().map_or(0, |arguments| arguments.len()) + result.json.len()
}

#[cfg(test)]
mod tests;
