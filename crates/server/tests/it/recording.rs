//! Every completed call is counted exactly once: after a kill, during a database outage, and across a graceful
//! shutdown.

mod damaged;
mod killed;
mod outage;
mod stopped;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, MockResponse, RunningService, ServiceFixture, Upstream};

/// Pause after each call of a slow caller.
const CALL_PAUSE: Duration = Duration::from_millis(20);
/// Pause between two reads of a number that the test waits for.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long ingest of a leftover journal may take.
const INGEST_TIMEOUT: Duration = Duration::from_mins(1);

/// A service with one server, one tool, and its upstream.
pub(crate) struct RecordingFixture {
    pub(crate) service: ServiceFixture,
}

impl RecordingFixture {
    pub(crate) async fn start(builder: ServiceBuilder) -> Self {
        Self::start_with_upstream(Upstream::with_handler(|_| MockResponse::json(json!({"fine": true}))), builder).await
    }

    async fn start_with_upstream(upstream: Upstream, builder: ServiceBuilder) -> Self {
        let service = ServiceFixture::start(builder, upstream, json!({"name": "Counted"})).await;
        service.create_tool(json!({"timeout": 120})).await;
        Self { service }
    }

    /// Starts clients that call until they are stopped or the service ends.
    pub(crate) fn start_callers(&self, count: usize) -> LoadGenerator {
        LoadGenerator::start(count, Duration::ZERO, || self.service.caller(), r#"{"fine":true}"#)
    }

    /// The same with a pause after each call, for outages of many seconds: the load then leaves most of the machine to
    /// other tests.
    pub(crate) fn start_slow_callers(&self, count: usize) -> LoadGenerator {
        LoadGenerator::start(count, CALL_PAUSE, || self.service.caller(), r#"{"fine":true}"#)
    }

    /// The number of calls in the overview.
    pub(crate) async fn call_count(&self) -> u64 {
        call_count_at(&self.service.app).await
    }

    /// Waits until the overview counts at least `expected` calls; returns the number.
    pub(crate) async fn wait_for_call_count(&self, expected: u64) -> u64 {
        let start = Instant::now();
        loop {
            let counted = self.call_count().await;
            if counted >= expected {
                return counted;
            }
            assert!(
                start.elapsed() < INGEST_TIMEOUT,
                "{counted} of {expected} calls are counted\n{}",
                self.service.app.logs()
            );
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// The request ids of all calls in the log.
    pub(crate) async fn logged_request_ids(&self) -> HashSet<String> {
        let (api, mut cursor, mut request_ids) = (self.service.app.client(), String::new(), HashSet::new());
        loop {
            let page = api.get(&format!("/calls?per_page=100{cursor}")).send().await.expect(200);
            for call in page.json().as_array().unwrap() {
                let id = call["request_id"].as_str().unwrap();
                assert!(request_ids.insert(id.to_owned()), "the call with request id {id} is in the log twice");
            }
            let Some(next) = page.header("x-next-before") else { break };
            cursor = format!("&before={next}");
        }
        request_ids
    }
}

/// The number of calls of today and yesterday in the overview: a test may run at midnight.
pub(crate) async fn call_count_at(app: &RunningService) -> u64 {
    let overview = app.client().get("/analytics/overview").send().await.expect(200).json();
    ["calls_today", "calls_yesterday"].iter().map(|field| overview[field].as_u64().unwrap()).sum()
}

/// State shared by the clients of a [`LoadGenerator`].
#[derive(Default)]
struct LoadGeneratorState {
    started: AtomicU64,
    /// Successful calls.
    answered: AtomicU64,
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
    pub(crate) fn answered(&self) -> u64 {
        self.state.answered.load(Ordering::SeqCst)
    }

    /// Waits until this many calls have succeeded.
    pub(crate) async fn wait_for(&self, calls: u64) {
        loop {
            let progress = self.state.progress.notified();
            if self.answered() >= calls {
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
        let counter = if is_success { &state.answered } else { &state.failed };
        state.request_ids.lock().unwrap().insert(reply.header("x-request-id").unwrap().to_owned());
        counter.fetch_add(1, Ordering::SeqCst);
        state.progress.notify_waiters();
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
}
