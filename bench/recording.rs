//! Cost of recording a call: the journal write on the call path, and the total including the database.
//!
//! The journal write and ingest are measured in this process first, as CPU time of the threads that record calls and of
//! the others; two threads that record at the same time use different journals. The total is the difference between two
//! services, one that records and one that does not, under the same load in turn: CPU time of the process,
//! divided by the number of calls. The tools' responses are cached, so that the figures contain no upstream calls.
//!
//! `make recording`; `CALLS=50000` sets the number of calls in a round, `BINARY=path` another binary of the service.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a command-line program run by hand")]

mod bench_key;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use toolgate_analytics::Recorder;
use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::{Clock as _, SystemClock};
use toolgate_storage::SqlStorage;
use toolgate_testkit::http::Client;
use toolgate_testkit::process::{CpuTime, service_binary, thread_cpu_us};
use toolgate_testkit::{McpClient, MockResponse, RunningService, Upstream};

use bench_key::BenchKey;

/// Values of `TOOLGATE_RECORDING`.
const RECORDING_ON: &str = "on";
const RECORDING_OFF: &str = "off";
/// Number of tools in the server of each service.
const TOOLS: usize = 50;
const CONNECTIONS: usize = 16;
/// Many rounds, because the speed of the machine varies. A round takes longer than the records wait for a batch.
const ROUNDS: usize = 31;

#[tokio::main]
async fn main() {
    let calls: usize = std::env::var("CALLS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    for threads in [1, 2] {
        let RecordingCpu { journal_write_us, ingest_us } = recording_cpu(threads, calls).await;
        println!("{threads} threads: journal write {journal_write_us:.2} us of CPU a call, ingest {ingest_us:.2}");
    }
    let upstream = Upstream::with_handler(|_| MockResponse::json(json!({"a": "x".repeat(900)})));
    let on = MeasuredService::start(RECORDING_ON, &upstream).await;
    let off = MeasuredService::start(RECORDING_OFF, &upstream).await;
    let mut rounds = Vec::new();
    let before = [&on, &off].map(MeasuredService::cpu_time);
    println!("{:>8} {:>14} {:>14} {:>14}", "round", "on, us a call", "off", "difference");
    for number in 0..ROUNDS {
        // The services take turns in being first, so that neither has an advantage.
        let (with, without) = if number.is_multiple_of(2) {
            (on.measure_round(calls).await, off.measure_round(calls).await)
        } else {
            let without = off.measure_round(calls).await;
            (on.measure_round(calls).await, without)
        };
        println!("{number:>8} {with:>14.2} {without:>14.2} {:>14.2}", with - without);
        rounds.push((with, without));
    }
    let fastest = sorted_value(&rounds, |(with, _)| *with, 0) - sorted_value(&rounds, |(_, without)| *without, 0);
    let median = sorted_value(&rounds, |(with, without)| with - without, ROUNDS / 2);
    println!("recording costs {fastest:.2} us of CPU a call by the fastest rounds, {median:.2} by the median of all");
    let calls_of_each = as_f64(ROUNDS * calls);
    for (name, service, before) in [("on", &on, &before[0]), ("off", &off, &before[1])] {
        let times = service.cpu_time().us_by_name_since(before).into_iter();
        let texts = times.map(|(thread, us)| format!("{thread} {:.2}", us / calls_of_each)).collect::<Vec<_>>();
        println!("us a call by thread, recording {name}: {}", texts.join(", "));
    }
}

/// The value at `index` among the sorted figures of all rounds; index 0 is the fastest round. A round has the CPU time
/// with and without recording. Other load on the machine only adds to a figure, so the fastest rounds are the most
/// reliable.
fn sorted_value(rounds: &[(f64, f64)], figure: impl Fn(&(f64, f64)) -> f64, index: usize) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(figure).collect();
    values.sort_by(f64::total_cmp);
    values[index]
}

/// The CPU time of recording in one process, in microseconds a call.
struct RecordingCpu {
    /// Of the threads that record calls.
    journal_write_us: f64,
    /// Of all other threads, which ingest the calls.
    ingest_us: f64,
}

/// Records `calls` calls in each of `threads` threads.
async fn recording_cpu(threads: usize, calls: usize) -> RecordingCpu {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let recorder = open_recorder(folder.path()).await;
    let before = CpuTime::measure(std::process::id());
    let mut writers = JoinSet::new();
    for _ in 0..threads {
        let recorder = Arc::clone(&recorder);
        writers.spawn_blocking(move || record_calls(&recorder, calls));
    }
    let journal_write_us: f64 = writers.join_all().await.into_iter().sum();
    recorder.close(Duration::from_mins(1)).await;
    let all_us = CpuTime::measure(std::process::id()).us_since(&before);
    let calls = as_f64(threads * calls);
    RecordingCpu { journal_write_us: journal_write_us / calls, ingest_us: (all_us - journal_write_us) / calls }
}

