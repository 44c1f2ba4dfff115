//! Time from the start of a process to its first correct response: the minimal gateway (`bench/minimal`), and
//! Toolgate with small and large databases. The files are in the page cache, as after a restart.

use std::time::Instant;

use serde_json::{Value, json};
use toolgate_testkit::RunningService;
use toolgate_testkit::process::CpuTime;

use crate::gateways::{MinimalGatewayProcess, RecordingMode, ServerEndpoint, ToolKind, create_endpoint, start_service};
use crate::growth::servers::{ManyServers, TOOLS_EACH};
use crate::load::{LoadConnection, RequestGenerator};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::ToolCallRequests;
use crate::table::{median, with_separators};

/// Number of starts in each row.
const STARTS: usize = 10;
/// Goal for the largest database.
const GOAL_MS: u64 = 100;
const MINIMAL: &str = "cold start, minimal";
const NO_DATA: &str = "cold start, no data folder";
const ONE_SERVER: &str = "cold start, 1 server";

/// The name of the row with the largest database.
pub(crate) fn large_name(servers: u64) -> String {
    format!("cold start, {} servers", with_separators(servers))
}

pub(crate) async fn run(plan: &Plan, upstream: &Nginx, large: Option<&mut ManyServers>) -> Vec<Value> {
    let mut rows = Vec::new();
    if plan.includes(MINIMAL) {
        rows.push((MINIMAL.to_owned(), measure_minimal_starts(upstream).await, None));
    }
    if plan.includes(NO_DATA) {
        rows.push((NO_DATA.to_owned(), measure_first_starts().await, None));
    }
    if plan.includes(ONE_SERVER) {
        let mut app = start_service(RecordingMode::On);
        let endpoint = create_endpoint(&app.client(), &upstream.origin(), TOOLS_EACH, ToolKind::Plain).await;
        rows.push((ONE_SERVER.to_owned(), measure_restarts(&mut app, &endpoint).await, None));
    }
    let name = large_name(plan.servers);
    if let Some(large) = large.filter(|_| plan.includes(&name)) {
        rows.push((name, measure_restarts(&mut large.app, &large.first).await, Some(GOAL_MS)));
    }
    if !rows.is_empty() {
        println!("\n{:44} {:>9} {:>9} {:>9} {:>9} {:>9}", "", "median ms", "fastest", "slowest", "CPU ms", "goal");
    }
    rows.into_iter().map(|(name, starts, goal_ms)| print_row(&name, &starts, goal_ms)).collect()
}

/// The measured times of one start.
struct ColdStart {
    time_ms: f64,
    /// CPU time of the process. On a busy machine it varies less than `time_ms`.
    cpu_ms: f64,
}

/// Measures consecutive starts on the same data, each after a clean stop.
async fn measure_restarts(app: &mut RunningService, endpoint: &ServerEndpoint) -> Vec<ColdStart> {
    let mut starts = Vec::new();
    for number in 0..STARTS {
        assert!(app.terminate().success(), "the service did not stop cleanly: {}", app.logs());
        let began = Instant::now();
        app.restart();
        let calls = ToolCallRequests::new(endpoint.bare(app), TOOLS_EACH);
        first_response(app.address(), &calls, number).await;
        starts.push(ColdStart::since(began, app.pid()));
    }
    starts
}

/// Measures starts without a data folder. No server exists, so the first response is one of the management API.
async fn measure_first_starts() -> Vec<ColdStart> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let began = Instant::now();
        let app = start_service(RecordingMode::On);
        let settings = app.client().get("/settings").send().await.expect(200).json();
        starts.push(ColdStart::since(began, app.pid()));
        assert!(settings["recording"].is_object(), "{settings}");
    }
    starts
}

async fn measure_minimal_starts(upstream: &Nginx) -> Vec<ColdStart> {
    let mut starts = Vec::new();
    for number in 0..STARTS {
        let began = Instant::now();
        let minimal = MinimalGatewayProcess::start(&upstream.origin(), &json!({"tools": []}));
        let calls = ToolCallRequests::new(minimal.client(), TOOLS_EACH);
        first_response(&minimal.address, &calls, number).await;
        starts.push(ColdStart::since(began, minimal.process.pid()));
    }
    starts
}

/// Sends the first request to a new process and waits for its response.
async fn first_response(address: &str, generator: &dyn RequestGenerator, number: usize) {
    LoadConnection::open(address).await.send(generator, number as u64).await;
}

impl ColdStart {
    /// A start at `began` whose first response has just arrived.
    fn since(began: Instant, pid: u32) -> Self {
        let time_ms = began.elapsed().as_secs_f64() * 1000.0;
        Self { time_ms, cpu_ms: CpuTime::measure(pid).us_since(&CpuTime::default()) / 1000.0 }
    }
}

/// Prints a row and returns it as JSON.
fn print_row(name: &str, starts: &[ColdStart], goal_ms: Option<u64>) -> Value {
    let mut times_ms: Vec<f64> = starts.iter().map(|start| start.time_ms).collect();
    times_ms.sort_by(f64::total_cmp);
    let cpu = median(starts.iter().map(|start| start.cpu_ms).collect());
    let median = median(times_ms.clone());
    let (fastest, slowest) = (times_ms.first(), times_ms.last());
    let goal_text = goal_ms.map_or_else(String::new, |goal| format!("< {goal}"));
    println!(
        "{name:44} {median:>9.1} {:>9.1} {:>9.1} {cpu:>9.1} {goal_text:>9}",
        fastest.copied().unwrap_or_default(),
        slowest.copied().unwrap_or_default()
    );
    json!({"name": name, "milliseconds": times_ms, "median": median, "cpu_milliseconds": cpu, "goal": goal_ms})
}
