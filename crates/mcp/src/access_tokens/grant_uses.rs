//! The last use of grants, recorded without a lock by every request with a token.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use toolgate_analytics::KeyLastUse;
use toolgate_domain::ids::GrantId;
use toolgate_domain::time::Timestamp;

/// The most grants whose last use is tracked at a time.
const USED_GRANTS_MAX: u64 = 100_000;
/// A grant that is not used for this time is removed from `used`. A slot of `latest` holds its counter until another
/// grant replaces it.
const USED_GRANT_IDLE_TIMEOUT: Duration = Duration::from_mins(10);
/// Number of slots. Each holds the counter of one grant; another grant with the same slot replaces it.
const SLOTS: i64 = 4096;

pub(super) struct GrantUses {
    /// The counters of the grants that were used recently: cheaper than a lookup in `used`.
    latest: Box<[ArcSwapOption<GrantUse>]>,
    used: moka::sync::Cache<GrantId, Arc<KeyLastUse>>,
}

struct GrantUse {
    grant: GrantId,
    last_use: Arc<KeyLastUse>,
}

impl GrantUses {
    pub(super) fn new() -> Self {
        let used = moka::sync::Cache::builder().max_capacity(USED_GRANTS_MAX).time_to_idle(USED_GRANT_IDLE_TIMEOUT);
        Self { latest: (0..SLOTS).map(|_| ArcSwapOption::empty()).collect(), used: used.build() }
    }

    /// Records that a grant was used. `counter` returns the counter of a grant that is used for the first time.
    pub(super) fn record(&self, grant: GrantId, now: Timestamp, counter: impl FnOnce() -> Arc<KeyLastUse>) {
        // Successive ids have different slots.
        let slot = self.latest.get(usize::try_from(grant.0.rem_euclid(SLOTS)).unwrap_or_default());
        if let Some(slot) = slot
            && let Some(latest) = &*slot.load()
            && latest.grant == grant
        {
            latest.last_use.record(now);
            return;
        }
        let last_use = self.used.get(&grant).unwrap_or_else(|| self.used.get_with(grant, counter));
        last_use.record(now);
        if let Some(slot) = slot {
            slot.store(Some(Arc::new(GrantUse { grant, last_use })));
        }
    }
}
