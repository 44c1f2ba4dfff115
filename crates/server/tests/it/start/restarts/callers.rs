//! Callers that go on across restarts, and the upstream that knows which calls reached it.

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

/// Those whose calls are under way when the service is told to stop, and those who call all the time.
const HELD_CALLERS: usize = 6;
const QUICK_CALLERS: usize = 6;
/// Between two attempts while nobody listens.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// The upstream: `quick` answers at once, `held` when it is let go.
pub(super) struct HeldUpstream {
    upstream: Upstream,
    gate: ResponseGate,
    /// The calls that came and whose callers do not yet know what became of them.
    pending: watch::Sender<HashSet<String>>,
}

impl HeldUpstream {
    pub(super) fn start() -> Self {
        let (gate, pending) = (ResponseGate::new(), watch::Sender::new(HashSet::new()));
        let (shut, noted) = (gate.clone(), pending.clone());
        let upstream = Upstream::with_handler(move |request| {
            let call = request.target.split_once("call=").map_or("", |(_, call)| call).to_owned();
            let answer = MockResponse::text(call.clone());
            noted.send_modify(|pending| _ = pending.insert(call));
            if request.path() == "/held" { answer.held_by(&shut) } else { answer }
        });
        Self { upstream, gate, pending }
    }

    pub(super) fn url(&self, tool: &str) -> String {
        self.upstream.url(&format!("/{tool}"))
    }

    /// Waits until everyone who is to be held is.
    pub(super) async fn hold(&self) {
        self.gate.shut();
        let held = |pending: &HashSet<String>| pending.iter().filter(|call| call.starts_with("held-")).count();
        self.pending.subscribe().wait_for(|pending| held(pending) == HELD_CALLERS).await.unwrap();
    }

    pub(super) fn release(&self) {
        self.gate.open();
    }
}

/// What became of calls.
#[derive(Debug, Clone, Default)]
pub(super) struct RestartTally {
    pub(super) answered: usize,
    /// Nobody listened.
    pub(super) refused: usize,
    /// The connection was closed without a word, and the upstream knows nothing of the call.
    pub(super) lost: usize,
    /// All else.
    pub(super) failed: Vec<String>,
}

/// Callers at work.
pub(super) struct RestartCallers {
    tally: watch::Receiver<RestartTally>,
    tasks: JoinSet<Option<()>>,
    stop: CancellationToken,
}

/// One way to ask.
enum CallPath {
    McpClient(McpClient, &'static str),
    Test(Client, String),
}

impl CallPath {
    fn request(&self, call: &str) -> TestRequest {
        let arguments = json!({"call": call});
        match self {
            Self::McpClient(caller, tool) => {
                caller.request("tools/call", json!({"name": tool, "arguments": arguments}))
            }
            Self::Test(api, path) => api.post(path).json(json!({"arguments": arguments})),
        }
    }

    /// Whether this is the answer to the call.
    fn is_response_to(&self, reply: &TestResponse, call: &str) -> bool {
        let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let result = if matches!(self, Self::McpClient(..)) { &body["result"] } else { &body };
        reply.status == 200 && result["content"][0]["text"] == call
    }
}

impl RestartCallers {
    pub(super) async fn start(app: &RunningService, url: &str, test_path: &str, upstream: &HeldUpstream) -> Self {
        let (tally, watched) = watch::channel(RestartTally::default());
        let (tally, stop, mut tasks) = (Arc::new(tally), CancellationToken::new(), JoinSet::new());
        for number in 0..HELD_CALLERS + QUICK_CALLERS {
            let tool = if number < HELD_CALLERS { "held" } else { "quick" };
            let path = match number % 3 {
                0 => CallPath::McpClient(McpClient::new(url).modern(), tool),
                1 => CallPath::McpClient(McpClient::new(url).legacy(NEWEST_LEGACY).await, tool),
                _ if number < HELD_CALLERS => CallPath::McpClient(McpClient::new(url), tool),
                _ => CallPath::Test(app.client(), test_path.to_owned()),
            };
            let calls = call_forever(format!("{tool}-{number}"), path, upstream.pending.clone(), Arc::clone(&tally));
            tasks.spawn(stop.clone().run_until_cancelled_owned(calls));
        }
        Self { tally: watched, tasks, stop }
    }

    /// Waits until some more calls were answered.
    pub(super) async fn wait_for_more(&self) {
        let mut tally = self.tally.clone();
        let before = tally.borrow().answered;
        tally.wait_for(|tally| tally.answered >= before + 2 * QUICK_CALLERS).await.unwrap();
    }

    pub(super) async fn stop(self) -> RestartTally {
        self.stop.cancel();
        self.tasks.join_all().await;
        self.tally.borrow().clone()
    }
}

/// Calls for ever; each call has a name of its own, by which it is known at the upstream.
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
