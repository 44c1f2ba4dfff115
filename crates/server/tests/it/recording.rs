//! Every completed call is counted exactly once: after a kill, during a database outage, and across a graceful
//! shutdown.

mod damaged;
mod killed;
mod outage;
mod stopped;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

/// Pause after each call of a slow caller.
const CALL_PAUSE: Duration = Duration::from_millis(20);

/// Starts a service with one server, one tool, and its upstream.
pub(crate) async fn start_service(builder: ServiceBuilder) -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::json(json!({"fine": true})));
    start_service_with_upstream(upstream, builder).await
}

async fn start_service_with_upstream(upstream: Upstream, builder: ServiceBuilder) -> ServiceFixture {
    let fixture = ServiceFixture::start(builder, upstream, json!({"name": "Counted"})).await;
    fixture.create_tool(json!({"timeout": 120})).await;
    fixture
}

/// Starts clients that call until they are stopped or the service ends.
pub(crate) fn start_callers(fixture: &ServiceFixture, count: usize) -> LoadGenerator {
    LoadGenerator::start(count, Duration::ZERO, || fixture.caller(), r#"{"fine":true}"#)
}

/// Like [`start_callers`], with a pause after each call: during outages of many seconds, the load then leaves most of
/// the machine to other tests.
pub(crate) fn start_slow_callers(fixture: &ServiceFixture, count: usize) -> LoadGenerator {
    LoadGenerator::start(count, CALL_PAUSE, || fixture.caller(), r#"{"fine":true}"#)
}

/// State shared by the clients of a [`LoadGenerator`].
#[derive(Default)]
struct LoadGeneratorState {
    started: AtomicU64,
    /// Successful calls.
    succeeded: AtomicU64,
    failed: AtomicU64,
    /// Request ids of the completed calls.
    request_ids: Mutex<HashSet<String>>,
    /// Notified for every response.
    progress: Notify,
    stop: tokio_util::sync::CancellationToken,
}

/// Concurrent clients that call a tool in a loop.
pub(crate) struct LoadGenerator {
    state: Arc<LoadGeneratorState>,
    tasks: JoinSet<()>,
}

impl LoadGenerator {
    /// Starts clients of the tool named `tool`, which must return `expected_result`. Each pauses after every call.
    pub(crate) fn start(count: usize, pause: Duration, caller: impl Fn() -> McpClient, expected_result: &str) -> Self {
        let state = Arc::new(LoadGeneratorState::default());
        let mut tasks = JoinSet::new();
        for _ in 0..count {
            tasks.spawn(call_until_stopped(caller(), pause, expected_result.to_owned(), Arc::clone(&state)));
        }
        Self { state, tasks }
    }

    /// The number of successful calls so far.
    pub(crate) fn succeeded(&self) -> u64 {
        self.state.succeeded.load(Ordering::SeqCst)
    }

    /// Waits until this many calls have succeeded.
    pub(crate) async fn wait_for(&self, calls: u64) {
        loop {
            let progress = self.state.progress.notified();
            if self.succeeded() >= calls {
                return;
            }
            progress.await;
        }
    }

    /// Stops after the calls in progress; returns the number of started calls and the request ids of the completed
    /// ones.
    pub(crate) async fn stop(self) -> (u64, HashSet<String>) {
        self.state.stop.cancel();
        self.tasks.join_all().await;
        assert_eq!(self.state.failed.load(Ordering::SeqCst), 0, "no call may fail");
        (self.state.started.load(Ordering::SeqCst), std::mem::take(&mut self.state.request_ids.lock().unwrap()))
    }
}

async fn call_until_stopped(
    caller: McpClient,
    pause: Duration,
    expected_result: String,
    state: Arc<LoadGeneratorState>,
) {
    while !state.stop.is_cancelled() {
        state.started.fetch_add(1, Ordering::SeqCst);
        let request = caller.request("tools/call", json!({"name": "tool", "arguments": {}}));
        // Without a response, the service was killed during the call.
        let Ok(reply) = request.try_send().await else { return };
        let is_success =
            reply.status == 200 && reply.json()["result"]["content"][0]["text"] == expected_result.as_str();
        let counter = if is_success { &state.succeeded } else { &state.failed };
        state.request_ids.lock().unwrap().insert(reply.header("x-request-id").unwrap().to_owned());
        counter.fetch_add(1, Ordering::SeqCst);
        state.progress.notify_waiters();
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
}
