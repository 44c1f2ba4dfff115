//! Time of an ingest transaction on PostgreSQL, by the number of its calls and tools and of the nodes that ingest at the
//! same time, with the calls a second that all nodes ingest and the bytes that a call uses in the database.
//!
//! Each row has its own database, into which each node ingests batches without a pause. `make ingest`, `SECONDS=n` for
//! each row.

#![expect(clippy::print_stdout, clippy::expect_used, clippy::cast_precision_loss, reason = "a program run by hand")]

mod bench_key;

use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::{Clock as _, SystemClock};
use toolgate_storage::{CallBatch, CallStore as _, JournalId, SqlStorage, Storage as _};
use toolgate_testkit::Postgres;
use toolgate_testkit::postgres::{PostgresCluster, PostgresOptions, TestDatabase};

use bench_key::BenchKey;

/// Nodes that ingest at the same time, calls in a batch, and tools that are called equally often.
const ROWS: [(u64, u64, u64); 8] = [
    (1, 100, 1),
    (1, 1_000, 1),
    (1, 1_000, 1_000),
    (1, 32_000, 1),
    (1, 32_000, 4_000),
    (3, 1_000, 100),
    (10, 1_000, 1),
    (10, 1_000, 100),
];
/// Each owner has this many tools.
const TOOLS_PER_OWNER: u64 = 10;

#[tokio::main]
async fn main() {
    let time = Duration::from_secs(std::env::var("SECONDS").ok().and_then(|n| n.parse().ok()).unwrap_or(10));
    let options = PostgresOptions { is_durable: true, ..PostgresOptions::default() };
    let cluster = Postgres::private_cluster(options).expect("PostgreSQL is installed");
    println!(
        "{:>5} {:>8} {:>7} {:>10} {:>10} {:>12} {:>12}",
        "nodes", "calls", "tools", "median", "p99", "calls/s", "bytes a call"
    );
    for (nodes, calls, tools) in ROWS {
        let database = cluster.fresh_database();
        let IngestFigures { times, ingested, bytes } = measure(&cluster, &database, nodes, (calls, tools), time).await;
        let [median, p99] = [50, 99].map(|percent| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0);
        let (rate, bytes) = (ingested as f64 / time.as_secs_f64(), bytes as f64 / ingested as f64);
        println!("{nodes:>5} {calls:>8} {tools:>7} {median:>7.1} ms {p99:>7.1} ms {rate:>12.0} {bytes:>12.0}");
    }
}

/// What the nodes of a row did.
struct IngestFigures {
    /// Times of the transactions, with the wait for those of other nodes, in ascending order.
    times: Vec<Duration>,
    /// The number of calls.
    ingested: u64,
    /// How much the database has grown.
    bytes: u64,
}

async fn measure(
    cluster: &PostgresCluster,
    database: &TestDatabase,
    nodes: u64,
    batch: (u64, u64),
    time: Duration,
) -> IngestFigures {
    let mut storages = Vec::new();
    for _ in 0..nodes {
        let storage = SqlStorage::open(database.url(), Arc::new(BenchKey), SystemClock.now()).await;
        storages.push(Arc::new(storage.expect("the database is new")));
    }
    let size = || {
        let text = database.psql("SELECT pg_database_size(current_database())");
        text.trim().parse::<u64>().unwrap_or_default()
    };
    let before = size();
    let mut tasks = JoinSet::new();
    for (number, storage) in storages.iter().enumerate() {
        tasks.spawn(ingest_batches(Arc::clone(storage), number, batch, time));
    }
    let mut times: Vec<Duration> = tasks.join_all().await.into_iter().flatten().collect();
    times.sort_unstable();
    assert!(cluster.is_running(), "{}", cluster.logs());
    let figures = IngestFigures { ingested: times.len() as u64 * batch.0, times, bytes: size().saturating_sub(before) };
    for storage in storages {
        storage.close().await;
    }
    figures
}

/// Ingests batches of one node, one after the other; returns the time of each.
async fn ingest_batches(
    storage: Arc<SqlStorage>,
    node: usize,
    (calls, tools): (u64, u64),
    time: Duration,
) -> Vec<Duration> {
    let journal = JournalId(format!("node {node}"));
    storage.open_journals(slice::from_ref(&journal)).await.expect("the journal is new");
    let (began, mut times, mut first) = (Instant::now(), Vec::new(), 1);
    while began.elapsed() < time {
        let records: Vec<_> = (0..calls).map(|number| call(number, calls, tools)).collect();
        let (calls_of_batch, through) = (Box::new(records.into_iter()), first + calls - 1);
        let batch = CallBatch { journal: &journal, first, calls: calls_of_batch, through, lost: 0 };
        let began = Instant::now();
        storage.ingest_calls(vec![batch]).await.expect("the batch is ingested");
        times.push(began.elapsed());
        first += calls;
    }
    times
}

/// A call of the last second.
fn call(number: u64, calls: u64, tools: u64) -> CallRecord {
    let id = |number: u64| i64::try_from(number).unwrap_or_default() + 1;
    let tool = number % tools;
    let age_ms = 1000 - id(number) * 1000 / id(calls);
    CallRecord {
        at: SystemClock.now().plus_millis(-age_ms),
        failure: None,
        upstream_status: Some(200),
        duration_us: 1500 + number % 1000,
        upstream_us: 1200,
        request_bytes: 60,
        response_bytes: 1000,
        client_name: Some("A client 1.0".to_owned()),
        protocol_version: Some("2025-11-25".into()),
        request_id: format!("0123456789abcdef-{number:x}"),
        ..CallRecord::new(
            UserId(id(tool / TOOLS_PER_OWNER)),
            ServerId(id(tool / TOOLS_PER_OWNER)),
            ToolId(id(tool)),
            "claude-desktop".to_owned(),
        )
    }
}
