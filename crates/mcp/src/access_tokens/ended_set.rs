//! The set of ended grants in memory.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use toolgate_domain::ids::GrantId;
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::sync::lock;
use toolgate_domain::time::Timestamp;

/// Ended grants. If there are more than its limit, the ones that ended first are forgotten, and all tokens from before
/// that time are refused: no token of an ended grant becomes valid again.
pub(super) struct EndedGrantSet {
    /// Read by every request with a token, without a lock. [`Self::add`] limits its size.
    ids: moka::sync::Cache<GrantId, ()>,
    /// The same grants by the time of their end; locked by changes only.
    by_end: Mutex<BTreeSet<(Timestamp, GrantId)>>,
    /// Tokens that were issued before this time are refused. Milliseconds since 1970.
    valid_since: AtomicI64,
    /// Incremented after each change that refuses further tokens. Never 0.
    version: AtomicU64,
    limit: usize,
}

impl EndedGrantSet {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            ids: moka::sync::Cache::builder().build(),
            by_end: Mutex::default(),
            valid_since: AtomicI64::new(i64::MIN),
            version: AtomicU64::new(1),
            limit,
        }
    }

    /// Whether a token of this grant that was issued at this time is refused.
    pub(super) fn refuses(&self, grant: GrantId, issued_at: Timestamp) -> bool {
        issued_at.as_millis() < self.valid_since.load(Ordering::Acquire) || self.ids.contains_key(&grant)
    }

    /// Like [`Self::refuses`], but without a lookup if nothing has changed since the token was last accepted.
    /// `accepted_version` is stored with the token: the version at which it was last accepted, at first 0.
    pub(super) fn refuses_cached_token(
        &self,
        accepted_version: &AtomicU64,
        grant: GrantId,
        issued_at: Timestamp,
    ) -> bool {
        // Read before the grants, and changed after them: a grant that ends in between is found by the next check.
        let version = self.version.load(Ordering::Acquire);
        if accepted_version.load(Ordering::Relaxed) == version {
            return false;
        }
        let is_refused = self.refuses(grant, issued_at);
        if !is_refused {
            accepted_version.store(version, Ordering::Relaxed);
        }
        is_refused
    }

    /// Refuses tokens that were issued before this time.
    pub(super) fn refuse_before(&self, time: Timestamp) {
        self.valid_since.fetch_max(time.as_millis(), Ordering::AcqRel);
        self.version.fetch_add(1, Ordering::AcqRel);
    }

    /// Adds grants.
    pub(super) fn add(&self, grants: impl IntoIterator<Item = EndedGrant>) {
        let mut by_end = lock(&self.by_end);
        for EndedGrant { id, ended_at } in grants {
            by_end.insert((ended_at, id));
            self.ids.insert(id, ());
        }
        self.version.fetch_add(1, Ordering::AcqRel);
        while by_end.len() > self.limit
            && let Some((ended_at, id)) = by_end.pop_first()
        {
            // Set before the grant is removed, so that a concurrent request sees at least one of the two.
            self.refuse_before(ended_at.plus_millis(1));
            self.ids.invalidate(&id);
        }
    }

    /// Forgets the grants that ended before `cutoff`, because their tokens have expired.
    pub(super) fn forget_before(&self, cutoff: Timestamp) {
        let mut by_end = lock(&self.by_end);
        while let Some((ended_at, id)) = by_end.first().copied()
            && ended_at < cutoff
        {
            by_end.pop_first();
            self.ids.invalidate(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(id: i64, at: i64) -> EndedGrant {
        EndedGrant { id: GrantId(id), ended_at: Timestamp::from_millis(at) }
    }

    fn refuses(set: &EndedGrantSet, id: i64, issued_at: i64) -> bool {
        set.refuses(GrantId(id), Timestamp::from_millis(issued_at))
    }

    #[test]
    fn tokens_of_ended_grants_and_from_before_a_time_are_refused() {
        let set = EndedGrantSet::new(10);
        assert!(!refuses(&set, 1, 5));
        set.add([ended(1, 7)]);
        assert!(refuses(&set, 1, 5) && refuses(&set, 1, 9) && !refuses(&set, 2, 5));
        set.refuse_before(Timestamp::from_millis(6));
        set.refuse_before(Timestamp::from_millis(3));
        assert!(refuses(&set, 2, 5) && !refuses(&set, 2, 6));
    }

    #[test]
    fn a_token_that_was_accepted_is_refused_as_soon_as_its_grant_ends_or_older_tokens_are_refused() {
        let (set, accepted) = (EndedGrantSet::new(10), AtomicU64::default());
        let refuses = |id| set.refuses_cached_token(&accepted, GrantId(id), Timestamp::from_millis(5));
        assert!(!refuses(1) && !refuses(1));
        set.add([ended(2, 7)]);
        assert!(!refuses(1), "another grant has ended");
        set.add([ended(1, 7)]);
        assert!(refuses(1) && refuses(1));
        let (other, accepted) = (EndedGrantSet::new(10), AtomicU64::default());
        let refuses = || other.refuses_cached_token(&accepted, GrantId(1), Timestamp::from_millis(5));
        assert!(!refuses());
        other.refuse_before(Timestamp::from_millis(6));
        assert!(refuses() && refuses());
    }

    #[test]
    fn a_full_set_forgets_the_oldest_grants_and_refuses_all_tokens_issued_before_they_ended() {
        let set = EndedGrantSet::new(2);
        set.add([ended(3, 30), ended(1, 10), ended(2, 20)]);
        assert!(refuses(&set, 1, 10), "the token of a grant that was forgotten");
        assert!(refuses(&set, 9, 10) && !refuses(&set, 9, 11), "other tokens from before it ended");
        assert!(refuses(&set, 2, 15) && refuses(&set, 3, 15));
    }

    #[test]
    fn grants_are_forgotten_when_their_tokens_have_expired() {
        let set = EndedGrantSet::new(10);
        set.add([ended(1, 10), ended(2, 20)]);
        set.forget_before(Timestamp::from_millis(20));
        assert!(!refuses(&set, 1, 5) && refuses(&set, 2, 5));
        assert_eq!(lock(&set.by_end).len(), 1);
    }
}
