//! Workers that send a mix of requests at a steady rate.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, McpClient, TestResponse};

use crate::WORKERS;
use crate::setup::{FAILING_TOOLS, HANG_TIMEOUT_SECS, SoakServer, SoakSetup};
use crate::stats::LoadStats;

/// Number of steps after which a worker reconnects, with new connections and a new session.
const STEPS_PER_CONNECTION: u64 = 200;
/// How long after its timeout a call may end.
const HANG_DELAY_MAX: Duration = Duration::from_millis(1500);
/// Number of distinct calls with cached responses.
const CACHED_CALLS: u64 = 100;
const CURL_COMMAND: &str =
    "curl -X POST 'https://api.example.com/v1/orders?dry=1' -u user:pass -H 'X-Trace: 1' -d '{\"a\": [1, 2]}'";
const REPORTS: [&str; 6] = [
    "/analytics/overview",
    "/analytics/client-breakdown",
    "/analytics/timeseries",
    "/analytics/tools",
    "/calls?status=failed",
    "/calls?per_page=100",
];

type StepResult = Result<(), String>;

/// A worker. Its number selects its position in the mix of requests.
pub(crate) struct SoakWorker {
    number: u32,
    setup: Arc<SoakSetup>,
    stats: Arc<LoadStats>,
}

/// The clients of a worker, until it reconnects.
struct WorkerClients {
    api: Client,
    modern: McpClient,
    legacy: McpClient,
}

impl SoakWorker {
    pub(crate) fn new(number: u32, setup: Arc<SoakSetup>, stats: Arc<LoadStats>) -> Self {
        Self { number, setup, stats }
    }

