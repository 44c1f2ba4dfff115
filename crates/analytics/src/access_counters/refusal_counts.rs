//! Counters of refused requests to one server.

use std::sync::atomic::{AtomicU64, Ordering};

use toolgate_domain::refusal::RefusalReason;

const REASONS: usize = RefusalReason::NAMES.len();

/// The refused requests to one server since the last write, by reason.
#[derive(Debug, Default)]
pub struct RefusalCounts([AtomicU64; REASONS]);

impl RefusalCounts {
    /// Counts a refused request.
    pub fn record(&self, reason: RefusalReason) {
        self.add(reason, 1);
    }

    pub(super) fn add(&self, reason: RefusalReason, requests: u64) {
        // Only sums are read, so no ordering is needed.
        if let Some(counter) = self.0.get(usize::from(reason as u8)) {
            counter.fetch_add(requests, Ordering::Relaxed);
        }
    }

    /// The counts that are not zero; they are reset.
    pub(super) fn take(&self) -> impl Iterator<Item = (RefusalReason, u64)> {
        let counts = self.0.iter().map(|counter| counter.swap(0, Ordering::Relaxed));
        RefusalReason::all().zip(counts).filter(|(_, requests)| *requests > 0)
    }
}
