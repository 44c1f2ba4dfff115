//! Which metadata documents of clients need not be fetched again yet. The documents themselves are in the database.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;
use toolgate_execution::metadata::MetadataClient;

/// The shortest and the longest time that a document is used without another fetch.
const FRESH_MIN: Duration = Duration::from_mins(5);
const FRESH_MAX: Duration = Duration::from_hours(24);
/// The most documents that are remembered as fresh.
const ENTRIES_MAX: usize = 1000;

/// Fetches documents, and remembers until when they are fresh.
pub(crate) struct DocumentCache {
    pub(crate) client: MetadataClient,
    fresh_until: Mutex<HashMap<String, Timestamp>>,
}

impl DocumentCache {
    pub(crate) fn new(client: MetadataClient) -> Self {
        Self { client, fresh_until: Mutex::default() }
    }

    /// Whether the stored document of this URL may be used without a fetch.
    pub(crate) fn is_fresh(&self, url: &str, now: Timestamp) -> bool {
        lock(&self.fresh_until).get(url).is_some_and(|until| now < *until)
    }

    /// Marks a document as fresh that was fetched at `now` and may be cached for `max_age`.
    pub(crate) fn mark_fresh(&self, url: &str, max_age: Option<Duration>, now: Timestamp) {
        let age = max_age.unwrap_or(FRESH_MIN).clamp(FRESH_MIN, FRESH_MAX);
        let until = now.plus_millis(i64::try_from(age.as_millis()).unwrap_or(0));
        let mut fresh_until = lock(&self.fresh_until);
        if fresh_until.len() >= ENTRIES_MAX {
            fresh_until.retain(|_, until| now < *until);
        }
        if fresh_until.len() >= ENTRIES_MAX {
            // All other documents are then fetched again at their next use.
            fresh_until.clear();
        }
        fresh_until.insert(url.to_owned(), until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_fresh_for_its_max_age_within_5_minutes_and_24_hours() {
        const MINUTE: i64 = 60_000;
        let cache = DocumentCache::new(MetadataClient::new(false));
        let at = |minutes: i64| Timestamp::from_millis(minutes * MINUTE);
        for (max_age, minutes) in [(None, 5), (Some(0), 5), (Some(60), 5), (Some(3600), 60), (Some(u64::MAX), 1440)] {
            cache.mark_fresh("https://a.example/c", max_age.map(Duration::from_secs), at(0));
            assert!(cache.is_fresh("https://a.example/c", at(minutes - 1)), "{max_age:?}");
            assert!(!cache.is_fresh("https://a.example/c", at(minutes)), "{max_age:?}");
        }
        assert!(!cache.is_fresh("https://a.example/other", at(0)));
    }

    #[test]
    fn the_number_of_entries_is_bounded() {
        let cache = DocumentCache::new(MetadataClient::new(false));
        for number in 0..=ENTRIES_MAX {
            cache.mark_fresh(&number.to_string(), None, Timestamp::from_millis(0));
        }
        assert!(lock(&cache.fresh_until).len() <= ENTRIES_MAX);
        assert!(cache.is_fresh(&ENTRIES_MAX.to_string(), Timestamp::from_millis(1)));
    }
}