    /// Runs a step every `step_interval`, in an endless loop; without pauses until `burst` has passed.
    pub(crate) async fn work(self, step_interval: Duration, burst: Duration) {
        let burst_end = Instant::now() + burst;
        let mut ticks = interval(step_interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        // The first connections are shorter, so that the workers do not all reconnect at the same time.
        let mut steps = STEPS_PER_CONNECTION * u64::from(self.number + 1) / u64::from(WORKERS);
        loop {
            let clients = self.connect().await;
            for step in 0..steps {
                if Instant::now() > burst_end {
                    ticks.tick().await;
                }
                // The offset gives each worker a different position in the mix: 37 and 100 have no common divisor.
                let result = self.run_step(&clients, step + u64::from(self.number) * 37).await;
                result.unwrap_or_else(|description| self.stats.record_wrong(description));
            }
            steps = STEPS_PER_CONNECTION;
        }
    }

    async fn connect(&self) -> WorkerClients {
        let caller = McpClient::new(&self.setup.busy.url);
        let legacy = caller.clone().legacy(NEWEST_LEGACY).await;
        WorkerClients { api: self.setup.app.client(), modern: caller.modern(), legacy }
    }

    /// Sends the requests of one step. The mix repeats every hundred steps, of which 61 only call a tool, and three
    /// change a tool and call it.
    async fn run_step(&self, clients: &WorkerClients, step: u64) -> StepResult {
        let caller = if step.is_multiple_of(2) { &clients.modern } else { &clients.legacy };
        let busy = format!("/servers/{}", self.setup.busy.id);
        match step % 100 {
            0..31 => self.call(caller, "weather", json!({"city": "Bern", "days": step}), false).await,
            31..51 => self.call(caller, "cached", json!({"days": step % CACHED_CALLS}), false).await,
            51..59 => {
                let tool = FAILING_TOOLS[usize::try_from(step).unwrap_or(0) % FAILING_TOOLS.len()];
                self.call(caller, tool, json!({}), true).await
            }
            59..60 => self.call_hanging_tool(caller).await,
            60..61 => self.call(caller, "weather", json!({"days": "not a number"}), true).await,
            61..75 => self.list_tools(caller).await,
            75..82 => self.get(&clients.api, &format!("{busy}/tools")).await,
            82..89 => self.get(&clients.api, &format!("/servers?page=1&search=bus&step={step}")).await,
            89..92 => self.get(&clients.api, REPORTS[usize::try_from(step / 3).unwrap_or(0) % REPORTS.len()]).await,
            92..97 => self.import_curl(&clients.api).await,
            _ => self.change_tool(&clients.api, step).await,
        }
    }

    /// Calls a tool; `must_fail` is whether the result must be an error.
    async fn call(&self, caller: &McpClient, tool: &str, arguments: Value, must_fail: bool) -> StepResult {
        let request = caller.request("tools/call", json!({"name": tool, "arguments": arguments}));
        check_result(&self.send(request, 200).await?, |result| result.get("isError").is_some() == must_fail)
    }

    /// Makes a call that times out. It must end at its timeout, and not much later.
    async fn call_hanging_tool(&self, caller: &McpClient) -> StepResult {
        let began = Instant::now();
        let request = caller.request("tools/call", json!({"name": "hangs", "arguments": {}}));
        let reply = request.try_send().await.map_err(|error| format!("hangs: {error}"))?;
        self.stats.count_request();
        let elapsed = began.elapsed();
        let timeout = Duration::from_secs(HANG_TIMEOUT_SECS);
        let expected = timeout..timeout + HANG_DELAY_MAX;
        if !expected.contains(&elapsed) {
            return Err(format!("a call with a timeout of {HANG_TIMEOUT_SECS} s ended after {elapsed:?}"));
        }
        check_result(&reply, |result| result["isError"] == true)
    }

    async fn list_tools(&self, caller: &McpClient) -> StepResult {
        let request = caller.request("tools/list", json!({}));
        let tool_count = |result: &Value| result["tools"].as_array().map_or(0, Vec::len);
        // The other three are `weather`, `cached` and `hangs`.
        check_result(&self.send(request, 200).await?, |result| tool_count(result) == FAILING_TOOLS.len() + 3)
    }

    async fn get(&self, api: &Client, path: &str) -> StepResult {
        self.send(api.get(path), 200).await.map(drop)
    }

    async fn import_curl(&self, api: &Client) -> StepResult {
        let reply = self.send(api.post("/tools/import-curl").json(json!({"curl": CURL_COMMAND})), 200).await?;
        let is_correct = reply.json()["http_method"] == "POST";
        if is_correct { Ok(()) } else { Err(format!("{reply:?}")) }
    }

    /// Creates a tool, updates it, calls it and deletes it.
    async fn change_tool(&self, api: &Client, step: u64) -> StepResult {
        let SoakServer { id, url } = &self.setup.scratch;
        let name = format!("scratch_{}_{step}", self.number);
        let fields = json!({"name": name, "endpoint_url": self.setup.upstream.url("/scratch"),
            "auth_type": "bearer", "auth_credentials": {"token": "test-token"}});
        let tool = self.send(api.post(&format!("/servers/{id}/tools")).json(fields), 201).await?.json();
        let path = format!("/tools/{}", tool["id"]);
        self.send(api.patch(&path).json(json!({"description": "changed", "timeout": 5})), 200).await?;
        self.call(&McpClient::new(url), &name, json!({}), false).await?;
        self.send(api.delete(&path), 200).await?;
        self.stats.count_change();
        Ok(())
    }

    /// Sends a request; any status other than `status` is an error.
    async fn send(&self, request: TestRequest, status: u16) -> Result<TestResponse, String> {
        let request_text = format!("{request:?}");
        let began = Instant::now();
        let reply = request.try_send().await.map_err(|error| format!("{error:?}: {request_text}"))?;
        self.stats.record_response(began.elapsed());
        if reply.status == status { Ok(reply) } else { Err(format!("{reply:?}")) }
    }
}

/// Fails unless the reply has a result that `is_correct` accepts.
fn check_result(reply: &TestResponse, is_correct: impl Fn(&Value) -> bool) -> StepResult {
    let message: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let is_correct = message.get("result").is_some_and(is_correct);
    if is_correct { Ok(()) } else { Err(format!("{reply:?}")) }
}
