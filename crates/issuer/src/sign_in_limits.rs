//! Limits guessing at the sign-in page. An attempt is counted as a failure when it starts, so that parallel attempts
//! cannot exceed the limits; if it succeeds, it is removed from the count.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use toolgate_auth::hash_secret;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::sync::lock;

use crate::client_network::client_network;

/// The most failures of one address within the window.
const ADDRESS_FAILURES_MAX: usize = 20;
const ADDRESS_WINDOW: Duration = Duration::from_mins(1);
/// From this number of failures for one user on, the next attempt must wait. Each further failure doubles the delay.
const USER_FAILURES_BEFORE_DELAY: u32 = 5;
const USER_DELAY_MIN: Duration = Duration::from_secs(2);
const USER_DELAY_MAX: Duration = Duration::from_mins(5);
/// The failures for a user are forgotten if there is no attempt for this time.
const USER_FAILURES_TTL: Duration = Duration::from_hours(1);
/// The most addresses, and the most users, that are tracked; beyond that, the least recently seen are forgotten.
const ENTRIES_MAX: u64 = 50_000;

/// How long to wait before the next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RetryLater(Duration);

impl RetryLater {
    pub(crate) fn new(wait: Duration) -> Self {
        Self(wait)
    }

    /// The value of `Retry-After`: whole seconds, at least 1.
    pub(crate) fn seconds(self) -> u64 {
        (self.0.as_secs() + u64::from(self.0.subsec_nanos() > 0)).max(1)
    }
}

#[derive(Debug)]
pub(crate) struct SignInLimits {
    addresses: Cache<IpAddr, Arc<Mutex<VecDeque<Instant>>>>,
    users: Cache<KeyHash, Arc<Mutex<UserFailures>>>,
}

#[derive(Debug, Default)]
struct UserFailures {
    count: u32,
    next_attempt: Option<Instant>,
}

/// An attempt that is counted as a failure unless it succeeds.
#[derive(Debug)]
pub(crate) struct SignInAttempt {
    address: Arc<Mutex<VecDeque<Instant>>>,
    user: Option<Arc<Mutex<UserFailures>>>,
    started: Instant,
}

impl Default for SignInLimits {
    fn default() -> Self {
        let (addresses, users) = (Cache::builder(), Cache::builder());
        let lru = EvictionPolicy::lru;
        Self {
            addresses: addresses.max_capacity(ENTRIES_MAX).time_to_idle(ADDRESS_WINDOW).eviction_policy(lru()).build(),
            users: users.max_capacity(ENTRIES_MAX).time_to_idle(USER_FAILURES_TTL).eviction_policy(lru()).build(),
        }
    }
}

impl SignInLimits {
    /// Starts an attempt. `user` is the name that was typed, whether or not it exists.
    pub(crate) fn begin(&self, address: IpAddr, user: Option<&str>, now: Instant) -> Result<SignInAttempt, RetryLater> {
        let address = self.addresses.get_with(client_network(address), Arc::default);
        count_address_failure(&address, now)?;
        // The hash bounds the memory of an entry, however long the name is.
        let user = user.map(|name| self.users.get_with(hash_secret(&name.to_lowercase()), Arc::default));
        let attempt = SignInAttempt { address, user, started: now };
        if let Some(user) = &attempt.user
            && let Err(later) = lock(user).count_failure(now)
        {
            attempt.forget_address_failure();
            return Err(later);
        }
        Ok(attempt)
    }
}

impl SignInAttempt {
    /// Removes the attempt from the failures.
    pub(crate) fn succeed(self) {
        self.forget_address_failure();
        if let Some(user) = &self.user {
            *lock(user) = UserFailures::default();
        }
    }

    fn forget_address_failure(&self) {
        let mut failures = lock(&self.address);
        if let Some(index) = failures.iter().position(|at| *at == self.started) {
            failures.remove(index);
        }
    }
}

impl UserFailures {
    fn count_failure(&mut self, now: Instant) -> Result<(), RetryLater> {
        if let Some(next) = self.next_attempt.filter(|next| *next > now) {
            return Err(RetryLater(next - now));
        }
        self.count = self.count.saturating_add(1);
        if let Some(doublings) = self.count.checked_sub(USER_FAILURES_BEFORE_DELAY) {
            let factor = 2_u32.saturating_pow(doublings);
            self.next_attempt = Some(now + USER_DELAY_MIN.saturating_mul(factor).min(USER_DELAY_MAX));
        }
        Ok(())
    }
}

fn count_address_failure(failures: &Mutex<VecDeque<Instant>>, now: Instant) -> Result<(), RetryLater> {
    let mut failures = lock(failures);
    while failures.front().is_some_and(|at| now.saturating_duration_since(*at) >= ADDRESS_WINDOW) {
        failures.pop_front();
    }
    match failures.front() {
        Some(oldest) if failures.len() >= ADDRESS_FAILURES_MAX => {
            Err(RetryLater((*oldest + ADDRESS_WINDOW).saturating_duration_since(now)))
        }
        _ => {
            failures.push_back(now);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(result: Result<SignInAttempt, RetryLater>) -> Option<u64> {
        result.err().map(RetryLater::seconds)
    }

    #[test]
    fn an_address_may_fail_20_times_a_minute_and_successes_do_not_count() {
        let (limits, now) = (SignInLimits::default(), Instant::now());
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        for second in 0..20 {
            let at = now + Duration::from_secs(second);
            limits.begin(address("2001:db8::1"), None, at).unwrap();
            limits.begin(address("10.0.0.1"), None, at).unwrap().succeed();
        }
        let end = now + Duration::from_secs(20);
        assert_eq!(seconds(limits.begin(address("2001:db8::2"), None, end)), Some(40));
        assert_eq!(seconds(limits.begin(address("2001:db8:0:1::2"), None, end)), None);
        assert_eq!(seconds(limits.begin(address("10.0.0.1"), None, end)), None);
        assert_eq!(seconds(limits.begin(address("2001:db8::1"), None, now + ADDRESS_WINDOW)), None);
    }

    #[test]
    fn failures_for_a_user_delay_the_next_attempt_longer_and_longer_and_success_ends_it() {
        let (limits, mut now) = (SignInLimits::default(), Instant::now());
        let mut delays = Vec::new();
        for number in 0..15_u8 {
            let address = [10, 0, 0, number].into();
            limits.begin(address, Some("Ada"), now).unwrap();
            if number >= 4 {
                let delay = seconds(limits.begin(address, Some("ada"), now)).unwrap();
                delays.push(delay);
                now += Duration::from_secs(delay);
            }
        }
        assert_eq!(delays, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
        limits.begin([10, 0, 1, 1].into(), Some("ada"), now).unwrap().succeed();
        assert_eq!(seconds(limits.begin([10, 0, 1, 1].into(), Some("ada"), now)), None);
        // An attempt that is refused because of the user does not count for the address.
        assert_eq!(lock(&limits.addresses.get(&IpAddr::from([10, 0, 0, 14])).unwrap()).len(), 1);
    }
}
