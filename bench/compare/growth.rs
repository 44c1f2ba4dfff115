//! What a call costs when there is more of something: tools, servers, idle connections, recorded calls, bytes in its
//! answer. Each step is a service of its own, all steps of a series are asked in turn, in rounds, and ratios to the first
//! step are taken inside each round.

mod bodies;
mod idle;
mod recordings;
pub(crate) mod servers;
mod table;
mod tools;

use std::sync::Arc;

use serde_json::Value;
use toolgate_testkit::App;
use toolgate_testkit::process::rss_kib;

use crate::cell::{Cell, Figures};
use crate::gateways::Minimal;
use crate::nginx::Nginx;
use crate::plan::Plan;
use idle::Idle;
use servers::Filled;
use table::Table;

/// Where nothing else is said.
const CONNECTIONS: u64 = 16;

/// One service, with so much of something.
struct Step {
    cell: Cell,
    /// Connections beside those that call.
    idle: u64,
    /// Where it is the answers that grow.
    body: Option<Body>,
    /// What the service may take, where there is a goal.
    goal_mib: Option<u64>,
    _app: App,
}

impl Step {
    fn new(cell: Cell, app: App) -> Self {
        Self { cell, idle: 0, body: None, goal_mib: None, _app: app }
    }
}

/// How long the upstream's body is, and the minimal program with the same.
struct Body {
    bytes: u64,
    minimal: Cell,
    _process: Minimal,
    _upstream: Arc<Nginx>,
}

/// What was seen of a step in one round.
struct Seen {
    figures: Figures,
    minimal: Option<Figures>,
    rss_kib: u64,
    /// Idle connections that the service had closed by the end.
    closed: usize,
}

/// Measures what the plan wants of it.
pub(crate) async fn run(plan: &Plan, upstream: &Nginx, large: Option<Filled>) -> Vec<Value> {
    let mut found = Vec::new();
    found.extend(series(plan, CONNECTIONS, tools::steps(plan, upstream).await).await);
    found.extend(series(plan, CONNECTIONS, servers::steps(plan, upstream, large).await).await);
    found.extend(series(plan, CONNECTIONS, idle::steps(plan, upstream).await).await);
    found.extend(series(plan, CONNECTIONS, recordings::steps(plan, upstream).await).await);
    found.extend(series(plan, bodies::CONNECTIONS, bodies::steps(plan).await).await);
    found
}

/// The steps of a series that the plan wants, with their names.
fn wanted<const N: usize>(plan: &Plan, series: &str, steps: [u64; N]) -> impl Iterator<Item = (u64, String)> {
    let named = steps.map(|count| (count, format!("growth, {series}: {}", table::grouped(count))));
    named.into_iter().filter(|(_, name)| plan.wants(name))
}

/// Rounds over some steps, which end with them.
async fn series(plan: &Plan, connections: u64, steps: Vec<Step>) -> Option<Value> {
    steps.first()?;
    let mut rounds = Vec::new();
    for _ in 0..plan.rounds {
        let mut round = Vec::new();
        for step in &steps {
            round.push(step.measure(plan, connections).await);
        }
        rounds.push(round);
    }
    let table = Table { connections, steps: &steps, rounds };
    table.print();
    Some(table.json())
}

impl Step {
    async fn measure(&self, plan: &Plan, connections: u64) -> Seen {
        let idle = Idle::open(&self.cell, self.idle, plan.next_numbers()).await;
        let before = rss_kib(self.cell.pid);
        let figures = self.cell.measure(connections, plan.time, plan.next_numbers()).await;
        let closed = idle.closed();
        let rss_kib = rss_kib(self.cell.pid).max(before);
        let minimal = match &self.body {
            Some(body) => Some(body.minimal.measure(connections, plan.time, plan.next_numbers()).await),
            None => None,
        };
        Seen { figures, minimal, rss_kib, closed }
    }
}
