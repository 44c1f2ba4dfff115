//! What reports and the log of calls cost when many calls are recorded, beside what they cost at a tenth of them.
//!
//! Fills two databases with calls spread over thirty days, through the same door as the journal's task, starts a service on
//! each, and asks both in turn: each figure is the median of rounds in which they answered one after the other, on one
//! machine, in one run.
//!
//! `make calls` (SQLite, 10,000,000 and 1,000,000 calls), `CALLS=1000000` for less, `DATABASE=postgres` for a PostgreSQL of
//! its own.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program for people, run by hand")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::call::{CallRecord, FailureReason};
use domain::ids::{ServerId, ToolId, UserId};
use domain::time::{Clock as _, DAY_MS, SystemClock, Timestamp};
use serde_json::json;
use storage::{CallBatch, Calls as _, JournalId, KeySource, Keyring, KeyringError, SqlStorage, Storage as _};
use testkit::http::Client;
use testkit::postgres::{Cluster, ClusterOptions, Database};
use testkit::process::built;
use testkit::{App, Postgres};

const SERVERS: u64 = 10;
const TOOLS_EACH: u64 = 20;
const CLIENTS: [&str; 5] = ["claude-desktop", "cursor", "claude-code", "windsurf", "vscode"];
/// A client and a failure that hardly ever come.
const RARE: u64 = 500_000;
/// Far more than the journal's, so that filling takes minutes: calls of thirty days are far apart, and each batch
/// rewrites the sums of nearly every hour and tool it touches.
const BATCH: usize = 40_000;
const DAYS: i64 = 30;
const ROUNDS: usize = 51;

#[tokio::main]
async fn main() {
    let many: u64 = std::env::var("CALLS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let cluster = (std::env::var("DATABASE").as_deref() == Ok("postgres"))
        .then(|| Postgres::private_cluster(ClusterOptions { is_durable: true, ..ClusterOptions::default() }))
        .flatten();
    let small = Service::filled(cluster.as_ref(), many / 10).await;
    let large = Service::filled(cluster.as_ref(), many).await;
    println!("{:44} {:>11} {:>11} {:>6}", "median", many / 10, many, "ratio");
    for (what, path) in questions() {
        let (at_small, at_large) = compare(&small.api, &large.api, &path).await;
        let ratio = at_large.as_secs_f64() / at_small.as_secs_f64();
        println!("{what:44} {:>8.2} ms {:>8.2} ms {ratio:>6.2}", millis(at_small), millis(at_large));
    }
}

/// A service over a filled database.
struct Service {
    api: Client,
    _app: App,
    _database: Option<Database>,
}

impl Service {
    async fn filled(cluster: Option<&Cluster>, calls: u64) -> Self {
        let database = cluster.map(Cluster::fresh_database);
        let mut builder = App::builder(built("toolgate"));
        if let Some(database) = &database {
            builder = builder.postgres(database.url());
        }
        let mut app = builder.start();
        furnish(&app.client()).await;
        app.terminate();
        let began = Instant::now();
        fill(app.data_dir(), database.as_ref(), calls).await;
        println!("{calls} calls recorded in {:.0} s", began.elapsed().as_secs_f64());
        app.restart();
        Self { api: app.client(), _app: app, _database: database }
    }
}

/// Servers and tools; their ids are counted from 1.
async fn furnish(api: &Client) {
    for server in 1..=SERVERS {
        api.post("/servers").json(json!({"name": format!("Server {server}")})).send().await.expect(201);
        for tool in 0..TOOLS_EACH {
            let tool = json!({"name": format!("tool_{tool}"), "endpoint_url": "https://api.example.com/"});
            api.post(&format!("/servers/{server}/tools")).json(tool).send().await.expect(201);
        }
    }
}

async fn fill(data_dir: &Path, database: Option<&Database>, calls: u64) {
    let sqlite = format!("sqlite://{}", data_dir.join("toolgate.db").display());
    let url = database.map_or(sqlite.as_str(), Database::url);
    let now = SystemClock.now();
    let keys = Arc::new(KeyFile(data_dir.join("encryption-keys")));
    let storage = SqlStorage::open(url, keys, now).await.expect("the service has made the database");
    let journal = JournalId("bench".to_owned());
    storage.open_journal(&journal).await.expect("the journal is new");
    let span = DAYS * DAY_MS / i64::try_from(calls).expect("not that many");
    let begin = now.as_millis() - DAYS * DAY_MS;
    let mut dice = 0x5eed;
    for first in (0..calls).step_by(BATCH) {
        let last = (first + BATCH as u64).min(calls);
        let batch: Vec<_> =
            (first..last).map(|n| call(n, begin + i64::try_from(n).unwrap_or(0) * span, &mut dice)).collect();
        let batch = CallBatch {
            journal: &journal,
            first: first + 1,
            calls: Box::new(batch.into_iter()),
            through: last,
            lost: 0,
        };
        storage.move_calls(batch).await.expect("the batch is taken in");
    }
    storage.close_journal(&journal).await.expect("the journal is known");
    storage.close().await;
}

/// The key file that the service made.
#[derive(Debug)]
struct KeyFile(PathBuf);

impl KeySource for KeyFile {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(std::fs::read_to_string(&self.0).expect("the service made its key file").trim())
    }
}

