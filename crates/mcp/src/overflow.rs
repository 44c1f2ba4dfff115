//! Whole responses of calls whose results were shortened, so that a client can read on. They are in memory only, each
//! for the time that its tool allows; if memory is short, the least recently used ones are removed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use moka::Expiry;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_execution::ToolShaping;
use toolgate_execution::content::Utf8;
use toolgate_shaping::Continuation;

/// The prefix of the URIs under which `resources/read` returns stored responses.
pub(crate) const STORED_RESPONSE_SCHEME: &str = "toolgate://answers/";

/// Random bytes of a reference: 96 bits cannot be guessed.
const REFERENCE_BYTES: usize = 12;
/// The overhead of an entry, in bytes.
const ENTRY_OVERHEAD_BYTES: usize = 512;
/// The most references whose source stays known after their response was removed.
const EXPIRED_REFERENCES_MAX: u64 = 10_000;
/// How long the source of a reference stays known.
const EXPIRED_REFERENCE_TTL: Duration = Duration::from_hours(24);

/// The stored responses.
#[derive(Debug)]
pub(crate) struct OverflowStore {
    responses: Cache<String, Arc<StoredResponse>>,
    /// The source of each reference, for the error message after the response was removed.
    sources: Cache<String, Arc<ResponseSource>>,
}

/// Who may read a response: the same caller on the same server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResponseOwner {
    pub(crate) server_id: ServerId,
    /// The identity of the caller; empty if it is unknown.
    pub(crate) caller: Vec<u8>,
}

/// Where a response came from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResponseSource {
    pub(crate) owner: ResponseOwner,
    pub(crate) tool_id: ToolId,
    pub(crate) tool_name: String,
    /// How long the response is stored.
    pub(crate) minutes: u32,
}

/// A whole response.
#[derive(Debug)]
pub(crate) struct StoredResponse {
    pub(crate) source: Arc<ResponseSource>,
    /// Its text.
    pub(crate) text: Utf8,
    /// Its media type; empty if it has none.
    pub(crate) media_type: String,
    /// The rules by which parts of it are shaped.
    pub(crate) shaping: Arc<ToolShaping>,
    /// Where the part after the last one starts; `None` if everything was read.
    pub(crate) next: Mutex<Option<Continuation>>,
}

/// The result of a lookup by reference.
#[derive(Debug)]
pub(crate) enum StoredLookup {
    Found(Arc<StoredResponse>),
    /// The response from this source is no longer stored.
    Expired(Arc<ResponseSource>),
    Unknown,
}

impl OverflowStore {
    /// An empty store for this many bytes.
    pub(crate) fn new(bytes_max: u64) -> Self {
        let weight = |_: &String, stored: &Arc<StoredResponse>| {
            u32::try_from(stored.text.as_bytes().len() + ENTRY_OVERHEAD_BYTES).unwrap_or(u32::MAX)
        };
        let responses = Cache::builder()
            .max_capacity(bytes_max)
            .weigher(weight)
            // The default policy could refuse a new response in favour of older ones.
            .eviction_policy(EvictionPolicy::lru())
            .expire_after(PerResponseTtl)
            .build();
        let sources = Cache::builder().max_capacity(EXPIRED_REFERENCES_MAX).time_to_live(EXPIRED_REFERENCE_TTL).build();
        Self { responses, sources }
    }

    /// A new reference for a response of this size; `None` if there is no room for it.
    pub(crate) fn new_reference(&self, bytes: usize) -> Option<String> {
        let capacity = self.responses.policy().max_capacity().unwrap_or(0);
        if (bytes + ENTRY_OVERHEAD_BYTES) as u64 > capacity {
            return None;
        }
        let mut random = [0; REFERENCE_BYTES];
        getrandom::fill(&mut random).ok()?;
        Some(format!("r_{}", URL_SAFE_NO_PAD.encode(random)))
    }

    /// Stores a response under its reference.
    pub(crate) fn insert(&self, reference: String, response: StoredResponse) {
        self.sources.insert(reference.clone(), Arc::clone(&response.source));
        self.responses.insert(reference, Arc::new(response));
    }

    /// Looks up the response of a reference. Responses of other callers are unknown to `reader`.
    pub(crate) fn find(&self, reader: &ResponseOwner, reference: &str) -> StoredLookup {
        if let Some(stored) = self.responses.get(reference) {
            return if stored.source.owner == *reader { StoredLookup::Found(stored) } else { StoredLookup::Unknown };
        }
        let source = self.sources.get(reference).filter(|source| source.owner == *reader);
        source.map_or(StoredLookup::Unknown, StoredLookup::Expired)
    }
}

impl StoredResponse {
    /// The text of the response.
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(self.text.as_bytes()).unwrap_or_default()
    }

    /// Its media type without parameters.
    pub(crate) fn mime_type(&self) -> &str {
        match self.media_type.split(';').next().unwrap_or_default().trim() {
            "" => "text/plain",
            mime => mime,
        }
    }
}

/// Each response is stored for as many minutes as its tool allows.
#[derive(Debug)]
struct PerResponseTtl;

impl Expiry<String, Arc<StoredResponse>> for PerResponseTtl {
    fn expire_after_create(&self, _: &String, stored: &Arc<StoredResponse>, _: Instant) -> Option<Duration> {
        Some(Duration::from_mins(u64::from(stored.source.minutes)))
    }
}
