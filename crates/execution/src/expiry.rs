//! Caches whose entries know when they expire.

use std::time::{Duration, Instant};

use moka::Expiry;

/// A cached value with an expiry of its own.
pub trait ExpiringEntry {
    /// When the entry expires.
    fn expires_at(&self) -> Instant;
}

/// Makes a cache of moka use the expiry of each entry, also of one that replaces another.
#[derive(Clone, Copy, Debug)]
pub struct EntryExpiry;

impl<K, E: ExpiringEntry> Expiry<K, E> for EntryExpiry {
    fn expire_after_create(&self, _: &K, entry: &E, created_at: Instant) -> Option<Duration> {
        Some(entry.expires_at().saturating_duration_since(created_at))
    }

    // By default moka keeps the expiry of the replaced entry.
    fn expire_after_update(&self, key: &K, entry: &E, updated_at: Instant, _: Option<Duration>) -> Option<Duration> {
        self.expire_after_create(key, entry, updated_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ExpiringEntry for Instant {
        fn expires_at(&self) -> Instant {
            *self
        }
    }

    #[test]
    fn a_new_entry_and_a_replacement_expire_at_their_own_time() {
        let (now, ttl, other) = (Instant::now(), Duration::from_secs(5), Some(Duration::from_secs(1)));
        let entry = now + ttl;
        assert_eq!(EntryExpiry.expire_after_create(&(), &entry, now), Some(ttl));
        assert_eq!(EntryExpiry.expire_after_update(&(), &entry, now, other), Some(ttl));
        assert_eq!(EntryExpiry.expire_after_read(&(), &entry, now, other, now), other);
        assert_eq!(EntryExpiry.expire_after_create(&(), &now, entry), Some(Duration::ZERO));
    }
}
