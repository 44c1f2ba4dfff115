//! Every call that was answered is counted, and counted once: after the service was killed, while its database was away,
//! and across an orderly stop.

mod harmed;
mod killed;
mod outage;
mod stopped;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use toolgate_testkit::app::AppBuilder;
use toolgate_testkit::{Answer, App, Client, Mcp, Upstream};

/// How long reports may take to catch up with a journal of an earlier start.
const SOON: Duration = Duration::from_secs(20);

/// A service with one server of one tool, and the upstream behind it.
pub(crate) struct Stage {
    pub(crate) app: App,
    path: String,
    upstream: Upstream,
}

impl Stage {
    pub(crate) async fn start(builder: AppBuilder) -> Self {
        Self::in_front_of(Upstream::answering(|_| Answer::json(json!({"fine": true}))), builder).await
    }

    async fn in_front_of(upstream: Upstream, builder: AppBuilder) -> Self {
        let app = builder.start();
        let api = app.client();
        let server = created(&api, "/servers", json!({"name": "Counted", "rate_limit_per_min": 0})).await;
        let tool = json!({"name": "tool", "endpoint_url": upstream.url("/"), "timeout": 120});
        created(&api, &format!("/servers/{}/tools", server["id"]), tool).await;
        let url = server["endpoint_url"].as_str().unwrap();
        let path = url.strip_prefix(&app.origin()).unwrap().to_owned();
        Self { app, path, upstream }
    }

    /// A caller; the service has another port after each start.
    pub(crate) fn caller(&self) -> Mcp {
        Mcp::at(&format!("{}{}", self.app.origin(), self.path))
    }

    /// Callers that call until they are told to stop, or the service is gone.
    pub(crate) fn callers(&self, count: usize) -> Callers {
        Callers::start(count, || self.caller(), r#"{"fine":true}"#)
    }

    /// What the overview counts.
    pub(crate) async fn counted(&self) -> u64 {
        counted_at(&self.app).await
    }

    /// The same, once it is at least so many.
    pub(crate) async fn counted_at_least(&self, expected: u64) -> u64 {
        let began = Instant::now();
        loop {
            let counted = self.counted().await;
            if counted >= expected {
                return counted;
            }
            assert!(began.elapsed() < SOON, "{counted} of {expected} calls are counted\n{}", self.app.logs());
            tokio::task::yield_now().await;
        }
    }

    /// The requests whose calls the log holds.
    pub(crate) async fn logged(&self) -> HashSet<String> {
        let (api, mut before, mut requests) = (self.app.client(), String::new(), HashSet::new());
        loop {
            let page = api.get(&format!("/calls?per_page=100{before}")).send().await.expect(200);
            for call in page.json().as_array().unwrap() {
                let request = call["request_id"].as_str().unwrap();
                assert!(requests.insert(request.to_owned()), "the call of {request} is in the log twice");
            }
            let Some(next) = page.header("x-next-before") else { break };
            before = format!("&before={next}");
        }
        requests
    }
}

/// What the overview counts, today and yesterday: a test may run at midnight.
pub(crate) async fn counted_at(app: &App) -> u64 {
    let overview = app.client().get("/analytics/overview").send().await.expect(200).json();
    ["calls_today", "calls_yesterday"].iter().map(|field| overview[field].as_u64().unwrap()).sum()
}

async fn created(api: &Client, path: &str, fields: Value) -> Value {
    api.post(path).json(fields).send().await.expect(201).json()
}

/// What callers did.
#[derive(Default)]
struct Tally {
    started: AtomicU64,
    answered: AtomicU64,
    failed: AtomicU64,
    /// The requests that were answered well, by the names that the answers give them.
    requests: Mutex<HashSet<String>>,
    /// Tells of every answer.
    progress: Notify,
    stop: tokio_util::sync::CancellationToken,
}

/// Callers at work.
pub(crate) struct Callers {
    tally: Arc<Tally>,
    tasks: JoinSet<()>,
}

impl Callers {
    /// Callers of the tool named `tool`, whose answer is this text.
    pub(crate) fn start(count: usize, caller: impl Fn() -> Mcp, answer: &str) -> Self {
        let tally = Arc::new(Tally::default());
        let mut tasks = JoinSet::new();
        for _ in 0..count {
            tasks.spawn(call_on(caller(), answer.to_owned(), Arc::clone(&tally)));
        }
        Self { tally, tasks }
    }

    pub(crate) fn answered(&self) -> u64 {
        self.tally.answered.load(Ordering::SeqCst)
    }

    /// Waits until so many calls were answered.
    pub(crate) async fn wait_for(&self, answers: u64) {
        loop {
            let progress = self.tally.progress.notified();
            if self.answered() >= answers {
                return;
            }
            progress.await;
        }
    }

    /// Lets each finish its call; how many were started, and which were answered well.
    pub(crate) async fn stop(self) -> (u64, HashSet<String>) {
        self.tally.stop.cancel();
        self.tasks.join_all().await;
        assert_eq!(self.tally.failed.load(Ordering::SeqCst), 0, "calls failed");
        (self.tally.started.load(Ordering::SeqCst), std::mem::take(&mut self.tally.requests.lock().unwrap()))
    }
}

async fn call_on(caller: Mcp, answer: String, tally: Arc<Tally>) {
    while !tally.stop.is_cancelled() {
        tally.started.fetch_add(1, Ordering::SeqCst);
        let request = caller.request("tools/call", json!({"name": "tool", "arguments": {}}));
        // Whoever gets no answer was cut off by the kill.
        let Ok(reply) = request.try_send().await else { return };
        let is_well = reply.status == 200 && reply.json()["result"]["content"][0]["text"] == answer.as_str();
        let count = if is_well { &tally.answered } else { &tally.failed };
        tally.requests.lock().unwrap().insert(reply.header("x-request-id").unwrap().to_owned());
        count.fetch_add(1, Ordering::SeqCst);
        tally.progress.notify_waiters();
    }
}
