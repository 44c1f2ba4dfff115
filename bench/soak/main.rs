//! Whether the service stays as it is: mixed load at a steady rate for half an hour, with what it takes of memory and
//! descriptors and how fast it answers, every ten seconds; at the end, whether anything grew and anything was wrong.
//!
//! The rate is far below what a machine can do, so that what grows does so by itself. Everything happens on the loopback
//! address: the service, its upstream and its clients.
//!
//! `make soak`; `MINUTES=30` and `RATE=300` requests a second are the defaults.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program for people, run by hand")]

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

const WORKERS: u32 = 48;
const WATCHERS: u64 = 12;
const SAMPLE_INTERVAL: Duration = Duration::from_secs(10);
/// What a service takes while its caches fill is not growth.
const WARM_UP: Duration = Duration::from_mins(5);
/// It begins with as much at once as there are workers. A machine that is busy with other things does the same to the
/// service now and then, and an allocator keeps what was needed once: that is not growth either.
const BURST: Duration = Duration::from_secs(30);
/// Samples that are looked at together at either end: a minute.
const WINDOW: usize = 6;

#[tokio::main]
async fn main() -> ExitCode {
    let minutes: u64 = number("MINUTES", 30);
    let rate: u32 = number("RATE", 300);
    let (setup, stats) = (Arc::new(SoakSetup::start().await), Arc::new(LoadStats::default()));
    println!("{minutes} minutes at {rate} requests a second: process {}", setup.app.pid());
    let mut load = JoinSet::new();
    let lasts = Duration::from_mins(minutes);
    let (pace, burst) = (Duration::from_secs(1) * WORKERS / rate, BURST.min(lasts / 6));
    for number in 0..WORKERS {
        load.spawn(SoakWorker::new(number, Arc::clone(&setup), Arc::clone(&stats)).work(pace, burst));
    }
    for number in 0..WATCHERS {
        load.spawn(watchers::watch_repeatedly(number, Arc::clone(&setup), Arc::clone(&stats)));
    }
    let samples = watch(&setup, &stats, lasts).await;
    while let Some(ended) = load.try_join_next() {
        stats.record_wrong(format!("a worker stopped: {ended:?}"));
    }
    load.shutdown().await;
    let is_fine = verdict(&samples, &stats, lasts);
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn number<T: std::str::FromStr>(variable: &str, default: T) -> T {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A line every ten seconds until the time is over.
async fn watch(setup: &SoakSetup, stats: &LoadStats, lasts: Duration) -> Vec<Sample> {
    let began = Instant::now();
    let mut ticks = interval(SAMPLE_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut samples = Vec::new();
    println!("{}", stats::HEADINGS);
    while began.elapsed() < lasts {
        ticks.tick().await;
        let sample = stats.sample(setup.app.pid(), began.elapsed());
        println!("{sample}");
        samples.push(sample);
    }
    samples
}

/// Says what became of memory, descriptors and answers; whether all is as it should be.
fn verdict(samples: &[Sample], stats: &LoadStats, lasts: Duration) -> bool {
    let warm_up = WARM_UP.min(lasts / 3);
    let warm: Vec<&Sample> = samples.iter().filter(|sample| sample.at >= warm_up).collect();
    let window = WINDOW.min(warm.len() / 2);
    let (first, last) = (&warm[..window], &warm[warm.len() - window..]);
    let [rss_before, rss_after] = [first, last].map(|window| median(window, |sample| sample.rss_kib));
    let [open_before, open_after] = [first, last].map(|window| median(window, |sample| sample.descriptors));
    let wrong_responses = stats.wrong_responses();
    for text in &wrong_responses.first {
        println!("unexpected: {text}");
    }
    let verdicts = [
        (
            format!("memory after {} s: {rss_before} KiB, at the end {rss_after} KiB", warm_up.as_secs()),
            rss_after * 10 < rss_before * 11,
        ),
        (
            format!("descriptors: {open_before}, at the end {open_after}"),
            open_after <= open_before + open_before / 10 + 4,
        ),
        (format!("wrong responses: {} of {}", wrong_responses.count, stats.requests()), wrong_responses.count == 0),
    ];
    for (text, is_fine) in &verdicts {
        println!("{} {text}", if *is_fine { "ok  " } else { "FAIL" });
    }
    verdicts.iter().all(|(_, is_fine)| *is_fine)
}

fn median(window: &[&Sample], of: impl Fn(&Sample) -> u64) -> u64 {
    let mut values: Vec<u64> = window.iter().map(|sample| of(sample)).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().expect("at least one sample")
}
