//! Those who ask: a mix of everything, at a steady pace.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};
use toolgate_testkit::http::Request;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, Mcp, Reply};

use crate::gauge::Gauge;
use crate::stage::{FAILING, HANGS, Server, Stage};

/// After so many turns a worker leaves and comes back: new connections, a new session.
const STAYS: u64 = 200;
/// So many different calls are kept.
const KEPT: u64 = 100;
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

type Outcome = Result<(), String>;

/// One of those who ask.
pub(crate) struct Worker {
    number: u32,
    stage: Arc<Stage>,
    gauge: Arc<Gauge>,
}

/// What a worker asks with, until it comes back anew.
struct Means {
    api: Client,
    modern: Mcp,
    legacy: Mcp,
}

impl Worker {
    pub(crate) fn new(number: u32, stage: Arc<Stage>, gauge: Arc<Gauge>) -> Self {
        Self { number, stage, gauge }
    }

    /// Takes a turn each time `pace` is over, for ever; at first without a pause.
    pub(crate) async fn work(self, pace: Duration, rush: Duration) {
        let rush_ends = Instant::now() + rush;
        let mut ticks = interval(pace);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            let means = self.come().await;
            for turn in 0..STAYS {
                if Instant::now() > rush_ends {
                    ticks.tick().await;
                }
                // Workers are at different places of the mix.
                let outcome = self.turn(&means, turn + u64::from(self.number) * 37).await;
                outcome.unwrap_or_else(|what| self.gauge.wrong(what));
            }
        }
    }

    async fn come(&self) -> Means {
        let caller = Mcp::at(&self.stage.busy.url);
        let legacy = caller.clone().legacy(NEWEST_LEGACY).await;
        Means { api: self.stage.app.client(), modern: caller.modern(), legacy }
    }

    /// What is done in a turn: of a hundred, 60 call a tool.
    async fn turn(&self, with: &Means, turn: u64) -> Outcome {
        let caller = if turn.is_multiple_of(2) { &with.modern } else { &with.legacy };
        let busy = format!("/servers/{}", self.stage.busy.id);
        match turn % 100 {
            0..31 => self.call(caller, "weather", json!({"city": "Bern", "days": turn}), false).await,
            31..51 => self.call(caller, "kept", json!({"days": turn % KEPT}), false).await,
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

    async fn call(&self, caller: &Mcp, tool: &str, arguments: Value, is_to_fail: bool) -> Outcome {
        let request = caller.request("tools/call", json!({"name": tool, "arguments": arguments}));
        judged(&self.ask(request, 200).await?, |result| result.get("isError").is_some() == is_to_fail)
    }

    /// A call whose time is over after a while: it has to end then, and not much later.
    async fn hang(&self, caller: &Mcp) -> Outcome {
        let began = Instant::now();
        let request = caller.request("tools/call", json!({"name": "hangs", "arguments": {}}));
        let reply = request.try_send().await.map_err(|error| format!("hangs: {error}"))?;
        self.gauge.counted();
        let took = began.elapsed();
        let in_time = Duration::from_secs(HANGS)..Duration::from_secs(HANGS) + Duration::from_millis(1500);
        if !in_time.contains(&took) {
            return Err(format!("a call of {HANGS} s ended after {took:?}"));
        }
        judged(&reply, |result| result["isError"] == true)
    }

    async fn list(&self, caller: &Mcp) -> Outcome {
        let request = caller.request("tools/list", json!({}));
        let tools = |result: &Value| result["tools"].as_array().map_or(0, Vec::len);
        judged(&self.ask(request, 200).await?, |result| tools(result) == FAILING.len() + 3)
    }

    async fn get(&self, api: &Client, path: &str) -> Outcome {
        self.ask(api.get(path), 200).await.map(drop)
    }

    async fn import(&self, api: &Client) -> Outcome {
        let reply = self.ask(api.post("/tools/import-curl").json(json!({"curl": CURL})), 200).await?;
        let is_right = reply.json()["http_method"] == "POST";
        if is_right { Ok(()) } else { Err(format!("{reply:?}")) }
    }

    /// A tool comes, changes, is called and goes.
    async fn change(&self, api: &Client, turn: u64) -> Outcome {
        let Server { id, url } = &self.stage.scratch;
        let name = format!("scratch_{}_{turn}", self.number);
        let fields = json!({"name": name, "endpoint_url": self.stage.upstream.url("/scratch"),
            "auth_type": "bearer", "auth_credentials": {"token": "a-token-of-no-worth"}});
        let tool = self.ask(api.post(&format!("/servers/{id}/tools")).json(fields), 201).await?.json();
        let path = format!("/tools/{}", tool["id"]);
        self.ask(api.patch(&path).json(json!({"description": "changed", "timeout": 5})), 200).await?;
        self.call(&Mcp::at(url), &name, json!({}), false).await?;
        self.ask(api.delete(&path), 200).await?;
        self.gauge.changed();
        Ok(())
    }

    /// The reply, of this status.
    async fn ask(&self, request: Request, status: u16) -> Result<Reply, String> {
        let shown = format!("{request:?}");
        let began = Instant::now();
        let reply = request.try_send().await.map_err(|error| format!("{error:?}: {shown}"))?;
        self.gauge.answered(began.elapsed());
        if reply.status == status { Ok(reply) } else { Err(format!("{reply:?}")) }
    }
}

/// Whether the reply holds a result that is as it should be.
fn judged(reply: &Reply, is_right: impl Fn(&Value) -> bool) -> Outcome {
    let message: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let is_right = message.get("result").is_some_and(is_right);
    if is_right { Ok(()) } else { Err(format!("{reply:?}")) }
}
