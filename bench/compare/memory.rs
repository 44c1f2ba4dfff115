//! What the service holds in memory: before anything is defined in it, with one server, and under load.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::process::{peak_rss_kib, rss_kib};

use crate::gateways::{TOOLS, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::ToolCallRequest;
use crate::target::BenchTarget;

const FRESH: &str = "memory, nothing defined";
const DEFINED: &str = "memory, a server of 50 tools";
const LOADED: &str = "memory, at most under load";
const CONNECTIONS: u64 = 64;
/// For what a start leaves to be done later.
const REST: Duration = Duration::from_secs(2);

pub(crate) async fn run(plan: &Plan, upstream: &Nginx) -> Vec<Value> {
    if ![FRESH, DEFINED, LOADED].into_iter().any(|name| plan.includes(name)) {
        return Vec::new();
    }
    let app = start_service("on");
    tokio::time::sleep(REST).await;
    let fresh = rss_kib(app.pid());
    let endpoint = create_endpoint(&app.client(), &upstream.origin(), TOOLS, 0).await;
    tokio::time::sleep(REST).await;
    let defined = rss_kib(app.pid());
    let target = BenchTarget::from_service(LOADED, &app, ToolCallRequest::new(endpoint.bare(&app), TOOLS));
    for _ in 0..plan.rounds {
        target.measure(CONNECTIONS, plan.time, plan.next_first_number()).await;
    }
    let loaded = peak_rss_kib(app.pid());
    println!("\n{:44} {:>9} {:>9}", "", "MiB", "goal");
    [(FRESH, fresh, Some(25)), (DEFINED, defined, None), (LOADED, loaded, Some(60))].map(print).into()
}

fn print((name, kib, goal): (&str, u64, Option<u64>)) -> Value {
    let goal_text = goal.map_or_else(String::new, |goal| format!("< {goal}"));
    println!("{name:44} {:>9.1} {goal_text:>9}", crate::load::as_f64(kib) / 1024.0);
    json!({"name": name, "rss_kib": kib, "goal_mib": goal})
}
