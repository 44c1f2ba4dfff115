//! Counters of the calls, for each phase of the run, and the request ids of all acknowledged calls.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::load::as_f64;

/// Maximum number of failures that are printed in full.
const REPORTED_MAX: usize = 5;

/// The outcome of one attempt to call a tool.
pub(crate) enum AttemptOutcome {
    /// The call returned its result; the text is its request id.
    Acknowledged(String),
    /// The rate limit refused the call.
    Refused,
    /// The node was killed during the call, which got no response.
    Cut,
    Failed(String),
}

impl AttemptOutcome {
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Self::Cut)
    }
}

/// The calls of one phase.
pub(crate) struct PhaseStats {
    pub(crate) name: &'static str,
    began: Instant,
    pub(crate) elapsed: Duration,
    last_success: Instant,
    pub(crate) acknowledged: u64,
    pub(crate) refused: u64,
    pub(crate) cut: u64,
    pub(crate) failed: u64,
    /// Descriptions of the first failures.
    pub(crate) failures: Vec<String>,
    /// The longest time without a successful call.
    pub(crate) longest_gap: Duration,
    /// Latencies of successful calls; sorted when the phase ends.
    pub(crate) latencies: Vec<Duration>,
}

impl PhaseStats {
    fn new(name: &'static str) -> Self {
        let now = Instant::now();
        Self {
            name,
            began: now,
            elapsed: Duration::ZERO,
            last_success: now,
            acknowledged: 0,
            refused: 0,
            cut: 0,
            failed: 0,
            failures: Vec::new(),
            longest_gap: Duration::ZERO,
            latencies: Vec::new(),
        }
    }

    fn record_gap(&mut self, now: Instant) {
        self.longest_gap = self.longest_gap.max(now - self.last_success);
        self.last_success = now;
    }

    pub(crate) fn calls_per_second(&self) -> f64 {
        as_f64(self.acknowledged) / self.elapsed.as_secs_f64()
    }

    /// A percentile of the latencies of a phase that has ended.
    pub(crate) fn latency(&self, percent: usize) -> Duration {
        percentile(&self.latencies, percent)
    }
}

/// A percentile of sorted durations; zero if there are none.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get(sorted.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default()
}

/// Shared by the clients: the current phase, and the ids of all acknowledged calls.
pub(crate) struct CallStats {
    phase: Mutex<PhaseStats>,
    request_ids: Mutex<HashSet<String>>,
}

impl CallStats {
    pub(crate) fn new(first_phase: &'static str) -> Self {
        Self { phase: Mutex::new(PhaseStats::new(first_phase)), request_ids: Mutex::default() }
    }

    pub(crate) fn record(&self, outcome: &AttemptOutcome, latency: Duration) {
        let mut phase = lock(&self.phase);
        match outcome {
            AttemptOutcome::Acknowledged(request_id) => {
                phase.acknowledged += 1;
                phase.latencies.push(latency);
                phase.record_gap(Instant::now());
                lock(&self.request_ids).insert(request_id.clone());
            }
            AttemptOutcome::Refused => phase.refused += 1,
            AttemptOutcome::Cut => phase.cut += 1,
            AttemptOutcome::Failed(description) => {
                phase.failed += 1;
                if phase.failures.len() < REPORTED_MAX {
                    phase.failures.push(description.clone());
                }
            }
        }
    }

    /// Ends the current phase and begins another one.
    pub(crate) fn begin_phase(&self, name: &'static str) -> PhaseStats {
        let mut ended = std::mem::replace(&mut *lock(&self.phase), PhaseStats::new(name));
        let now = Instant::now();
        ended.record_gap(now);
        ended.elapsed = now - ended.began;
        ended.latencies.sort_unstable();
        ended
    }

    pub(crate) fn request_ids(&self) -> HashSet<String> {
        lock(&self.request_ids).clone()
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
