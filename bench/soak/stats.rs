//! Statistics of the load: requests, latencies, wrong responses, memory and descriptors.

use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toolgate_testkit::process::rss_kib;

/// The columns of a [`Sample`].
pub(crate) const HEADINGS: &str = "      s   requests  wrong   RSS KiB  open   p50 ms   p99 ms   max ms";
/// Maximum number of wrong responses that are printed in full.
const REPORTED_MAX: usize = 10;

/// Shared counters: the workers and watchers write them, the main task samples them every ten seconds.
#[derive(Default)]
pub(crate) struct LoadStats {
    requests: AtomicU64,
    /// Number of tools that were created, updated and deleted.
    changes: AtomicU64,
    /// Latencies of the requests since the last sample.
    latencies: Mutex<Vec<Duration>>,
    wrong_responses: Mutex<WrongResponses>,
}

/// Responses that were not as expected.
#[derive(Clone, Default)]
pub(crate) struct WrongResponses {
    pub(crate) count: u64,
    /// Descriptions of the first of them, at most [`REPORTED_MAX`].
    pub(crate) first: Vec<String>,
}

/// Measurements of the service at one point in time.
pub(crate) struct Sample {
    /// Time since the start of the load.
    pub(crate) elapsed: Duration,
    pub(crate) rss_kib: u64,
    pub(crate) descriptors: u64,
    requests: u64,
    wrong_responses: u64,
    /// p50, p99 and maximum since the previous sample.
    latencies: [Duration; 3],
}

impl LoadStats {
    /// Counts a request and records its latency.
    pub(crate) fn record_response(&self, latency: Duration) {
        self.count_request();
        lock(&self.latencies).push(latency);
    }

    /// Counts a request without recording a latency: the duration of a stream, or of a call that times out, does not
    /// depend on the service.
    pub(crate) fn count_request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn record_wrong(&self, description: String) {
        let mut wrong_responses = lock(&self.wrong_responses);
        wrong_responses.count += 1;
        if wrong_responses.first.len() < REPORTED_MAX {
            wrong_responses.first.push(description);
        }
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    pub(crate) fn count_change(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    pub(crate) fn wrong_responses(&self) -> WrongResponses {
        lock(&self.wrong_responses).clone()
    }

    /// Takes a sample of the process `pid`. Clears the latencies, so that the next sample contains only new ones.
    pub(crate) fn sample(&self, pid: u32, elapsed: Duration) -> Sample {
        let mut latencies = std::mem::take(&mut *lock(&self.latencies));
        latencies.sort_unstable();
        let percentile = |percent: usize| latencies.get(latencies.len() * percent / 100).or(latencies.last()).copied();
        Sample {
            elapsed,
            rss_kib: rss_kib(pid),
            descriptors: descriptor_count(pid),
            requests: self.requests(),
            wrong_responses: self.wrong_responses().count,
            latencies: [50, 99, 100].map(|percent| percentile(percent).unwrap_or_default()),
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, max] = self.latencies.map(|latency| latency.as_secs_f64() * 1000.0);
        write!(f, "{:>7} {:>10} {:>6} ", self.elapsed.as_secs(), self.requests, self.wrong_responses)?;
        write!(f, "{:>9} {:>5} {p50:>8.2} {p99:>8.2} {max:>8.2}", self.rss_kib, self.descriptors)
    }
}

/// Number of open file descriptors of a process.
fn descriptor_count(pid: u32) -> u64 {
    fs::read_dir(format!("/proc/{pid}/fd")).expect("the service runs").count() as u64
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
