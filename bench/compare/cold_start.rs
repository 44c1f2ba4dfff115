//! From the start of a process to its first right answer: of the minimal program, and of Toolgate with an empty database
//! and a full one. Files are in the system's memory by then, as after a restart.

use std::time::Instant;

use serde_json::{Value, json};
use toolgate_testkit::App;
use toolgate_testkit::process::CpuTime;

use crate::asks::Call;
use crate::gateways::{Endpoint, Minimal, endpoint_of, serving};
use crate::growth::servers::{Filled, TOOLS_EACH};
use crate::load::{Ask, Connection};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::table::median;

const STARTS: usize = 10;
const GOAL_MS: u64 = 100;
const MINIMAL: &str = "cold start, minimal";
const NEW: &str = "cold start, no data folder yet";
const SMALL: &str = "cold start, 1 server";
/// Its row says how many servers there are.
pub(crate) const LARGE: &str = "cold start, many servers";

pub(crate) async fn run(plan: &Plan, upstream: &Nginx, large: Option<&mut Filled>) -> Vec<Value> {
    let mut rows = Vec::new();
    if plan.wants(MINIMAL) {
        rows.push((MINIMAL.to_owned(), of_minimal(upstream).await));
    }
    if plan.wants(NEW) {
        rows.push((NEW.to_owned(), without_data().await));
    }
    if plan.wants(SMALL) {
        let mut app = serving("on");
        let endpoint = endpoint_of(&app.client(), &upstream.origin(), TOOLS_EACH, 0).await;
        rows.push((SMALL.to_owned(), restarts(&mut app, &endpoint).await));
    }
    if let Some(large) = large.filter(|_| plan.wants(LARGE)) {
        let name = format!("{LARGE}: {}", large.servers);
        rows.push((name, restarts(&mut large.app, &large.first).await));
    }
    if !rows.is_empty() {
        println!("\n{:44} {:>9} {:>9} {:>9} {:>9} {:>9}", "", "median ms", "fastest", "slowest", "CPU ms", "goal");
    }
    rows.into_iter().map(|(name, starts)| print(&name, &starts)).collect()
}

/// What one took, in milliseconds.
struct Start {
    time: f64,
    /// Of the process: says more than the time where the machine has other things to do.
    cpu: f64,
}

/// One start after the other on the same data, each after a clean stop.
async fn restarts(app: &mut App, endpoint: &Endpoint) -> Vec<Start> {
    let mut starts = Vec::new();
    for number in 0..STARTS {
        assert!(app.terminate().success(), "it did not stop: {}", app.logs());
        let began = Instant::now();
        app.restart();
        let call = Call::of(endpoint.bare(app), TOOLS_EACH);
        first_answer(app.address(), &call, number).await;
        starts.push(Start::since(began, app.pid()));
    }
    starts
}

/// Nobody can be called yet, so it is the management API that answers.
async fn without_data() -> Vec<Start> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let began = Instant::now();
        let app = serving("on");
        let settings = app.client().get("/settings").send().await.expect(200).json();
        starts.push(Start::since(began, app.pid()));
        assert!(settings["recording"].is_object(), "{settings}");
    }
    starts
}

async fn of_minimal(upstream: &Nginx) -> Vec<Start> {
    let mut starts = Vec::new();
    for number in 0..STARTS {
        let began = Instant::now();
        let minimal = Minimal::start(&upstream.origin(), &json!({"tools": []}));
        let call = Call::of(minimal.caller(), TOOLS_EACH);
        first_answer(&minimal.address, &call, number).await;
        starts.push(Start::since(began, minimal.process.id()));
    }
    starts
}

async fn first_answer(address: &str, ask: &dyn Ask, number: usize) {
    Connection::open(address).await.ask(ask, number as u64).await;
}

impl Start {
    /// What has been used by now, when the answer is here.
    fn since(began: Instant, pid: u32) -> Self {
        let time = began.elapsed().as_secs_f64() * 1000.0;
        Self { time, cpu: CpuTime::of(pid).us_since(&CpuTime::default()) / 1000.0 }
    }
}

fn print(name: &str, starts: &[Start]) -> Value {
    let mut times: Vec<f64> = starts.iter().map(|start| start.time).collect();
    times.sort_by(f64::total_cmp);
    let cpu = median(starts.iter().map(|start| start.cpu).collect());
    let median = median(times.clone());
    let (fastest, slowest) = (times.first(), times.last());
    let goal = name.starts_with(LARGE).then_some(GOAL_MS);
    let said = goal.map_or_else(String::new, |goal| format!("< {goal}"));
    println!(
        "{name:44} {median:>9.1} {:>9.1} {:>9.1} {cpu:>9.1} {said:>9}",
        fastest.copied().unwrap_or_default(),
        slowest.copied().unwrap_or_default()
    );
    json!({"name": name, "milliseconds": times, "median": median, "cpu_milliseconds": cpu, "goal": goal})
}
