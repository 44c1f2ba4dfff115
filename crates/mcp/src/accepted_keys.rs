//! Cached hashes of keys that were accepted recently. Every request still looks up the SHA-256 of its key, so a revoked
//! key is refused at the next request; only the computation of the hash is saved.

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
        let mut has_uncached = false;
        let hash = |key: &str| {
            self.0.get(key, |hash| *hash).unwrap_or_else(|| {
                has_uncached = true;
                toolgate_auth::hash_secret(key)
            })
        };
        let hashes = toolgate_auth::presented_keys(headers).map(hash).collect();
        PresentedHashes { hashes, has_uncached }
    }

    /// Stores the hash of the key with which a request was accepted.
    pub(crate) fn remember(&self, headers: &HeaderMap, presented: &PresentedHashes, accepted: Option<&KeyHash>) {
        if !presented.has_uncached {
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
    /// Whether one of them was not in the cache.
    has_uncached: bool,
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
        let expected = ["one", "two"].map(toolgate_auth::hash_secret);
        let presented = keys.hash_all(&headers);
        assert!(presented.has_uncached && presented.hashes == expected);
        keys.remember(&headers, &presented, None);
        assert!(keys.0.get("one", |_| ()).is_none() && keys.0.get("two", |_| ()).is_none());
        keys.remember(&headers, &presented, Some(&expected[1]));
        assert!(keys.0.get("one", |_| ()).is_none());
        assert_eq!(keys.0.get("two", |hash| *hash), Some(expected[1]));
        let again = keys.hash_all(&headers);
        assert!(again.has_uncached && again.hashes == expected);
        headers.remove(AUTHORIZATION);
        let known = keys.hash_all(&headers);
        assert!(!known.has_uncached && known.hashes == expected[1..]);
    }
}
