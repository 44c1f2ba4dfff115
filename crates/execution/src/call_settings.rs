//! The settings that all upstream calls of one tool or resource share.

use std::time::Duration;

use toolgate_domain::ids::{ResourceId, ToolId};

/// The object that an upstream call is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CalledObject {
    Tool(ToolId),
    Resource(ResourceId),
}

/// The settings of the upstream calls of one tool or resource.
#[derive(Debug)]
pub(crate) struct CallSettings {
    pub(crate) called: CalledObject,
    /// The revision of the tool or resource; part of the cache key.
    pub(crate) revision: i64,
    /// The timeout of a whole call, from the cache lookup to the last byte of the response.
    pub(crate) timeout: Duration,
    /// How long a response is cached; zero disables the cache.
    pub(crate) cache_ttl: Duration,
    /// How many times a call may be retried; 0 for a method that is not safe to repeat.
    pub(crate) retry_count: u32,
}

impl CallSettings {
    /// The default settings: no cache and no retries.
    pub(crate) fn new(called: CalledObject, revision: i64) -> Self {
        Self { called, revision, timeout: Duration::from_secs(30), cache_ttl: Duration::ZERO, retry_count: 0 }
    }
}