/// Records calls in this thread, and returns the CPU time that it used.
fn record_calls(recorder: &Recorder, calls: usize) -> f64 {
    let record = sample_record();
    let before = thread_cpu_us();
    for _ in 0..calls {
        recorder.record(&record);
    }
    thread_cpu_us() - before
}

async fn open_recorder(folder: &Path) -> Arc<Recorder> {
    let url = format!("sqlite://{}", folder.join("toolgate.db").display());
    let storage =
        SqlStorage::open(&url, Arc::new(BenchKey), SystemClock.now()).await.expect("a new database can be created");
    let recorder = Recorder::open(toolgate_analytics::RecorderConfig {
        folder: folder.join("journal"),
        journal_max_bytes: 1 << 30,
        retention_days: 30,
        storage: Arc::new(storage),
        clock: Arc::new(SystemClock),
        journal_number: 1,
        threads: 2,
    });
    recorder.await.expect("a new journal can be created")
}

fn sample_record() -> CallRecord {
    CallRecord {
        at: SystemClock.now(),
        client_name: Some("claude-ai".to_owned()),
        protocol_version: Some("2025-11-25".into()),
        failure: None,
        upstream_status: Some(200),
        duration_us: 12_345,
        upstream_us: 12_000,
        request_bytes: 120,
        response_bytes: 1024,
        request_id: "0123456789abcdef-1f2e3d".to_owned(),
        ..CallRecord::new(UserId(1), ServerId(1), ToolId(1), "claude-desktop".to_owned())
    }
}

/// A service with a server of fifty tools whose responses are cached.
struct MeasuredService {
    app: RunningService,
    api: Client,
    path: String,
}

impl MeasuredService {
    async fn start(recording: &str, upstream: &Upstream) -> Self {
        let app = RunningService::builder(service_binary())
            .env("TOOLGATE_RECORDING", recording)
            .env("TOOLGATE_LOG", "error")
            .start();
        let api = app.client();
        let server = json!({"name": "Bench", "rate_limit_per_min": 10_000_000});
        let server = api.post("/servers").json(server).send().await.expect(201).json();
        for n in 0..TOOLS {
            let tool = json!({"name": format!("tool_{n}"), "endpoint_url": upstream.url("/"), "cache_ttl": 86_400});
            api.post("/servers/1/tools").json(tool).send().await.expect(201);
        }
        let url = server["endpoint_url"].as_str().expect("the server has an endpoint URL");
        // Fills the response cache.
        for n in 0..TOOLS {
            McpClient::new(url).call(&format!("tool_{n}"), json!({})).await;
        }
        let path =
            url.strip_prefix(&app.origin()).expect("the endpoint URL begins with the origin of the service").to_owned();
        Self { app, api, path }
    }

    fn cpu_time(&self) -> CpuTime {
        CpuTime::measure(self.app.pid())
    }

    /// Makes `calls` calls. Returns the CPU time per call, including ingest, in microseconds.
    async fn measure_round(&self, calls: usize) -> f64 {
        self.api.wait_until_ingested().await;
        let before = self.cpu_time();
        let mut connections = JoinSet::new();
        for connection in 0..CONNECTIONS {
            let address = self.app.address().to_owned();
            connections.spawn(call_tools(address, self.path.clone(), connection, calls / CONNECTIONS));
        }
        connections.join_all().await;
        self.api.wait_until_ingested().await;
        self.cpu_time().us_since(&before) / as_f64(calls)
    }
}

/// Calls the tools in turn over one connection, and verifies each response.
async fn call_tools(address: String, path: String, connection: usize, calls: usize) {
    let mut stream = TcpStream::connect(&address).await.expect("the service listens");
    stream.set_nodelay(true).expect("TCP_NODELAY can be set");
    let mut buffer = vec![0; 64 * 1024];
    for call in 0..calls {
        // Unique across connections, as each makes fewer than a million calls.
        let id = connection * 1_000_000 + call;
        let tool = call % TOOLS;
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"tool_{tool}","arguments":{{}}}}}}"#
        );
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await.expect("the service reads");
        let mut filled = 0;
        // The end of a result with one content item.
        while !buffer[..filled].ends_with(b"}]}}") {
            filled += stream.read(&mut buffer[filled..]).await.expect("the service responds");
        }
        let response = String::from_utf8_lossy(&buffer[..filled]);
        assert!(response.contains(&format!("\"id\":{id},\"result\"")), "{response}");
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn as_f64(count: usize) -> f64 {
    count as f64
}
