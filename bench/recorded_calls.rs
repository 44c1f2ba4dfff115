//! Generates calls of thirty days and stores them through the interface that ingest uses, for benches that need many
//! recorded calls.

use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use serde_json::json;
use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::{Clock as _, DAY_MS, SystemClock, Timestamp};
use toolgate_storage::{
    CallBatch, CallStore as _, JournalId, KeySource, Keyring, KeyringError, SqlStorage, Storage as _,
};
use toolgate_testkit::http::Client;

const SERVERS: u64 = 10;
const TOOLS_EACH: u64 = 20;
const CLIENTS: [&str; 5] = ["claude-desktop", "cursor", "claude-code", "windsurf", "vscode"];
/// The rare client type and the rare failure occur once in this many calls.
const RARE_INTERVAL: u64 = 500_000;
/// The position of the rare failure and of a call by the rare client in each interval. The values are arbitrary, but
/// different: the rare failure is not a call of the rare client.
const RARE_FAILURE_POSITION: u64 = 7;
const RARE_CLIENT_POSITION: u64 = 11;
/// Number of calls in a batch. Larger than in ingest, because a batch rewrites the rollup of every hour and tool in it,
/// and generated calls are spread over many hours: with smaller batches the same calls would take much longer.
const BATCH_CALLS: usize = 40_000;
const DAYS: i64 = 30;

/// Creates the servers and tools. The database must be empty: the generated calls expect ids that start at 1.
pub(crate) async fn create_servers(api: &Client) {
    for server in 1..=SERVERS {
        api.post("/servers").json(json!({"name": format!("Server {server}")})).send().await.expect(201);
        for tool in 0..TOOLS_EACH {
            let tool = json!({"name": format!("tool_{tool}"), "endpoint_url": "https://api.example.com/"});
            api.post(&format!("/servers/{server}/tools")).json(tool).send().await.expect(201);
        }
    }
}

/// Records calls of the last thirty days in a database whose service is stopped.
pub(crate) async fn fill(data_dir: &Path, postgres_url: Option<&str>, calls: u64) {
    let sqlite = format!("sqlite://{}", data_dir.join("toolgate.db").display());
    let url = postgres_url.unwrap_or(&sqlite);
    let now = SystemClock.now();
    let keys = Arc::new(BenchKeyFile(data_dir.join("encryption-keys")));
    let storage = SqlStorage::open(url, keys, now).await.expect("the service created the database");
    let journal = JournalId("bench".to_owned());
    storage.open_journals(slice::from_ref(&journal)).await.expect("the journal is new");
    ingest(&storage, &journal, calls, now).await;
    storage.close_journal(&journal).await.expect("the journal is open");
    storage.close().await;
}

async fn ingest(storage: &SqlStorage, journal: &JournalId, calls: u64, now: Timestamp) {
    let interval_ms = DAYS * DAY_MS / i64::try_from(calls).expect("the number of calls fits into an i64");
    let begin_ms = now.as_millis() - DAYS * DAY_MS;
    let mut seed = 0x5eed;
    for first in (0..calls).step_by(BATCH_CALLS) {
        let end = (first + BATCH_CALLS as u64).min(calls);
        let batch: Vec<_> =
            (first..end).map(|n| call(n, begin_ms + i64::try_from(n).unwrap_or(0) * interval_ms, &mut seed)).collect();
        let batch = CallBatch { journal, first: first + 1, calls: Box::new(batch.into_iter()), through: end, lost: 0 };
        storage.ingest_calls(vec![batch]).await.expect("the batch is ingested");
    }
}

/// The key file that the service created.
#[derive(Debug)]
struct BenchKeyFile(PathBuf);

impl KeySource for BenchKeyFile {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(std::fs::read_to_string(&self.0).expect("the service created its key file").trim())
    }
}

/// A pseudo-random call at the given time. Updates `seed`, the state of the random number generator.
fn call(number: u64, at_ms: i64, seed: &mut u64) -> CallRecord {
    let mut random = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of a linear congruential generator have short periods.
        (*seed >> 33) % below
    };
    let tool = random(SERVERS * TOOLS_EACH);
    let duration_us = 800 + random(40) * random(40) * random(400);
    let client = usize::try_from(random(CLIENTS.len() as u64)).unwrap_or(0);
    let failure = match number % RARE_INTERVAL {
        RARE_FAILURE_POSITION => Some(FailureReason::Dns),
        _ if random(50) == 0 => Some(FailureReason::Upstream5xx),
        _ => None,
    };
    let upstream_status = match failure {
        None => Some(200),
        Some(FailureReason::Upstream5xx) => Some(503),
        Some(_) => None,
    };
    let server_id = ServerId(i64::try_from(tool / TOOLS_EACH).unwrap_or(0) + 1);
    let tool_id = ToolId(i64::try_from(tool).unwrap_or(0) + 1);
    let client_type = if number % RARE_INTERVAL == RARE_CLIENT_POSITION { "rare" } else { CLIENTS[client] };
    CallRecord {
        at: Timestamp::from_millis(at_ms),
        client_name: Some("A client 1.0".to_owned()),
        protocol_version: Some("2025-11-25".into()),
        failure,
        upstream_status,
        duration_us,
        upstream_us: duration_us - 300,
        request_bytes: 40 + random(200),
        response_bytes: 500 + random(4000),
        cache_hit: random(10) == 0,
        request_id: format!("0123456789abcdef-{number:x}"),
        ..CallRecord::new(UserId(1), server_id, tool_id, client_type.to_owned())
    }
}
