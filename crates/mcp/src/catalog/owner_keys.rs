//! The management keys with which an owner may use the own servers.

use std::collections::HashMap;

use toolgate_domain::api_key::KeyHash;
use toolgate_domain::time::Timestamp;
use toolgate_storage::OwnerKey;

/// Hashes of the keys, each with its end.
#[derive(Debug, Default)]
pub(crate) struct OwnerKeys(HashMap<KeyHash, Option<Timestamp>>);

impl OwnerKeys {
    pub(super) fn new(keys: Vec<OwnerKey>) -> Self {
        Self(keys.into_iter().map(|key| (key.hash, key.expires_at)).collect())
    }

    /// Whether a key is one of them and has not expired.
    pub(crate) fn holds(&self, hash: &KeyHash, now: Timestamp) -> bool {
        self.0.get(hash).is_some_and(|end| end.is_none_or(|end| now < end))
    }
}
