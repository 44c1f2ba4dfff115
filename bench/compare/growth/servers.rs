//! Databases with a growing number of servers, of which at most a thousand are called, in turn.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use futures_util::future::join_all;
use toolgate_testkit::RunningService;
use toolgate_testkit::http::Client;

use super::{GrowthStep, included_steps};
use crate::cold_start;
use crate::gateways::{RecordingMode, ServerEndpoint, ToolKind, create_key_and_session, create_server, start_service};
use crate::load::LoadConnection;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::{RoundRobinCalls, ToolCallRequests};
use crate::table::with_separators;
use crate::target::BenchTarget;

pub(crate) const TOOLS_EACH: u64 = 10;
const SERIES: &str = "servers with 10 tools each";
/// Maximum number of servers that are called.
const CALLED_MAX: u64 = 1000;
/// Number of concurrent requests that duplicate servers.
const WRITERS: usize = 8;
/// Numbers of servers in the steps before the largest database.
const SMALLER_STEPS: [u64; 2] = [1, CALLED_MAX];
/// Memory goal with the largest database, after `CALLED_MAX` of its servers were called.
const GOAL_MIB: u64 = 150;

/// A service with many servers, some of which are called.
pub(crate) struct ManyServers {
    pub(crate) app: RunningService,
    pub(crate) servers: u64,
    /// The first called server.
    pub(crate) first: ServerEndpoint,
    /// The other called servers.
    others: Vec<ServerEndpoint>,
}

/// The largest database, if the plan includes it.
pub(crate) async fn largest(plan: &Plan, upstream: &Nginx) -> Option<ManyServers> {
    let is_included = plan.includes(&cold_start::large_name(plan.servers))
        || included_steps(plan, SERIES, [plan.servers]).next().is_some();
    if !is_included {
        return None;
    }
    let began = Instant::now();
    let many_servers = ManyServers::start(plan.servers, upstream).await;
    println!("{} servers of {TOOLS_EACH} tools created in {:.0} s", plan.servers, began.elapsed().as_secs_f64());
    Some(many_servers)
}

pub(super) async fn steps(plan: &Plan, upstream: &Nginx, large: Option<ManyServers>) -> Vec<GrowthStep> {
    let mut steps = Vec::new();
    for (servers, name) in included_steps(plan, SERIES, SMALLER_STEPS).filter(|(servers, _)| *servers < plan.servers) {
        steps.push(ManyServers::start(servers, upstream).await.step(&name).await);
    }
    for ((_, name), large) in included_steps(plan, SERIES, [plan.servers]).zip(large) {
        steps.push(GrowthStep { goal_mib: Some(GOAL_MIB), ..large.step(&name).await });
    }
    steps
}

/// The name of a row, with the number of servers that are called.
fn row_name(name: &str, servers: u64) -> String {
    match servers {
        1 => name.to_owned(),
        2..=CALLED_MAX => format!("{name}, all called"),
        _ => format!("{name}, {} called", with_separators(CALLED_MAX)),
    }
}

impl ManyServers {
    /// Creates one server and duplicates it. Each called server gets a key.
    async fn start(servers: u64, upstream: &Nginx) -> Self {
        let app = start_service(RecordingMode::On);
        let api = app.client();
        let original = create_server(&api, &upstream.origin(), TOOLS_EACH, ToolKind::Plain).await;
        let duplicate_path = format!("/servers/{}/duplicate", original["id"]);
        let first = create_key_and_session(&api, &original).await;
        let mut others = Vec::new();
        for _ in 1..servers.min(CALLED_MAX) {
            let copy = api.post(&duplicate_path).send().await.expect(201).json();
            // A copy is a draft, which cannot be called.
            api.post(&format!("/servers/{}/toggle", copy["id"])).send().await.expect(200);
            others.push(create_key_and_session(&api, &copy).await);
        }
        make_copies(&api, &duplicate_path, servers.saturating_sub(CALLED_MAX)).await;
        Self { app, servers, first, others }
    }

    /// Restarts the service, so that the setup does not count towards its memory. Each called server receives one call
    /// before the measurement, so that it is loaded and compiled.
    async fn step(mut self, name: &str) -> GrowthStep {
        self.app.terminate();
        self.app.restart();
        let calls_to = |endpoint: &ServerEndpoint| ToolCallRequests::new(endpoint.bare(&self.app), TOOLS_EACH);
        let requests =
            RoundRobinCalls { calls: std::iter::once(&self.first).chain(&self.others).map(calls_to).collect() };
        let mut connection = LoadConnection::open(self.app.address()).await;
        for number in 0..requests.calls.len() {
            connection.send(&requests, number as u64).await;
        }
        let name = row_name(name, self.servers);
        GrowthStep::new(BenchTarget::from_service(&name, &self.app, requests), self.app)
    }
}

async fn make_copies(api: &Client, duplicate_path: &str, copies: u64) {
    let started = AtomicU64::new(0);
    let writers = (0..WRITERS).map(|_| async {
        while started.fetch_add(1, Ordering::Relaxed) < copies {
            api.post(duplicate_path).send().await.expect(201);
        }
    });
    join_all(writers).await;
}
