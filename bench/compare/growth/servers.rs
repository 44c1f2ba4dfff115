//! Databases of more and more servers, up to a thousand of which are called in turn.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use futures_util::future::join_all;
use toolgate_testkit::RunningService;
use toolgate_testkit::http::Client;

use super::{GrowthStep, included_steps};
use crate::cold_start;
use crate::gateways::{ServerEndpoint, define, publish, start_service};
use crate::load::LoadConnection;
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::{RoundRobinCalls, ToolCallRequest};
use crate::target::BenchTarget;

pub(crate) const TOOLS_EACH: u64 = 10;
const SERIES: &str = "servers";
const CALLED: u64 = 1000;
const WRITERS: usize = 8;
const SMALLER: [u64; 2] = [1, CALLED];
/// With the largest database, once so many of its servers were called.
const GOAL_MIB: u64 = 150;

/// A service with many servers, some of which are called.
pub(crate) struct ManyServers {
    pub(crate) app: RunningService,
    pub(crate) servers: u64,
    /// One of those that are called.
    pub(crate) first: ServerEndpoint,
    /// The others.
    others: Vec<ServerEndpoint>,
}

/// The largest database, if the plan includes it.
pub(crate) async fn largest(plan: &Plan, upstream: &Nginx) -> Option<ManyServers> {
    let is_wanted = plan.includes(cold_start::LARGE) || included_steps(plan, SERIES, [plan.servers]).next().is_some();
    let began = Instant::now();
    let filled = if is_wanted { Some(ManyServers::start(plan.servers, upstream).await) } else { None };
    if is_wanted {
        println!("{} servers of {TOOLS_EACH} tools in {:.0} s", plan.servers, began.elapsed().as_secs_f64());
    }
    filled
}

pub(super) async fn steps(plan: &Plan, upstream: &Nginx, large: Option<ManyServers>) -> Vec<GrowthStep> {
    let mut steps = Vec::new();
    for (servers, name) in included_steps(plan, SERIES, SMALLER).filter(|(servers, _)| *servers < plan.servers) {
        steps.push(ManyServers::start(servers, upstream).await.step(&name).await);
    }
    for ((_, name), large) in included_steps(plan, SERIES, [plan.servers]).zip(large) {
        steps.push(GrowthStep { goal_mib: Some(GOAL_MIB), ..large.step(&name).await });
    }
    steps
}

impl ManyServers {
    /// Makes one server and copies it; those that are called get a key of their own.
    async fn start(servers: u64, upstream: &Nginx) -> Self {
        let app = start_service("on");
        let api = app.client();
        let original = define(&api, &upstream.origin(), TOOLS_EACH, 0).await;
        let path = format!("/servers/{}/duplicate", original["id"]);
        let first = publish(&api, &original).await;
        let mut others = Vec::new();
        for _ in 1..servers.min(CALLED) {
            let copy = api.post(&path).send().await.expect(201).json();
            // A copy is a draft.
            api.post(&format!("/servers/{}/toggle", copy["id"])).send().await.expect(200);
            others.push(publish(&api, &copy).await);
        }
        make_copies(&api, &path, servers.saturating_sub(CALLED)).await;
        Self { app, servers, first, others }
    }

    /// Restarts the service, so that nothing of the setup is left in memory. Each server is called once before it is
    /// measured: what is loaded then is loaded once.
    async fn step(mut self, name: &str) -> GrowthStep {
        self.app.terminate();
        self.app.restart();
        let call = |endpoint: &ServerEndpoint| ToolCallRequest::new(endpoint.bare(&self.app), TOOLS_EACH);
        let round = RoundRobinCalls { calls: std::iter::once(&self.first).chain(&self.others).map(call).collect() };
        let mut connection = LoadConnection::open(self.app.address()).await;
        for number in 0..round.calls.len() {
            connection.send(&round, number as u64).await;
        }
        GrowthStep::new(BenchTarget::from_service(name, &self.app, round), self.app)
    }
}

async fn make_copies(api: &Client, path: &str, copies: u64) {
    let next = AtomicU64::new(0);
    let writers = (0..WRITERS).map(|_| async {
        while next.fetch_add(1, Ordering::Relaxed) < copies {
            api.post(path).send().await.expect(201);
        }
    });
    join_all(writers).await;
}
