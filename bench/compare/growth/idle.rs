//! Services with a growing number of idle connections, over each of which one call was made.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{GrowthStep, included_steps};
use crate::gateways::{RecordingMode, TOOLS, ToolKind, create_endpoint, start_service};
use crate::load::LoadConnection;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::ToolCallRequests;
use crate::target::BenchTarget;

const STEPS: [u64; 4] = [1, 100, 1000, CONNECTIONS_MAX];
const CONNECTIONS_MAX: u64 = 10_000;
/// Memory goal with `CONNECTIONS_MAX` connections.
const GOAL_MIB: u64 = 200;
/// File descriptors for everything except idle connections.
const OTHER_DESCRIPTORS: u64 = 300;
/// Number of tasks that open connections concurrently.
const OPENERS: usize = 64;

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<GrowthStep> {
    let mut steps = Vec::new();
    for (idle_connections, name) in included_steps(plan, "idle connections", STEPS) {
        if idle_connections + OTHER_DESCRIPTORS > open_files_max() {
            println!("{name}: skipped, because `ulimit -n` is {}", open_files_max());
            continue;
        }
        let app = start_service(RecordingMode::On);
        let endpoint = create_endpoint(&app.client(), &upstream.origin(), TOOLS, ToolKind::Plain).await;
        let calls = ToolCallRequests::new(endpoint.bare(&app), TOOLS);
        let goal_mib = (idle_connections == CONNECTIONS_MAX).then_some(GOAL_MIB);
        let step = GrowthStep::new(BenchTarget::from_service(&name, &app, calls), app);
        steps.push(GrowthStep { idle_connections, goal_mib, ..step });
    }
    steps
}

/// Limit of open files for this process and its children.
fn open_files_max() -> u64 {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|soft| soft.parse().ok()).unwrap_or(u64::MAX)
}

/// Idle connections. The service closes them after ten seconds, so they are opened again for each measurement.
pub(super) struct IdleConnections(Vec<LoadConnection>);

impl IdleConnections {
    /// Opens connections and makes one call over each, numbered from `first_request_number`.
    pub(super) async fn open(target: &BenchTarget, count: u64, first_request_number: u64) -> Self {
        let mut openers = JoinSet::new();
        for opener in (0..count).take(OPENERS) {
            let (address, generator) = (target.address.clone(), Arc::clone(&target.generator));
            openers.spawn(async move {
                let mut connections = Vec::new();
                for number in (opener..count).step_by(OPENERS) {
                    let mut connection = LoadConnection::open(&address).await;
                    connection.send(&*generator, first_request_number + number).await;
                    connections.push(connection);
                }
                connections
            });
        }
        Self(openers.join_all().await.into_iter().flatten().collect())
    }

    /// Number of connections that the service has closed.
    pub(super) fn count_closed(&self) -> usize {
        self.0.iter().filter(|connection| !connection.is_idle()).count()
    }
}
