//! The management keys that give an owner access to the owner's servers.

use std::collections::HashMap;

use toolgate_domain::api_key::KeyHash;
use toolgate_domain::time::Timestamp;
use toolgate_storage::OwnerKey;

/// The keys of one owner by hash.
#[derive(Debug, Default)]
pub(crate) struct OwnerKeys(HashMap<KeyHash, OwnerKey>);

impl OwnerKeys {
    pub(super) fn new(keys: Vec<OwnerKey>) -> Self {
        Self(keys.into_iter().map(|key| (key.hash, key)).collect())
    }

    /// Whether a key belongs to the owner and has not expired, and the owner is not disabled.
    pub(crate) fn accepts(&self, hash: &KeyHash, now: Timestamp) -> bool {
        self.0.get(hash).is_some_and(|key| !key.is_user_disabled && key.expires_at.is_none_or(|end| now < end))
    }

    /// Whether a key is refused because the owner is disabled.
    pub(crate) fn is_of_disabled_user(&self, hash: &KeyHash) -> bool {
        self.0.get(hash).is_some_and(|key| key.is_user_disabled)
    }
}
