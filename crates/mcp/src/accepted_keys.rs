//! The hashes of keys that were accepted lately. A key is looked up by its SHA-256 as before, so a revoked key is refused at
//! the next request; only the computation of the hash is saved.

use http::HeaderMap;
use toolgate_domain::api_key::KeyHash;

use crate::credential_cache::CredentialCache;

pub(crate) struct AcceptedKeys(CredentialCache<KeyHash>);

impl AcceptedKeys {
    pub(crate) fn new() -> Self {
        Self(CredentialCache::new())
    }

    /// The hashes of all keys in a request.
    pub(crate) fn hash_all(&self, headers: &HeaderMap) -> PresentedHashes {
        let mut has_new = false;
        let hash = |key: &str| {
            self.0.get(key, |hash| *hash).unwrap_or_else(|| {
                has_new = true;
                toolgate_auth::hash_key(key)
            })
        };
        let hashes = toolgate_auth::presented_keys(headers).map(hash).collect();
        PresentedHashes { hashes, has_new }
    }

    /// Stores the hash of the key with which a request was accepted.
    pub(crate) fn remember(&self, headers: &HeaderMap, presented: &PresentedHashes, accepted: Option<&KeyHash>) {
        if !presented.has_new {
            return;
        }
        let mut keys = toolgate_auth::presented_keys(headers).zip(&presented.hashes);
        if let Some((key, hash)) = keys.find(|(_, hash)| Some(*hash) == accepted) {
            self.0.insert(key, *hash);
        }
    }
}

/// The hashes of the keys in a request.
pub(crate) struct PresentedHashes {
    pub(crate) hashes: Vec<KeyHash>,
    /// Whether one of them was computed.
    has_new: bool,
}

#[cfg(test)]
mod tests {
    use http::header::AUTHORIZATION;

    use super::*;

    #[test]
    fn only_the_hash_of_the_accepted_key_is_stored() {
        let keys = AcceptedKeys::new();
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, "Bearer one".parse().unwrap());
        headers.insert("x-api-key", "two".parse().unwrap());
        let expected = ["one", "two"].map(toolgate_auth::hash_key);
        let presented = keys.hash_all(&headers);
        assert!(presented.has_new && presented.hashes == expected);
        keys.remember(&headers, &presented, None);
        assert!(keys.0.get("one", |_| ()).is_none() && keys.0.get("two", |_| ()).is_none());
        keys.remember(&headers, &presented, Some(&expected[1]));
        assert!(keys.0.get("one", |_| ()).is_none());
        assert_eq!(keys.0.get("two", |hash| *hash), Some(expected[1]));
        let again = keys.hash_all(&headers);
        assert!(again.has_new && again.hashes == expected);
        headers.remove(AUTHORIZATION);
        let known = keys.hash_all(&headers);
        assert!(!known.has_new && known.hashes == expected[1..]);
    }
}
