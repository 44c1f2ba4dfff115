//! Databases of more and more servers, up to a thousand of which are called in turn.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use futures_util::future::join_all;
use toolgate_testkit::App;
use toolgate_testkit::http::Client;

use super::{Step, wanted};
use crate::asks::{Call, Round};
use crate::cell::Cell;
use crate::cold_start;
use crate::gateways::{Endpoint, define, publish, serving};
use crate::load::Connection;
use crate::nginx::Nginx;
use crate::plan::Plan;

pub(crate) const TOOLS_EACH: u64 = 10;
const SERIES: &str = "servers";
const CALLED: u64 = 1000;
const WRITERS: usize = 8;
const SMALLER: [u64; 2] = [1, CALLED];
/// With the largest database, once so many of its servers were called.
const GOAL_MIB: u64 = 150;

/// A service with many servers, some of which are called.
pub(crate) struct Filled {
    pub(crate) app: App,
    pub(crate) servers: u64,
    /// One of those that are called.
    pub(crate) first: Endpoint,
    /// The others.
    further: Vec<Endpoint>,
}

/// The largest, where somebody wants it.
pub(crate) async fn largest(plan: &Plan, upstream: &Nginx) -> Option<Filled> {
    let is_wanted = plan.wants(cold_start::LARGE) || wanted(plan, SERIES, [plan.servers]).next().is_some();
    let began = Instant::now();
    let filled = if is_wanted { Some(Filled::with(plan.servers, upstream).await) } else { None };
    if is_wanted {
        println!("{} servers of {TOOLS_EACH} tools in {:.0} s", plan.servers, began.elapsed().as_secs_f64());
    }
    filled
}

pub(super) async fn steps(plan: &Plan, upstream: &Nginx, large: Option<Filled>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (servers, name) in wanted(plan, SERIES, SMALLER).filter(|(servers, _)| *servers < plan.servers) {
        steps.push(Filled::with(servers, upstream).await.step(&name).await);
    }
    for ((_, name), large) in wanted(plan, SERIES, [plan.servers]).zip(large) {
        steps.push(Step { goal_mib: Some(GOAL_MIB), ..large.step(&name).await });
    }
    steps
}

impl Filled {
    /// Makes one server and copies it; those that are called get a key of their own.
    async fn with(servers: u64, upstream: &Nginx) -> Self {
        let app = serving("on");
        let api = app.client();
        let original = define(&api, &upstream.origin(), TOOLS_EACH, 0).await;
        let path = format!("/servers/{}/duplicate", original["id"]);
        let first = publish(&api, &original).await;
        let mut further = Vec::new();
        for _ in 1..servers.min(CALLED) {
            let copy = api.post(&path).send().await.expect(201).json();
            // A copy is a draft.
            api.post(&format!("/servers/{}/toggle", copy["id"])).send().await.expect(200);
            further.push(publish(&api, &copy).await);
        }
        copy_often(&api, &path, servers.saturating_sub(CALLED)).await;
        Self { app, servers, first, further }
    }

    /// Started anew, so that nothing is left in memory of how it was filled. Each server is called once before it is
    /// measured: what is loaded then is loaded once.
    async fn step(mut self, name: &str) -> Step {
        self.app.terminate();
        self.app.restart();
        let call = |endpoint: &Endpoint| Call::of(endpoint.bare(&self.app), TOOLS_EACH);
        let round = Round { calls: std::iter::once(&self.first).chain(&self.further).map(call).collect() };
        let mut connection = Connection::open(self.app.address()).await;
        for number in 0..round.calls.len() {
            connection.ask(&round, number as u64).await;
        }
        Step::new(Cell::of_app(name, &self.app, round), self.app)
    }
}

async fn copy_often(api: &Client, path: &str, copies: u64) {
    let next = AtomicU64::new(0);
    let writers = (0..WRITERS).map(|_| async {
        while next.fetch_add(1, Ordering::Relaxed) < copies {
            api.post(path).send().await.expect(201);
        }
    });
    join_all(writers).await;
}
