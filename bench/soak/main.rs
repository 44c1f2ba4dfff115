//! Soak test: mixed load at a steady rate for half an hour. Samples memory, descriptors and latency every ten seconds,
//! and fails if memory or descriptors grew or any response was wrong.
//!
//! The rate is far below the capacity of the machine, so that growth is not caused by overload. The service, its
//! upstream and its clients all use the loopback address.
//!
//! `make soak`; the defaults are `MINUTES=30` and `RATE=300` requests a second.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program run by hand")]

mod load;
mod setup;
mod stats;
mod watchers;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use load::SoakWorker;
use setup::SoakSetup;
use stats::{LoadStats, Sample};

/// Number of clients that send requests.
const WORKERS: u32 = 48;
/// Number of clients that read event streams.
const WATCHERS: u64 = 12;
const SAMPLE_INTERVAL: Duration = Duration::from_secs(10);
/// Samples taken in this time after the start are ignored, because memory grows while caches fill.
const WARM_UP: Duration = Duration::from_mins(5);
/// Time after the start in which the workers send without pauses, so that the allocator reaches its peak during the
/// warm-up. Otherwise a later burst, caused by other load on the machine, would look like growth: the allocator does
/// not return all memory to the system.
const BURST: Duration = Duration::from_secs(30);
/// The median of this many samples after the warm-up is compared with that of as many at the end: one minute each.
const WINDOW_SAMPLES: usize = 6;

#[tokio::main]
async fn main() -> ExitCode {
    let minutes: u64 = env_or("MINUTES", 30);
    let rate: u32 = env_or("RATE", 300);
    let (setup, stats) = (Arc::new(SoakSetup::start().await), Arc::new(LoadStats::default()));
    println!("{minutes} minutes at {rate} requests a second: process {}", setup.app.pid());
    let mut load = JoinSet::new();
    let duration = Duration::from_mins(minutes);
    let (step_interval, burst) = (Duration::from_secs(1) * WORKERS / rate, BURST.min(duration / 6));
    for number in 0..WORKERS {
        load.spawn(SoakWorker::new(number, Arc::clone(&setup), Arc::clone(&stats)).work(step_interval, burst));
    }
    for number in 0..WATCHERS {
        load.spawn(watchers::read_streams_repeatedly(number, Arc::clone(&setup), Arc::clone(&stats)));
    }
    let samples = take_samples(&setup, &stats, duration).await;
    // Workers and watchers run in endless loops, so one that has ended has panicked.
    while let Some(result) = load.try_join_next() {
        stats.record_wrong(format!("a worker or watcher stopped: {result:?}"));
    }
    load.shutdown().await;
    if check_samples(&samples, &stats, duration) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn env_or<T: std::str::FromStr>(variable: &str, default: T) -> T {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Takes and prints a sample every ten seconds until `duration` has passed.
async fn take_samples(setup: &SoakSetup, stats: &LoadStats, duration: Duration) -> Vec<Sample> {
    let began = Instant::now();
    let mut ticks = interval(SAMPLE_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut samples = Vec::new();
    println!("{}", stats::HEADINGS);
    while began.elapsed() < duration {
        ticks.tick().await;
        let sample = stats.sample(setup.app.pid(), began.elapsed());
        println!("{sample}");
        samples.push(sample);
    }
    samples
}

/// Prints the results for memory, descriptors and responses. Returns whether all of them are within their limits.
fn check_samples(samples: &[Sample], stats: &LoadStats, duration: Duration) -> bool {
    let warm_up = WARM_UP.min(duration / 3);
    let after_warm_up: Vec<&Sample> = samples.iter().filter(|sample| sample.elapsed >= warm_up).collect();
    let window = WINDOW_SAMPLES.min(after_warm_up.len() / 2);
    let (first, last) = (&after_warm_up[..window], &after_warm_up[after_warm_up.len() - window..]);
    let [rss_before, rss_after] = [first, last].map(|window| median(window, |sample| sample.rss_kib));
    let [open_before, open_after] = [first, last].map(|window| median(window, |sample| sample.descriptors));
    let wrong_responses = stats.wrong_responses();
    for text in &wrong_responses.first {
        println!("wrong response: {text}");
    }
    let checks = [
        (
            format!("memory: {rss_before} KiB after {} s, {rss_after} KiB at the end", warm_up.as_secs()),
            // Less than 10 % more.
            rss_after * 10 < rss_before * 11,
        ),
        (
            format!("descriptors: {open_before} after {} s, {open_after} at the end", warm_up.as_secs()),
            // At most 10 % more, and four for connections that open and close during the load.
            open_after <= open_before + open_before / 10 + 4,
        ),
        (format!("wrong responses: {} of {}", wrong_responses.count, stats.requests()), wrong_responses.count == 0),
    ];
    for (text, is_ok) in &checks {
        println!("{} {text}", if *is_ok { "ok  " } else { "FAIL" });
    }
    checks.iter().all(|(_, is_ok)| *is_ok)
}

fn median(window: &[&Sample], figure: impl Fn(&Sample) -> u64) -> u64 {
    let mut values: Vec<u64> = window.iter().map(|sample| figure(sample)).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().expect("at least one sample")
}
