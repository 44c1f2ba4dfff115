//! The management keys with which an owner may use their servers.

use std::collections::HashMap;

use toolgate_domain::api_key::KeyHash;
use toolgate_domain::time::Timestamp;
use toolgate_storage::OwnerKey;

/// Key hashes with their expiry.
#[derive(Debug, Default)]
pub(crate) struct OwnerKeys(HashMap<KeyHash, Option<Timestamp>>);

impl OwnerKeys {
    pub(super) fn new(keys: Vec<OwnerKey>) -> Self {
        Self(keys.into_iter().map(|key| (key.hash, key.expires_at)).collect())
    }

    /// Whether a key belongs to the owner and has not expired.
    pub(crate) fn accepts(&self, hash: &KeyHash, now: Timestamp) -> bool {
        self.0.get(hash).is_some_and(|expires_at| expires_at.is_none_or(|expires_at| now < expires_at))
    }
}
