//! Latency of reports and of the call log with many recorded calls, compared with a tenth of them.
//!
//! Fills two databases with calls spread over thirty days, through the interface that ingest uses, starts a service on
//! each, and sends requests to both in turn. Each figure is the median of rounds in which both services answered one
//! after the other, on one machine, in one run.
//!
//! `make calls` (SQLite, 10,000,000 and 1,000,000 calls), `CALLS=1000000` for fewer, `DATABASE=postgres` for a separate
//! PostgreSQL cluster.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program run by hand")]

mod recorded_calls;

use std::time::{Duration, Instant};

use toolgate_domain::time::{Clock as _, DAY_MS, SystemClock};
use toolgate_testkit::http::Client;
use toolgate_testkit::postgres::{PostgresCluster, PostgresOptions, TestDatabase};
use toolgate_testkit::process::service_binary;
use toolgate_testkit::{Postgres, RunningService};

const ROUNDS: usize = 51;

#[tokio::main]
async fn main() {
    let call_count: u64 = std::env::var("CALLS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let cluster = (std::env::var("DATABASE").as_deref() == Ok("postgres"))
        .then(|| Postgres::private_cluster(PostgresOptions { is_durable: true, ..PostgresOptions::default() }))
        .flatten();
    let small = RecordedService::start(cluster.as_ref(), call_count / 10).await;
    let large = RecordedService::start(cluster.as_ref(), call_count).await;
    println!("{:44} {:>11} {:>11} {:>6}", "median", call_count / 10, call_count, "ratio");
    for (name, path) in requests() {
        let (small_time, large_time) = compare(&small.api, &large.api, &path).await;
        let ratio = large_time.as_secs_f64() / small_time.as_secs_f64();
        println!("{name:44} {:>8.2} ms {:>8.2} ms {ratio:>6.2}", millis(small_time), millis(large_time));
    }
}

/// A service whose database was filled before its start.
struct RecordedService {
    api: Client,
    _app: RunningService,
    _database: Option<TestDatabase>,
}

impl RecordedService {
    async fn start(cluster: Option<&PostgresCluster>, calls: u64) -> Self {
        let database = cluster.map(PostgresCluster::fresh_database);
        let mut builder = RunningService::builder(service_binary());
        if let Some(database) = &database {
            builder = builder.postgres(database.url());
        }
        let mut app = builder.start();
        recorded_calls::create_servers(&app.client()).await;
        app.terminate();
        let began = Instant::now();
        recorded_calls::fill(app.data_dir(), database.as_ref().map(TestDatabase::url), calls).await;
        println!("{calls} calls recorded in {:.0} s", began.elapsed().as_secs_f64());
        app.restart();
        Self { api: app.client(), _app: app, _database: database }
    }
}

/// The measured requests: name and path.
fn requests() -> Vec<(&'static str, String)> {
    let day = |days_ago: i64| {
        let time = SystemClock.now().plus_millis(-days_ago * DAY_MS).to_string();
        time.split('T').next().unwrap_or_default().to_owned()
    };
    vec![
        ("overview", "/analytics/overview".into()),
        ("client breakdown, all time", "/analytics/client-breakdown".into()),
        ("client breakdown, a week", format!("/analytics/client-breakdown?from={}&to={}", day(10), day(4))),
        ("time series, 30 days by hour", format!("/analytics/timeseries?from={}&interval=hour", day(30))),
        ("time series, 30 days by day", format!("/analytics/timeseries?from={}&interval=day", day(30))),
        ("time series, a server", format!("/analytics/timeseries?from={}&interval=hour&server=3", day(30))),
        ("time series, a tool and a client", format!("/analytics/timeseries?from={}&tool=7&client=cursor", day(30))),
        ("tools, 30 days", format!("/analytics/tools?from={}", day(30))),
        ("log, first page of 100", "/calls?per_page=100".into()),
        ("log, a server", "/calls?per_page=100&server=3".into()),
        ("log, a tool", "/calls?per_page=100&tool=7".into()),
        ("log, a client", "/calls?per_page=100&client=cursor".into()),
        ("log, a rare client", "/calls?per_page=100&client=rare".into()),
        ("log, an unknown client", "/calls?per_page=100&client=never-seen".into()),
        ("log, failures", "/calls?per_page=100&status=failed".into()),
        ("log, failures of a tool", "/calls?per_page=100&status=failed&tool=7".into()),
        ("log, a rare reason", "/calls?per_page=100&status=dns".into()),
        ("log, a reason that never occurred", "/calls?per_page=100&status=tls&server=2".into()),
        ("log, a day two weeks ago", format!("/calls?per_page=100&from={}&to={}", day(14), day(14))),
        (
            "log, a tool and a client, four weeks ago",
            format!("/calls?per_page=100&tool=9&client=vscode&to={}", day(28)),
        ),
    ]
}

/// Median latencies of both services, which receive the request in turn.
async fn compare(small: &Client, large: &Client, path: &str) -> (Duration, Duration) {
    let (mut small_times, mut large_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        small_times.push(measure_request(small, path).await);
        large_times.push(measure_request(large, path).await);
    }
    (median(small_times), median(large_times))
}

async fn measure_request(api: &Client, path: &str) -> Duration {
    let began = Instant::now();
    let reply = api.get(path).send().await;
    let elapsed = began.elapsed();
    assert!(reply.status < 300, "{path}: {}", reply.text());
    elapsed
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
