//! Callers that continue across restarts, and the upstream that records which calls reached it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use toolgate_testkit::http::{RequestError, TestRequest};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, McpClient, MockResponse, ResponseGate, RunningService, TestResponse, Upstream};

/// Callers whose calls are active when the service stops.
const HELD_CALLERS: usize = 6;
/// Callers that call continuously.
const QUICK_CALLERS: usize = 6;
/// Pause between two attempts while no socket listens.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// The upstream: `/quick` responds immediately, `/held` when it is released.
pub(super) struct HeldUpstream {
    upstream: Upstream,
    gate: ResponseGate,
    /// Calls that reached the upstream and whose callers have no result yet.
    pending: watch::Sender<HashSet<String>>,
}

impl HeldUpstream {
    pub(super) fn start() -> Self {
        let (gate, pending) = (ResponseGate::new(), watch::Sender::new(HashSet::new()));
        let (held_gate, arrived) = (gate.clone(), pending.clone());
        let upstream = Upstream::with_handler(move |request| {
            let call = request.target.split_once("call=").map_or("", |(_, call)| call).to_owned();
            let response = MockResponse::text(call.clone());
            arrived.send_modify(|pending| _ = pending.insert(call));
            if request.path() == "/held" { response.held_by(&held_gate) } else { response }
        });
        Self { upstream, gate, pending }
    }

    pub(super) fn url(&self, tool: &str) -> String {
        self.upstream.url(&format!("/{tool}"))
    }

    /// Holds the responses to `/held`, and waits until all held callers have an active call.
    pub(super) async fn hold(&self) {
        self.gate.shut();
        let held_count = |pending: &HashSet<String>| pending.iter().filter(|call| call.starts_with("held-")).count();
        self.pending.subscribe().wait_for(|pending| held_count(pending) == HELD_CALLERS).await.unwrap();
    }

    pub(super) fn release(&self) {
        self.gate.open();
    }
}

/// The outcomes of calls.
#[derive(Debug, Clone, Default)]
pub(super) struct RestartTally {
    pub(super) answered: usize,
    /// The connection was refused.
    pub(super) refused: usize,
    /// The connection was closed without a response, and the call did not reach the upstream.
    pub(super) lost: usize,
    /// All other outcomes.
    pub(super) failed: Vec<String>,
}

/// The running callers.
pub(super) struct RestartCallers {
    tally: watch::Receiver<RestartTally>,
    tasks: JoinSet<Option<()>>,
    stop: CancellationToken,
}

/// How a tool is called.
enum CallPath {
    /// A call of this tool by an MCP client.
    Mcp(McpClient, &'static str),
    /// A test run, at this path of the management API.
    ToolTest(Client, String),
}

impl CallPath {
    fn request(&self, call: &str) -> TestRequest {
        let arguments = json!({"call": call});
        match self {
            Self::Mcp(caller, tool) => caller.request("tools/call", json!({"name": tool, "arguments": arguments})),
            Self::ToolTest(api, path) => api.post(path).json(json!({"arguments": arguments})),
        }
    }

    /// Whether this is the response to the call.
    fn is_response_to(&self, reply: &TestResponse, call: &str) -> bool {
        let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let result = if matches!(self, Self::Mcp(..)) { &body["result"] } else { &body };
        reply.status == 200 && result["content"][0]["text"] == call
    }
}

impl RestartCallers {
    pub(super) async fn start(app: &RunningService, url: &str, test_path: &str, upstream: &HeldUpstream) -> Self {
        let (tally, tally_receiver) = watch::channel(RestartTally::default());
        let (tally, stop, mut tasks) = (Arc::new(tally), CancellationToken::new(), JoinSet::new());
        for number in 0..HELD_CALLERS + QUICK_CALLERS {
            let tool = if number < HELD_CALLERS { "held" } else { "quick" };
            let path = match number % 3 {
                0 => CallPath::Mcp(McpClient::new(url).modern(), tool),
                1 => CallPath::Mcp(McpClient::new(url).legacy(NEWEST_LEGACY).await, tool),
                _ if number < HELD_CALLERS => CallPath::Mcp(McpClient::new(url), tool),
                _ => CallPath::ToolTest(app.client(), test_path.to_owned()),
            };
            let calls = call_forever(format!("{tool}-{number}"), path, upstream.pending.clone(), Arc::clone(&tally));
            tasks.spawn(stop.clone().run_until_cancelled_owned(calls));
        }
        Self { tally: tally_receiver, tasks, stop }
    }

    /// Waits until some more calls are answered.
    pub(super) async fn wait_for_more(&self) {
        let mut tally = self.tally.clone();
        let answered_before = tally.borrow().answered;
        tally.wait_for(|tally| tally.answered >= answered_before + 2 * QUICK_CALLERS).await.unwrap();
    }

    pub(super) async fn stop(self) -> RestartTally {
        self.stop.cancel();
        self.tasks.join_all().await;
        self.tally.borrow().clone()
    }
}

/// Calls forever; each call has a unique name, by which the upstream identifies it.
async fn call_forever(
    name: String,
    path: CallPath,
    pending: watch::Sender<HashSet<String>>,
    tally: Arc<watch::Sender<RestartTally>>,
) {
    for call in (0..).map(|count| format!("{name}-{count}")) {
        let outcome = path.request(&call).try_send().await;
        let is_refused = matches!(&outcome, Err(RequestError::Connection(error)) if error.is_connect());
        let has_arrived = pending.send_if_modified(|pending| pending.remove(&call));
        tally.send_modify(|tally| match &outcome {
            Ok(reply) if path.is_response_to(reply, &call) => tally.answered += 1,
            Err(_) if is_refused => tally.refused += 1,
            Err(RequestError::Connection(_)) if !has_arrived => tally.lost += 1,
            other => tally.failed.push(format!("{call}: {other:?}")),
        });
        if is_refused {
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }
}
