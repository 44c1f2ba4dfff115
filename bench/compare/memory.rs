//! Resident memory of the service: with an empty database, with one server, and under load.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_testkit::process::{peak_rss_kib, rss_kib};

use crate::gateways::{RecordingMode, TOOLS, ToolKind, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::ToolCallRequests;
use crate::target::BenchTarget;

const EMPTY: &str = "memory, empty database";
const ONE_SERVER: &str = "memory, a server of 50 tools";
const PEAK: &str = "memory, peak under load";
/// Number of connections of the load.
const CONNECTIONS: u64 = 64;
/// Time for work that the service does in the background after a start or a change.
const SETTLE_TIME: Duration = Duration::from_secs(2);

/// Measures and prints the memory, if the plan includes it.
pub(crate) async fn run(plan: &Plan, upstream: &Nginx) -> Vec<Value> {
    if ![EMPTY, ONE_SERVER, PEAK].into_iter().any(|name| plan.includes(name)) {
        return Vec::new();
    }
    let app = start_service(RecordingMode::On);
    tokio::time::sleep(SETTLE_TIME).await;
    let empty_kib = rss_kib(app.pid());
    let endpoint = create_endpoint(&app.client(), &upstream.origin(), TOOLS, ToolKind::Plain).await;
    tokio::time::sleep(SETTLE_TIME).await;
    let one_server_kib = rss_kib(app.pid());
    let target = BenchTarget::from_service(PEAK, &app, ToolCallRequests::new(endpoint.bare(&app), TOOLS));
    for _ in 0..plan.rounds {
        target.measure(CONNECTIONS, plan.time, plan.reserve_numbers()).await;
    }
    let peak_kib = peak_rss_kib(app.pid());
    println!("\n{:44} {:>9} {:>9}", "", "MiB", "goal");
    let rows = [(EMPTY, empty_kib, Some(25)), (ONE_SERVER, one_server_kib, None), (PEAK, peak_kib, Some(60))];
    rows.map(print_row).into()
}

/// Prints a row and returns it as JSON.
fn print_row((name, rss_kib, goal_mib): (&str, u64, Option<u64>)) -> Value {
    let goal_text = goal_mib.map_or_else(String::new, |goal| format!("< {goal}"));
    println!("{name:44} {:>9.1} {goal_text:>9}", crate::load::as_f64(rss_kib) / 1024.0);
    json!({"name": name, "rss_kib": rss_kib, "goal_mib": goal_mib})
}
