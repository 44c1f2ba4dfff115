//! What was asked, how long it took, what was wrong, and what the process holds meanwhile.

use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toolgate_testkit::process::rss_kib;

/// The columns of a [`Sample`].
pub(crate) const HEADINGS: &str = "      s   requests  wrong   RSS KiB  open   p50 ms   p99 ms   max ms";
/// Wrong answers that are told in full.
const TOLD: usize = 10;

/// Filled by those who ask, read every ten seconds.
#[derive(Default)]
pub(crate) struct Gauge {
    requests: AtomicU64,
    /// Tools that came and went.
    changes: AtomicU64,
    /// Of the requests since the last sample.
    times: Mutex<Vec<Duration>>,
    unexpected: Mutex<Unexpected>,
}

/// Answers that should not have been.
#[derive(Clone, Default)]
pub(crate) struct Unexpected {
    pub(crate) count: u64,
    pub(crate) first: Vec<String>,
}

/// The service at one moment.
pub(crate) struct Sample {
    pub(crate) at: Duration,
    pub(crate) rss_kib: u64,
    pub(crate) descriptors: u64,
    requests: u64,
    unexpected: u64,
    /// p50, p99 and the slowest of the ten seconds before.
    times: [Duration; 3],
}

impl Gauge {
    /// A request was answered after this time.
    pub(crate) fn answered(&self, after: Duration) {
        self.counted();
        lock(&self.times).push(after);
    }

    /// A request was answered whose time says nothing about the service.
    pub(crate) fn counted(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn wrong(&self, what: String) {
        let mut unexpected = lock(&self.unexpected);
        unexpected.count += 1;
        if unexpected.first.len() < TOLD {
            unexpected.first.push(what);
        }
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    pub(crate) fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    pub(crate) fn unexpected(&self) -> Unexpected {
        lock(&self.unexpected).clone()
    }

    pub(crate) fn sample(&self, pid: u32, at: Duration) -> Sample {
        let mut times = std::mem::take(&mut *lock(&self.times));
        times.sort_unstable();
        let place = |hundredth: usize| times.get(times.len() * hundredth / 100).or(times.last()).copied();
        Sample {
            at,
            rss_kib: rss_kib(pid),
            descriptors: descriptors(pid),
            requests: self.requests(),
            unexpected: self.unexpected().count,
            times: [50, 99, 100].map(|hundredth| place(hundredth).unwrap_or_default()),
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [p50, p99, max] = self.times.map(|time| time.as_secs_f64() * 1000.0);
        write!(f, "{:>7} {:>10} {:>6} ", self.at.as_secs(), self.requests, self.unexpected)?;
        write!(f, "{:>9} {:>5} {p50:>8.2} {p99:>8.2} {max:>8.2}", self.rss_kib, self.descriptors)
    }
}

fn descriptors(pid: u32) -> u64 {
    fs::read_dir(format!("/proc/{pid}/fd")).expect("the service runs").count() as u64
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
