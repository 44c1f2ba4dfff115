//! Bad requests by the thousand over every route of the management API and every method of the protocol: each is
//! answered in time, none with a fault of ours, and the service is as well afterwards as it was before.
//!
//! A run of 100,000 takes minutes, so one of every day makes fewer; `make hostile` asks for them all. The generators
//! are seeded, so a failure can be had again.

mod mcp;
mod rest;
mod spoiling;

use std::time::Duration;

use futures_util::{StreamExt, stream};
use serde_json::json;
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, McpClient, MockResponse, RunningService, TestResponse, Upstream};

use super::super::make::created;
use super::generator::HostileRng;
use super::{OwnedObjects, assert_well, routes};

/// How many requests, half of them over each way in.
const VARIABLE: &str = "TOOLGATE_TEST_HOSTILE_INPUTS";
const INPUTS: usize = 4_000;
/// A reply that takes longer is a hang: none of these requests has anything to wait for.
const REPLY_TIMEOUT: Duration = Duration::from_secs(20);
const CONCURRENT_REQUESTS: usize = 8;
const SEED: u64 = 20_261_116;

/// One request, and what to call it when it goes wrong.
struct BadRequest {
    request: TestRequest,
    shown: String,
}

fn inputs() -> usize {
    let wanted = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    wanted.map_or(INPUTS, |text| text.parse().expect("the number of inputs is a number")) / 2
}

/// Sends them all, a few at a time; a stream of events is left as soon as it begins.
async fn assert_all_answered(bad: impl Iterator<Item = BadRequest>) -> ReplyCounts {
    let replies = stream::iter(bad).map(async |BadRequest { request, shown }| (answer(request).await, shown));
    let mut replies = std::pin::pin!(replies.buffer_unordered(CONCURRENT_REQUESTS));
    let mut counts = ReplyCounts::default();
    while let Some((reply, shown)) = replies.next().await {
        assert!(reply.status < 500, "{shown}: {reply:?}");
        counts.count(&reply, &shown);
    }
    counts
}

async fn answer(request: TestRequest) -> TestResponse {
    let reply = request.timeout(REPLY_TIMEOUT).open().await;
    let is_stream = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    if is_stream { reply.into_head() } else { reply.read_to_end().await }
}

/// What came back, to see that the inputs went deep enough to be worth sending.
#[derive(Debug, Default)]
struct ReplyCounts {
    taken: usize,
    refused: usize,
}

impl ReplyCounts {
    #[track_caller]
    fn count(&mut self, reply: &TestResponse, shown: &str) {
        *(if reply.status < 400 { &mut self.taken } else { &mut self.refused }) += 1;
        if reply.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            let body = serde_json::from_slice::<serde_json::Value>(&reply.body);
            assert!(body.is_ok() || reply.body.is_empty(), "{shown}: {reply:?}");
        }
    }

    #[track_caller]
    fn assert_varied(&self, inputs: usize) {
        let Self { taken, refused } = *self;
        assert_eq!(taken + refused, inputs);
        assert!(taken > inputs / 50 && refused > inputs / 4, "{self:?}");
    }
}

#[tokio::test]
async fn bad_requests_to_the_management_api_by_the_thousand_are_all_answered() {
    let app = RunningService::start(env!("CARGO_BIN_EXE_toolgate"));
    let (client, count) = (app.client(), inputs());
    let at = OwnedObjects::create(&client, "Target").await;
    let all = routes::all(&app).await;
    let mut rng = HostileRng::new(SEED);
    let bad = (0..count).map(|_| rest::bad(&client, &all, &at, &mut rng));
    assert_all_answered(bad).await.assert_varied(count);
    assert_eq!(created(&client, "/servers", json!({"name": "After"})).await["name"], "After");
    assert_well(&app).await;
}

#[tokio::test]
async fn bad_messages_to_an_endpoint_by_the_thousand_are_all_answered() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("Sunny"));
    let app = RunningService::start(env!("CARGO_BIN_EXE_toolgate"));
    let (url, count) = (endpoint(&app.client(), &upstream).await, inputs());
    let bare = McpClient::new(&url);
    let modern = bare.clone().modern().header("mcp-param-city", "Bern");
    let callers = [bare.clone(), bare.legacy(NEWEST_LEGACY).await, modern];
    let mut rng = HostileRng::new(SEED + 1);
    let bad = (0..count).map(|_| mcp::bad(&callers, &mut rng));
    assert_all_answered(bad).await.assert_varied(count);
    for caller in &callers {
        assert_eq!(caller.text("weather", json!({"city": "Bern"})).await, "Sunny");
    }
    assert_well(&app).await;
}

/// The address of a server with one of everything, and no limit that would answer in its place.
async fn endpoint(client: &Client, upstream: &Upstream) -> String {
    let server = created(client, "/servers", json!({"name": "Target", "rate_limit_per_min": 1_000_000})).await;
    let below = |kind: &str| format!("/servers/{}/{kind}", server["id"]);
    let schema = json!({"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}});
    let tool = json!({"name": "weather", "endpoint_url": upstream.url("/weather"), "input_schema": schema});
    created(client, &below("tools"), tool).await;
    let prompt = json!({"name": "describe", "arguments": [{"name": "city", "values": ["Bern", "Basel"]}],
        "template_content": "Describe {{city}}."});
    created(client, &below("prompts"), prompt).await;
    let resource = json!({"uri": "docs://city", "name": "City", "template_uri": "docs://city/{city}",
        "data_source_config": {"content": "About {{city}}."}});
    created(client, &below("resources"), resource).await;
    server["endpoint_url"].as_str().unwrap().to_owned()
}
