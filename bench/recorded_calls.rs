//! CallStore of thirty days, recorded through the same door as the journal's task: for benches that need many.

use std::path::{Path, PathBuf};
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
/// A client and a failure that hardly ever come.
const RARE: u64 = 500_000;
/// Far more than the journal's, so that filling takes minutes: calls of thirty days are far apart, and each batch
/// rewrites the sums of nearly every hour and tool it touches.
const BATCH: usize = 40_000;
const DAYS: i64 = 30;

/// Servers and tools; their ids are counted from 1.
pub(crate) async fn create_servers(api: &Client) {
    for server in 1..=SERVERS {
        api.post("/servers").json(json!({"name": format!("Server {server}")})).send().await.expect(201);
        for tool in 0..TOOLS_EACH {
            let tool = json!({"name": format!("tool_{tool}"), "endpoint_url": "https://api.example.com/"});
            api.post(&format!("/servers/{server}/tools")).json(tool).send().await.expect(201);
        }
    }
}

/// Records calls of the last thirty days in a database whose service does not run.
pub(crate) async fn fill(data_dir: &Path, postgres: Option<&str>, calls: u64) {
    let sqlite = format!("sqlite://{}", data_dir.join("toolgate.db").display());
    let url = postgres.unwrap_or(&sqlite);
    let now = SystemClock.now();
    let keys = Arc::new(BenchKeyFile(data_dir.join("encryption-keys")));
    let storage = SqlStorage::open(url, keys, now).await.expect("the service has made the database");
    let journal = JournalId("bench".to_owned());
    storage.open_journal(&journal).await.expect("the journal is new");
    fill_from(&storage, &journal, calls, now).await;
    storage.close_journal(&journal).await.expect("the journal is known");
    storage.close().await;
}

async fn fill_from(storage: &SqlStorage, journal: &JournalId, calls: u64, now: Timestamp) {
    let span = DAYS * DAY_MS / i64::try_from(calls).expect("not that many");
    let begin = now.as_millis() - DAYS * DAY_MS;
    let mut seed = 0x5eed;
    for first in (0..calls).step_by(BATCH) {
        let last = (first + BATCH as u64).min(calls);
        let batch: Vec<_> =
            (first..last).map(|n| call(n, begin + i64::try_from(n).unwrap_or(0) * span, &mut seed)).collect();
        let batch = CallBatch { journal, first: first + 1, calls: Box::new(batch.into_iter()), through: last, lost: 0 };
        storage.ingest_calls(batch).await.expect("the batch is taken in");
    }
}

/// The key file that the service made.
#[derive(Debug)]
struct BenchKeyFile(PathBuf);

impl KeySource for BenchKeyFile {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(std::fs::read_to_string(&self.0).expect("the service made its key file").trim())
    }
}

/// A call like many others, at this moment.
fn call(number: u64, at: i64, seed: &mut u64) -> CallRecord {
    let mut random = |sides: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % sides
    };
    let tool = random(SERVERS * TOOLS_EACH);
    let duration_us = 800 + random(40) * random(40) * random(400);
    let client = usize::try_from(random(CLIENTS.len() as u64)).unwrap_or(0);
    let failure = match number % RARE {
        7 => Some(FailureReason::Dns),
        _ if random(50) == 0 => Some(FailureReason::Upstream5xx),
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
        request_bytes: 40 + random(200),
        response_bytes: 500 + random(4000),
        cache_hit: random(10) == 0,
        request_id: format!("0123456789abcdef-{number:x}"),
        ..CallRecord::new(UserId(1), server_id, tool_id, client_type.to_owned())
    }
}
