//! The endpoint keys of a server.

use std::sync::Arc;

use ahash::HashMap;
use toolgate_analytics::{AccessCounters, KeyLastUse};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::ids::EndpointKeyId;
use toolgate_domain::time::Timestamp;
use toolgate_storage::PublishedKey;

/// The keys by hash. Expired keys are included, so that their holders learn why they are refused.
#[derive(Debug, Default)]
pub(crate) struct EndpointKeys(HashMap<KeyHash, EndpointKeyState>);

/// One key.
#[derive(Debug)]
pub(crate) struct EndpointKeyState {
    pub(crate) id: EndpointKeyId,
    expires_at: Option<Timestamp>,
    /// Requests per minute with this key; `None` if only the server's limit holds.
    pub(crate) rate_limit_per_min: Option<u32>,
    /// Shared by all snapshots of the server.
    pub(crate) last_use: Arc<KeyLastUse>,
}

impl EndpointKeys {
    pub(super) fn new(keys: &[PublishedKey], counters: &AccessCounters) -> Self {
        let state = |key: &PublishedKey| EndpointKeyState {
            id: key.id,
            expires_at: key.expires_at,
            rate_limit_per_min: key.rate_limit_per_min.and_then(|limit| u32::try_from(limit).ok()),
            last_use: counters.key(key.id),
        };
        Self(keys.iter().map(|key| (key.hash, state(key))).collect())
    }

    /// The key with this hash.
    pub(crate) fn get(&self, hash: &KeyHash) -> Option<&EndpointKeyState> {
        self.0.get(hash)
    }
}

impl EndpointKeyState {
    /// When the key expired, if it has.
    pub(crate) fn expired_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.expires_at.filter(|expires_at| *expires_at <= now)
    }
}
