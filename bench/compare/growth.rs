//! Growth of the cost of a call with the number of tools, servers, idle connections and recorded calls, and with the
//! size of the response. Each step is a separate service. The steps of a series are measured in turn, in rounds, and
//! ratios to the first step are computed within each round.

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

use crate::gateways::MinimalGatewayProcess;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::table::with_separators;
use crate::target::{BenchTarget, Measurement};
use idle::IdleConnections;
use servers::ManyServers;
use table::GrowthTable;

/// Number of connections in all series except response bodies.
const CONNECTIONS: u64 = 16;

/// One service of a series.
struct GrowthStep {
    target: BenchTarget,
    /// Number of connections that are open without a request during the measurement.
    idle_connections: u64,
    /// `Some` in the series of response bodies.
    body: Option<BodyStep>,
    /// The goal for the memory of the service, if there is one.
    goal_mib: Option<u64>,
    _app: RunningService,
}

impl GrowthStep {
    fn new(target: BenchTarget, app: RunningService) -> Self {
        Self { target, idle_connections: 0, body: None, goal_mib: None, _app: app }
    }
}

/// The size of the response body, and the minimal program that forwards the same body.
struct BodyStep {
    bytes: u64,
    minimal: BenchTarget,
    _process: MinimalGatewayProcess,
    _upstream: Arc<Nginx>,
}

/// Figures of one step in one round.
struct StepMeasurement {
    figures: Measurement,
    /// Figures of the minimal program, in the series of response bodies.
    minimal: Option<Measurement>,
    /// Memory of the service before or after the load: the larger of both.
    rss_kib: u64,
    /// Idle connections that the service closed before the end of the measurement.
    closed: usize,
}

/// Measures the series that the plan includes.
pub(crate) async fn run(plan: &Plan, upstream: &Nginx, large: Option<ManyServers>) -> Vec<Value> {
    let mut series = Vec::new();
    series.extend(measure_series(plan, CONNECTIONS, tools::steps(plan, upstream).await).await);
    series.extend(measure_series(plan, CONNECTIONS, servers::steps(plan, upstream, large).await).await);
    series.extend(measure_series(plan, CONNECTIONS, idle::steps(plan, upstream).await).await);
    series.extend(measure_series(plan, CONNECTIONS, recordings::steps(plan, upstream).await).await);
    series.extend(measure_series(plan, bodies::CONNECTIONS, bodies::steps(plan).await).await);
    series
}

/// The steps of a series that the plan includes, with their names.
fn included_steps<const N: usize>(plan: &Plan, series: &str, steps: [u64; N]) -> impl Iterator<Item = (u64, String)> {
    let names = steps.map(|count| (count, format!("growth, {series}: {}", with_separators(count))));
    names.into_iter().filter(|(_, name)| plan.includes(name))
}

/// Measures the steps in rounds and prints their table. Takes the steps by value, so that their services stop
/// afterwards.
async fn measure_series(plan: &Plan, connections: u64, steps: Vec<GrowthStep>) -> Option<Value> {
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
        let idle = IdleConnections::open(&self.target, self.idle_connections, plan.reserve_numbers()).await;
        let rss_before = rss_kib(self.target.pid);
        let figures = self.target.measure(connections, plan.time, plan.reserve_numbers()).await;
        let closed = idle.count_closed();
        let rss_kib = rss_kib(self.target.pid).max(rss_before);
        let minimal = match &self.body {
            Some(body) => Some(body.minimal.measure(connections, plan.time, plan.reserve_numbers()).await),
            None => None,
        };
        StepMeasurement { figures, minimal, rss_kib, closed }
    }
}
