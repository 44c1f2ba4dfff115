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
use toolgate_testkit::RunningService;
use toolgate_testkit::process::rss_kib;

use crate::gateways::Minimal;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::target::{BenchTarget, Measurement};
use idle::IdleConnections;
use servers::ManyServers;
use table::GrowthTable;

/// Where nothing else is said.
const CONNECTIONS: u64 = 16;

/// One service, with so much of something.
struct GrowthStep {
    target: BenchTarget,
    /// Connections beside those that call.
    idle: u64,
    /// Where it is the answers that grow.
    body: Option<BodyStep>,
    /// What the service may take, where there is a goal.
    goal_mib: Option<u64>,
    _app: RunningService,
}

impl GrowthStep {
    fn new(target: BenchTarget, app: RunningService) -> Self {
        Self { target, idle: 0, body: None, goal_mib: None, _app: app }
    }
}

/// How long the upstream's body is, and the minimal program with the same.
struct BodyStep {
    bytes: u64,
    minimal: BenchTarget,
    _process: Minimal,
    _upstream: Arc<Nginx>,
}

/// What was seen of a step in one round.
struct StepMeasurement {
    figures: Measurement,
    minimal: Option<Measurement>,
    rss_kib: u64,
    /// Idle connections that the service had closed by the end.
    closed: usize,
}

/// Measures what the plan wants of it.
pub(crate) async fn run(plan: &Plan, upstream: &Nginx, large: Option<ManyServers>) -> Vec<Value> {
    let mut found = Vec::new();
    found.extend(series(plan, CONNECTIONS, tools::steps(plan, upstream).await).await);
    found.extend(series(plan, CONNECTIONS, servers::steps(plan, upstream, large).await).await);
    found.extend(series(plan, CONNECTIONS, idle::steps(plan, upstream).await).await);
    found.extend(series(plan, CONNECTIONS, recordings::steps(plan, upstream).await).await);
    found.extend(series(plan, bodies::CONNECTIONS, bodies::steps(plan).await).await);
    found
}

/// The steps of a series that the plan wants, with their names.
fn included_steps<const N: usize>(plan: &Plan, series: &str, steps: [u64; N]) -> impl Iterator<Item = (u64, String)> {
    let named = steps.map(|count| (count, format!("growth, {series}: {}", table::with_separators(count))));
    named.into_iter().filter(|(_, name)| plan.includes(name))
}

/// Rounds over some steps, which end with them.
async fn series(plan: &Plan, connections: u64, steps: Vec<GrowthStep>) -> Option<Value> {
    steps.first()?;
    let mut rounds = Vec::new();
    for _ in 0..plan.rounds {
        let mut round = Vec::new();
        for step in &steps {
            round.push(step.measure(plan, connections).await);
        }
        rounds.push(round);
    }
    let table = GrowthTable { connections, steps: &steps, rounds };
    table.print();
    Some(table.json())
}

impl GrowthStep {
    async fn measure(&self, plan: &Plan, connections: u64) -> StepMeasurement {
        let idle = IdleConnections::open(&self.target, self.idle, plan.next_first_number()).await;
        let before = rss_kib(self.target.pid);
        let figures = self.target.measure(connections, plan.time, plan.next_first_number()).await;
        let closed = idle.closed();
        let rss_kib = rss_kib(self.target.pid).max(before);
        let minimal = match &self.body {
            Some(body) => Some(body.minimal.measure(connections, plan.time, plan.next_first_number()).await),
            None => None,
        };
        StepMeasurement { figures, minimal, rss_kib, closed }
    }
}