/// A call like many others, at this moment.
fn call(number: u64, at: i64, dice: &mut u64) -> CallRecord {
    let mut roll = |sides: u64| {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*dice >> 33) % sides
    };
    let tool = roll(SERVERS * TOOLS_EACH);
    let duration_us = 800 + roll(40) * roll(40) * roll(400);
    let client = usize::try_from(roll(CLIENTS.len() as u64)).unwrap_or(0);
    let failure = match number % RARE {
        7 => Some(FailureReason::Dns),
        _ if roll(50) == 0 => Some(FailureReason::Upstream5xx),
        _ => None,
    };
    let server_id = ServerId(i64::try_from(tool / TOOLS_EACH).unwrap_or(0) + 1);
    let tool_id = ToolId(i64::try_from(tool).unwrap_or(0) + 1);
    let client_type = if number % RARE == 11 { "rare" } else { CLIENTS[client] };
    CallRecord {
        at: Timestamp::from_millis(at),
        client_name: Some("A client 1.0".to_owned()),
        protocol_version: Some("2025-11-25".into()),
        failure,
        upstream_status: Some(if failure.is_some() { 503 } else { 200 }),
        duration_us,
        upstream_us: duration_us - 300,
        request_bytes: 40 + roll(200),
        response_bytes: 500 + roll(4000),
        cache_hit: roll(10) == 0,
        request_id: format!("0123456789abcdef-{number:x}"),
        ..CallRecord::begun(UserId(1), server_id, tool_id, client_type.to_owned())
    }
}

/// What is asked: a name and a path.
fn questions() -> Vec<(&'static str, String)> {
    let day = |ago: i64| {
        let moment = SystemClock.now().plus_millis(-ago * DAY_MS).to_string();
        moment.split('T').next().unwrap_or_default().to_owned()
    };
    vec![
        ("overview", "/analytics/overview".into()),
        ("client breakdown, all time", "/analytics/client-breakdown".into()),
        ("client breakdown, a week", format!("/analytics/client-breakdown?from={}&to={}", day(10), day(4))),
        ("time series, 30 days by hour", format!("/analytics/timeseries?from={}&interval=hour", day(30))),
        ("time series, 30 days by day", format!("/analytics/timeseries?from={}&interval=day", day(30))),
        ("time series, a server", format!("/analytics/timeseries?from={}&interval=hour&server=3", day(30))),
        ("time series, a tool and a client", format!("/analytics/timeseries?from={}&tool=7&client=cursor", day(30))),
        ("tools", format!("/analytics/tools?from={}", day(30))),
        ("log, first page", "/calls?per_page=100".into()),
        ("log, a server", "/calls?per_page=100&server=3".into()),
        ("log, a tool", "/calls?per_page=100&tool=7".into()),
        ("log, a client", "/calls?per_page=100&client=cursor".into()),
        ("log, a rare client", "/calls?per_page=100&client=rare".into()),
        ("log, a client that never came", "/calls?per_page=100&client=nobody".into()),
        ("log, failures", "/calls?per_page=100&status=failed".into()),
        ("log, failures of a tool", "/calls?per_page=100&status=failed&tool=7".into()),
        ("log, a rare reason", "/calls?per_page=100&status=dns".into()),
        ("log, a reason that never was", "/calls?per_page=100&status=tls&server=2".into()),
        ("log, a day two weeks ago", format!("/calls?per_page=100&from={}&to={}", day(14), day(14))),
        ("log, a tool's client a month ago", format!("/calls?per_page=100&tool=9&client=vscode&to={}", day(28))),
    ]
}

/// Asks both services in turn.
async fn compare(small: &Client, large: &Client, path: &str) -> (Duration, Duration) {
    let (mut at_small, mut at_large) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        at_small.push(timed(small, path).await);
        at_large.push(timed(large, path).await);
    }
    (middle(at_small), middle(at_large))
}

async fn timed(api: &Client, path: &str) -> Duration {
    let began = Instant::now();
    let reply = api.get(path).send().await;
    let took = began.elapsed();
    assert!(reply.status < 300, "{path}: {}", reply.text());
    took
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
