//! Counters of refused requests to one server.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use toolgate_domain::refusal::RefusalReason;

const REASONS: usize = RefusalReason::NAMES.len();

/// Refused requests to all servers since the start of the process, by reason.
#[derive(Debug, Default)]
pub(super) struct RefusalSums([AtomicU64; REASONS]);

impl RefusalSums {
    /// The number of refused requests for each reason.
    pub(super) fn counts(&self) -> impl Iterator<Item = (RefusalReason, u64)> {
        RefusalReason::all().zip(self.0.iter().map(|counter| counter.load(Ordering::Relaxed)))
    }
}

/// The refused requests to one server since the last write, by reason.
#[derive(Debug, Default)]
pub struct RefusalCounts {
    unwritten: [AtomicU64; REASONS],
    totals: Arc<RefusalSums>,
}

impl RefusalCounts {
    pub(super) fn new(totals: &Arc<RefusalSums>) -> Self {
        Self { unwritten: Default::default(), totals: Arc::clone(totals) }
    }

    /// Counts a refused request.
    pub fn record(&self, reason: RefusalReason) {
        if let Some(total) = self.totals.0.get(usize::from(reason as u8)) {
            total.fetch_add(1, Ordering::Relaxed);
        }
        self.add(reason, 1);
    }

    /// Adds to the counts that are not written yet.
    pub(super) fn add(&self, reason: RefusalReason, requests: u64) {
        // Only sums are read, so no ordering is needed.
        if let Some(counter) = self.unwritten.get(usize::from(reason as u8)) {
            counter.fetch_add(requests, Ordering::Relaxed);
        }
    }

    /// The counts that are not zero; they are reset.
    pub(super) fn take(&self) -> impl Iterator<Item = (RefusalReason, u64)> {
        let counts = self.unwritten.iter().map(|counter| counter.swap(0, Ordering::Relaxed));
        RefusalReason::all().zip(counts).filter(|(_, requests)| *requests > 0)
    }
}
