//! Clients that call tools through the balancer at a steady rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, TestResponse};

use crate::call_stats::{AttemptOutcome, CallStats};
use crate::cluster::{FaultCluster, LimitedServer};

/// The number of clients. Each has at most one call in progress.
pub(crate) const CLIENTS: u32 = 24;
/// A call may wait for nginx, which gives up connecting to a node after two seconds.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
const TOO_MANY_REQUESTS: u16 = 429;
/// The status of nginx for a request whose node closed the connection.
const BAD_GATEWAY: u16 = 502;

/// State that the clients share.
pub(crate) struct TrafficControl {
    pub(crate) stats: CallStats,
    /// Whether only the server with the large limit is called.
    pub(crate) is_large_limit_only: AtomicBool,
    /// Whether a node is killed at present: calls that it was processing get no response.
    pub(crate) is_node_killed: AtomicBool,
    /// The number of the next call; no number is used twice.
    next_number: AtomicU64,
    stop: CancellationToken,
}

impl TrafficControl {
    pub(crate) fn next_number(&self) -> u64 {
        self.next_number.fetch_add(1, Ordering::Relaxed)
    }
}

/// The clients, until they are stopped.
pub(crate) struct Traffic {
    pub(crate) control: Arc<TrafficControl>,
    tasks: JoinSet<()>,
}

impl Traffic {
    /// Starts clients that make `rate` calls a second together.
    pub(crate) async fn start(cluster: &FaultCluster, rate: u32, first_phase: &'static str) -> Self {
        let control = Arc::new(TrafficControl {
            stats: CallStats::new(first_phase),
            is_large_limit_only: AtomicBool::new(true),
            is_node_killed: AtomicBool::new(false),
            next_number: AtomicU64::new(1),
            stop: CancellationToken::new(),
        });
        let call_interval = Duration::from_secs(1) * CLIENTS / rate;
        let (mut tasks, mut clients) = (JoinSet::new(), Vec::new());
        for _ in 0..CLIENTS {
            clients.push(TrafficClient::new(cluster, Arc::clone(&control)).await);
        }
        let began = Instant::now();
        for (number, client) in (0..).zip(clients) {
            // Spread over the interval, so that calls are evenly distributed.
            let first_at = began + call_interval * number / CLIENTS;
            tasks.spawn(client.run(u64::from(number), interval_at(first_at.into(), call_interval)));
        }
        Self { control, tasks }
    }

    /// Stops the clients after the calls in progress.
    pub(crate) async fn stop(self) -> Arc<TrafficControl> {
        self.control.stop.cancel();
        self.tasks.join_all().await;
        self.control
    }
}

struct TrafficClient {
    /// A client without a session for each server, in the order of [`LimitedServer::ALL`].
    bare: [McpClient; 3],
    /// A client with a session, of the server with the large limit. The balancer sends its requests to any node.
    session: McpClient,
    control: Arc<TrafficControl>,
}

impl TrafficClient {
    async fn new(cluster: &FaultCluster, control: Arc<TrafficControl>) -> Self {
        let bare = LimitedServer::ALL.map(|server| cluster.caller(server));
        let session = cluster.caller(LimitedServer::LargeLimit).legacy(NEWEST_LEGACY).await;
        Self { bare, session, control }
    }

    async fn run(self, number: u64, mut ticks: Interval) {
        // Missed calls are not made up for, so that no burst follows an interruption.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut step = number;
        while self.control.stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.step(step).await;
            step += 1;
        }
    }

    async fn step(&self, step: u64) {
        let (server, client) = self.target(step);
        if self.call(server, client, true).await.is_cut() {
            // Clients repeat a call that got no response. The balancer must not: the call may have had effects.
            self.call(server, client, false).await;
        }
    }

    /// Of ten calls, eight go to the server with the large limit, two of them with a session. The other two go to the
    /// servers whose limits the load exceeds.
    fn target(&self, step: u64) -> (LimitedServer, &McpClient) {
        let [large, small, leased] = &self.bare;
        let is_mixed = !self.control.is_large_limit_only.load(Ordering::Relaxed);
        match step % 10 {
            0 if is_mixed => (LimitedServer::SmallLimit, small),
            1 if is_mixed => (LimitedServer::LeasedSlots, leased),
            2 | 3 => (LimitedServer::LargeLimit, &self.session),
            _ => (LimitedServer::LargeLimit, large),
        }
    }

    /// Makes a call and records its outcome. `may_be_cut` is whether the killing of its node is an accepted outcome.
    async fn call(&self, server: LimitedServer, client: &McpClient, may_be_cut: bool) -> AttemptOutcome {
        let number = self.control.next_number();
        let request = client.request("tools/call", json!({"name": "tool", "arguments": {"n": number}}));
        let began = Instant::now();
        let outcome = match request.timeout(CALL_TIMEOUT).try_send().await {
            Ok(reply) if reply.status == BAD_GATEWAY && may_be_cut && self.is_node_killed() => AttemptOutcome::Cut,
            Ok(reply) => check_reply(server, number, &reply),
            Err(error) => AttemptOutcome::Failed(format!("{error:?}")),
        };
        self.control.stats.record(&outcome, began.elapsed());
        outcome
    }

    fn is_node_killed(&self) -> bool {
        self.control.is_node_killed.load(Ordering::Relaxed)
    }
}

fn check_reply(server: LimitedServer, number: u64, reply: &TestResponse) -> AttemptOutcome {
    if reply.status == TOO_MANY_REQUESTS && server != LimitedServer::LargeLimit {
        return AttemptOutcome::Refused;
    }
    let message: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let is_result = message["result"]["content"][0]["text"] == number.to_string().as_str();
    match reply.header("x-request-id") {
        Some(request_id) if reply.status == 200 && is_result => AttemptOutcome::Acknowledged(request_id.to_owned()),
        _ => AttemptOutcome::Failed(format!("{reply:?}")),
    }
}
