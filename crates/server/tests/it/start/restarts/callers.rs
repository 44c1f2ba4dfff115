//! Callers that go on across restarts, and the upstream that knows which calls reached it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use toolgate_testkit::http::{Request, SendError};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Answer, App, Client, Gate, Mcp, Reply, Upstream};

/// Those whose calls are under way when the service is told to stop, and those who call all the time.
const HELD: usize = 6;
const QUICK: usize = 6;
/// Between two attempts while nobody listens.
const PAUSE: Duration = Duration::from_millis(5);

/// The upstream: `quick` answers at once, `held` when it is let go.
pub(super) struct Works {
    upstream: Upstream,
    gate: Gate,
    /// The calls that came and whose callers do not yet know what became of them.
    seen: watch::Sender<HashSet<String>>,
}

impl Works {
    pub(super) fn start() -> Self {
        let (gate, seen) = (Gate::new(), watch::Sender::new(HashSet::new()));
        let (shut, noted) = (gate.clone(), seen.clone());
        let upstream = Upstream::answering(move |request| {
            let call = request.target.split_once("call=").map_or("", |(_, call)| call).to_owned();
            let answer = Answer::text(call.clone());
            noted.send_modify(|seen| _ = seen.insert(call));
            if request.path() == "/held" { answer.held_by(&shut) } else { answer }
        });
        Self { upstream, gate, seen }
    }

    pub(super) fn url(&self, tool: &str) -> String {
        self.upstream.url(&format!("/{tool}"))
    }

    /// Waits until everyone who is to be held is.
    pub(super) async fn hold(&self) {
        self.gate.shut();
        let held = |seen: &HashSet<String>| seen.iter().filter(|call| call.starts_with("held-")).count();
        self.seen.subscribe().wait_for(|seen| held(seen) == HELD).await.unwrap();
    }

    pub(super) fn release(&self) {
        self.gate.open();
    }
}

/// What became of calls.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) answered: usize,
    /// Nobody listened.
    pub(super) refused: usize,
    /// The connection was closed without a word, and the upstream knows nothing of the call.
    pub(super) crossed: usize,
    /// All else.
    pub(super) failed: Vec<String>,
}

/// Callers at work.
pub(super) struct Callers {
    tally: watch::Receiver<Tally>,
    tasks: JoinSet<Option<()>>,
    stop: CancellationToken,
}

/// One way to ask.
enum Way {
    Mcp(Mcp, &'static str),
    Test(Client, String),
}

impl Way {
    fn request(&self, call: &str) -> Request {
        let arguments = json!({"call": call});
        match self {
            Self::Mcp(caller, tool) => caller.request("tools/call", json!({"name": tool, "arguments": arguments})),
            Self::Test(api, path) => api.post(path).json(json!({"arguments": arguments})),
        }
    }

    /// Whether this is the answer to the call.
    fn is_answer(&self, reply: &Reply, call: &str) -> bool {
        let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let result = if matches!(self, Self::Mcp(..)) { &body["result"] } else { &body };
        reply.status == 200 && result["content"][0]["text"] == call
    }
}

impl Callers {
    pub(super) async fn start(app: &App, url: &str, test_path: &str, works: &Works) -> Self {
        let (tally, watched) = watch::channel(Tally::default());
        let (tally, stop, mut tasks) = (Arc::new(tally), CancellationToken::new(), JoinSet::new());
        for number in 0..HELD + QUICK {
            let tool = if number < HELD { "held" } else { "quick" };
            let way = match number % 3 {
                0 => Way::Mcp(Mcp::at(url).modern(), tool),
                1 => Way::Mcp(Mcp::at(url).legacy(NEWEST_LEGACY).await, tool),
                _ if number < HELD => Way::Mcp(Mcp::at(url), tool),
                _ => Way::Test(app.client(), test_path.to_owned()),
            };
            let calls = call_on(format!("{tool}-{number}"), way, works.seen.clone(), Arc::clone(&tally));
            tasks.spawn(stop.clone().run_until_cancelled_owned(calls));
        }
        Self { tally: watched, tasks, stop }
    }

    /// Waits until some more calls were answered.
    pub(super) async fn wait_for_more(&self) {
        let mut tally = self.tally.clone();
        let before = tally.borrow().answered;
        tally.wait_for(|tally| tally.answered >= before + 2 * QUICK).await.unwrap();
    }

    pub(super) async fn stop(self) -> Tally {
        self.stop.cancel();
        self.tasks.join_all().await;
        self.tally.borrow().clone()
    }
}

/// Calls for ever; each call has a name of its own, by which it is known at the upstream.
async fn call_on(name: String, way: Way, seen: watch::Sender<HashSet<String>>, tally: Arc<watch::Sender<Tally>>) {
    for call in (0..).map(|count| format!("{name}-{count}")) {
        let outcome = way.request(&call).try_send().await;
        let is_refused = matches!(&outcome, Err(SendError::Connection(error)) if error.is_connect());
        let has_arrived = seen.send_if_modified(|seen| seen.remove(&call));
        tally.send_modify(|tally| match &outcome {
            Ok(reply) if way.is_answer(reply, &call) => tally.answered += 1,
            Err(_) if is_refused => tally.refused += 1,
            Err(SendError::Connection(_)) if !has_arrived => tally.crossed += 1,
            other => tally.failed.push(format!("{call}: {other:?}")),
        });
        if is_refused {
            tokio::time::sleep(PAUSE).await;
        }
    }
}
