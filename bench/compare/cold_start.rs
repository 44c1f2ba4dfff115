//! From the start of a process to its first right answer: of the minimal program, and of Toolgate with an empty database
//! and a full one. Files are in the system's memory by then, as after a restart.

use std::time::Instant;

use serde_json::{Value, json};
use testkit::App;

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
        println!("\n{:44} {:>9} {:>9} {:>9} {:>9}", "", "median ms", "fastest", "slowest", "goal");
    }
    rows.into_iter().map(|(name, times)| print(&name, times)).collect()
}

/// One start after the other on the same data, each after a clean stop.
async fn restarts(app: &mut App, endpoint: &Endpoint) -> Vec<f64> {
    let mut times = Vec::new();
    for number in 0..STARTS {
        assert!(app.terminate().success(), "it did not stop: {}", app.logs());
        let began = Instant::now();
        app.restart();
        let call = Call::of(endpoint.bare(app), TOOLS_EACH);
        first_answer(app.address(), &call, number).await;
        times.push(millis_since(began));
    }
    times
}

/// Nobody can be called yet, so it is the management API that answers.
async fn without_data() -> Vec<f64> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let began = Instant::now();
        let app = serving("on");
        let settings = app.client().get("/settings").send().await.expect(200).json();
        times.push(millis_since(began));
        assert!(settings["recording"].is_object(), "{settings}");
    }
    times
}

async fn of_minimal(upstream: &Nginx) -> Vec<f64> {
    let mut times = Vec::new();
    for number in 0..STARTS {
        let began = Instant::now();
        let minimal = Minimal::start(&upstream.origin(), &json!({"tools": []}));
        let call = Call::of(minimal.caller(), TOOLS_EACH);
        first_answer(&minimal.address, &call, number).await;
        times.push(millis_since(began));
    }
    times
}

async fn first_answer(address: &str, ask: &dyn Ask, number: usize) {
    Connection::open(address).await.ask(ask, number as u64).await;
}

fn millis_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}

fn print(name: &str, mut times: Vec<f64>) -> Value {
    times.sort_by(f64::total_cmp);
    let median = median(times.clone());
    let (fastest, slowest) = (times.first(), times.last());
    let goal = name.starts_with(LARGE).then_some(GOAL_MS);
    let said = goal.map_or_else(String::new, |goal| format!("< {goal}"));
    println!(
        "{name:44} {median:>9.1} {:>9.1} {:>9.1} {said:>9}",
        fastest.copied().unwrap_or_default(),
        slowest.copied().unwrap_or_default()
    );
    json!({"name": name, "milliseconds": times, "median": median, "goal": goal})
}
