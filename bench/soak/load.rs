//! Workers that send a mix of requests at a steady rate.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, McpClient, TestResponse};

use crate::setup::{FAILING, HANG_TIMEOUT_SECS, SoakServer, SoakSetup};
use crate::stats::LoadStats;

/// After so many turns a worker leaves and comes back: new connections, a new session.
const TURNS_PER_CONNECTION: u64 = 200;
/// So many different calls are kept.
const CACHED_CALLS: u64 = 100;
const CURL: &str =
    "curl -X POST 'https://api.example.com/v1/orders?dry=1' -u user:pass -H 'X-Trace: 1' -d '{\"a\": [1, 2]}'";
const REPORTS: [&str; 6] = [
    "/analytics/overview",
    "/analytics/client-breakdown",
    "/analytics/timeseries",
    "/analytics/tools",
    "/calls?status=failed",
    "/calls?per_page=100",
];

type TurnResult = Result<(), String>;

/// One of those who ask.
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

    /// Takes a turn each time `pace` is over, for ever; at first without a pause.
    pub(crate) async fn work(self, pace: Duration, burst: Duration) {
        let burst_end = Instant::now() + burst;
        let mut ticks = interval(pace);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            let clients = self.connect().await;
            for turn in 0..TURNS_PER_CONNECTION {
                if Instant::now() > burst_end {
                    ticks.tick().await;
                }
                // Workers are at different places of the mix.
                let outcome = self.turn(&clients, turn + u64::from(self.number) * 37).await;
                outcome.unwrap_or_else(|what| self.stats.record_wrong(what));
            }
        }
    }

    async fn connect(&self) -> WorkerClients {
        let caller = McpClient::new(&self.setup.busy.url);
        let legacy = caller.clone().legacy(NEWEST_LEGACY).await;
        WorkerClients { api: self.setup.app.client(), modern: caller.modern(), legacy }
    }

    /// What is done in a turn: of a hundred, 60 call a tool.
    async fn turn(&self, with: &WorkerClients, turn: u64) -> TurnResult {
        let caller = if turn.is_multiple_of(2) { &with.modern } else { &with.legacy };
        let busy = format!("/servers/{}", self.setup.busy.id);
        match turn % 100 {
            0..31 => self.call(caller, "weather", json!({"city": "Bern", "days": turn}), false).await,
            31..51 => self.call(caller, "cached", json!({"days": turn % CACHED_CALLS}), false).await,
            51..59 => {
                self.call(caller, FAILING[usize::try_from(turn).unwrap_or(0) % FAILING.len()], json!({}), true).await
            }
            59..60 => self.hang(caller).await,
            60..61 => self.call(caller, "weather", json!({"days": "no number"}), true).await,
            61..75 => self.list(caller).await,
            75..82 => self.get(&with.api, &format!("{busy}/tools")).await,
            82..89 => self.get(&with.api, &format!("/servers?page=1&search=bus&turn={turn}")).await,
            89..92 => self.get(&with.api, REPORTS[usize::try_from(turn / 3).unwrap_or(0) % REPORTS.len()]).await,
            92..97 => self.import(&with.api).await,
            _ => self.change(&with.api, turn).await,
        }
    }

    async fn call(&self, caller: &McpClient, tool: &str, arguments: Value, must_fail: bool) -> TurnResult {
        let request = caller.request("tools/call", json!({"name": tool, "arguments": arguments}));
        check_result(&self.send(request, 200).await?, |result| result.get("isError").is_some() == must_fail)
    }

    /// A call whose time is over after a while: it has to end then, and not much later.
    async fn hang(&self, caller: &McpClient) -> TurnResult {
        let began = Instant::now();
        let request = caller.request("tools/call", json!({"name": "hangs", "arguments": {}}));
        let reply = request.try_send().await.map_err(|error| format!("hangs: {error}"))?;
        self.stats.count_request();
        let elapsed = began.elapsed();
        let in_time = Duration::from_secs(HANG_TIMEOUT_SECS)
            ..Duration::from_secs(HANG_TIMEOUT_SECS) + Duration::from_millis(1500);
        if !in_time.contains(&elapsed) {
            return Err(format!("a call of {HANG_TIMEOUT_SECS} s ended after {elapsed:?}"));
        }
        check_result(&reply, |result| result["isError"] == true)
    }

    async fn list(&self, caller: &McpClient) -> TurnResult {
        let request = caller.request("tools/list", json!({}));
        let tools = |result: &Value| result["tools"].as_array().map_or(0, Vec::len);
        check_result(&self.send(request, 200).await?, |result| tools(result) == FAILING.len() + 3)
    }

    async fn get(&self, api: &Client, path: &str) -> TurnResult {
        self.send(api.get(path), 200).await.map(drop)
    }

    async fn import(&self, api: &Client) -> TurnResult {
        let reply = self.send(api.post("/tools/import-curl").json(json!({"curl": CURL})), 200).await?;
        let is_right = reply.json()["http_method"] == "POST";
        if is_right { Ok(()) } else { Err(format!("{reply:?}")) }
    }

    /// A tool comes, changes, is called and goes.
    async fn change(&self, api: &Client, turn: u64) -> TurnResult {
        let SoakServer { id, url } = &self.setup.scratch;
        let name = format!("scratch_{}_{turn}", self.number);
        let fields = json!({"name": name, "endpoint_url": self.setup.upstream.url("/scratch"),
            "auth_type": "bearer", "auth_credentials": {"token": "a-token-of-no-worth"}});
        let tool = self.send(api.post(&format!("/servers/{id}/tools")).json(fields), 201).await?.json();
        let path = format!("/tools/{}", tool["id"]);
        self.send(api.patch(&path).json(json!({"description": "changed", "timeout": 5})), 200).await?;
        self.call(&McpClient::new(url), &name, json!({}), false).await?;
        self.send(api.delete(&path), 200).await?;
        self.stats.count_change();
        Ok(())
    }

    /// The reply, of this status.
    async fn send(&self, request: TestRequest, status: u16) -> Result<TestResponse, String> {
        let shown = format!("{request:?}");
        let began = Instant::now();
        let reply = request.try_send().await.map_err(|error| format!("{error:?}: {shown}"))?;
        self.stats.record_response(began.elapsed());
        if reply.status == status { Ok(reply) } else { Err(format!("{reply:?}")) }
    }
}

/// Whether the reply holds a result that is as it should be.
fn check_result(reply: &TestResponse, is_right: impl Fn(&Value) -> bool) -> TurnResult {
    let message: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let is_right = message.get("result").is_some_and(is_right);
    if is_right { Ok(()) } else { Err(format!("{reply:?}")) }
}
