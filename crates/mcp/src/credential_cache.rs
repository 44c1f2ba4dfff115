//! Credentials that were accepted recently, each with the result of its check. A lookup costs a keyed hash and one
//! comparison in constant time, so it is cheaper than a digest or a signature, and its duration reveals nothing about
//! the stored credentials.

use std::hint::black_box;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use zeroize::Zeroizing;

/// Number of slots. Each holds one credential; another one with the same slot replaces it.
const SLOTS: usize = 4096;
/// Longer credentials are not stored.
const TEXT_BYTES_MAX: usize = 512;

/// A bounded cache that readers use without a lock.
pub(crate) struct CredentialCache<T> {
    slots: Box<[ArcSwapOption<CachedCredential<T>>]>,
    /// Has a random key, so that clients can neither choose slots nor learn them.
    hasher: ahash::RandomState,
}

struct CachedCredential<T> {
    text: Zeroizing<String>,
    value: T,
}

impl<T> CredentialCache<T> {
    pub(crate) fn new() -> Self {
        Self { slots: (0..SLOTS).map(|_| ArcSwapOption::empty()).collect(), hasher: ahash::RandomState::new() }
    }

    /// The result of `read` for the value of a credential; `None` if the credential is not stored.
    pub(crate) fn get<R>(&self, text: &str, read: impl FnOnce(&T) -> R) -> Option<R> {
        let slot = self.slot(text)?.load();
        let cached = slot.as_ref().filter(|cached| is_equal(cached.text.as_bytes(), text.as_bytes()))?;
        Some(read(&cached.value))
    }

    /// Stores an accepted credential.
    pub(crate) fn insert(&self, text: &str, value: T) {
        if text.len() <= TEXT_BYTES_MAX
            && let Some(slot) = self.slot(text)
        {
            slot.store(Some(Arc::new(CachedCredential { text: Zeroizing::new(text.to_owned()), value })));
        }
    }

    fn slot(&self, text: &str) -> Option<&ArcSwapOption<CachedCredential<T>>> {
        let hash = self.hasher.hash_one(text);
        self.slots.get(usize::try_from(hash % SLOTS as u64).unwrap_or_default())
    }
}

/// Compares in a time that depends on the lengths only.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |difference, (a, b)| difference | (a ^ b));
    // The compiler must not end the loop at the first difference.
    one.len() == other.len() && black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_text_is_found() {
        let cache = CredentialCache::new();
        cache.insert("secret", 7);
        assert_eq!(cache.get("secret", |value| *value), Some(7));
        for text in ["", "secre", "secret1", "Secret", "secreu"] {
            assert_eq!(cache.get(text, |value| *value), None, "{text}");
        }
        cache.insert("secret", 8);
        assert_eq!(cache.get("secret", |value| *value), Some(8));
    }

    #[test]
    fn the_cache_is_bounded_by_number_and_length() {
        let cache = CredentialCache::new();
        for number in 0..10 * SLOTS {
            cache.insert(&number.to_string(), number);
        }
        let found = (0..10 * SLOTS).filter(|number| cache.get(&number.to_string(), |_| ()).is_some()).count();
        assert!((SLOTS / 2..=SLOTS).contains(&found), "{found}");
        let long = "x".repeat(TEXT_BYTES_MAX + 1);
        cache.insert(&long, 0);
        assert_eq!(cache.get(&long, |_| ()), None);
    }

    #[test]
    fn texts_are_equal_only_if_all_bytes_are() {
        assert!(is_equal(b"", b"") && is_equal(b"ab", b"ab"));
        assert!(!is_equal(b"ab", b"ac") && !is_equal(b"ab", b"b") && !is_equal(b"ab", b"abc") && !is_equal(b"", b"a"));
    }
}
