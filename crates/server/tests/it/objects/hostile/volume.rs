//! Thousands of bad requests to every route of the management API and every MCP method: each gets a reply in time, none
//! a 5xx status, and the service still works afterwards.
//!
//! 100,000 requests take minutes, so the default is lower; `make hostile` sends them all. The generators have fixed
//! seeds, so failures are reproducible.

mod corruption;
mod mcp;
mod rest;

use std::time::Duration;

use futures_util::{StreamExt, stream};
use serde_json::json;
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, McpClient, MockResponse, TestResponse, Upstream, volume};

use super::generator::HostileRng;
use super::{OwnedObjects, assert_healthy, routes};
use crate::toolgate;

/// The environment variable with the number of requests: half go to the management API, half to an MCP endpoint.
const INPUTS_VARIABLE: &str = "TOOLGATE_TEST_HOSTILE_INPUTS";
/// None of these requests waits for anything, so a reply that takes longer is a hang.
const REPLY_TIMEOUT: Duration = Duration::from_mins(1);
const CONCURRENT_REQUESTS: usize = 8;
const SEED: u64 = 20_261_116;

/// A request and its description for failure messages.
struct BadRequest {
    request: TestRequest,
    description: String,
}

/// The number of requests that one test sends.
fn requests_per_test() -> usize {
    volume::configured(INPUTS_VARIABLE).unwrap_or_else(|| volume::full_or_sample(4_000, 1_000)) / 2
}

/// Sends all requests, a few of them concurrently, and checks that each gets a reply without a 5xx status.
async fn assert_all_get_a_reply(bad_requests: impl Iterator<Item = BadRequest>) -> ReplyCounts {
    let replies =
        stream::iter(bad_requests).map(async |BadRequest { request, description }| (send(request).await, description));
    let mut replies = std::pin::pin!(replies.buffer_unordered(CONCURRENT_REQUESTS));
    let mut counts = ReplyCounts::default();
    while let Some((reply, description)) = replies.next().await {
        // Each user may run one import at a time.
        let is_second_import = reply.status == 503 && reply.text().contains("rest_too_many_imports");
        assert!(reply.status < 500 || is_second_import, "{description}: {reply:?}");
        counts.count(&reply, &description);
    }
    counts
}

/// Sends a request. Of an event stream, only the head is read.
async fn send(request: TestRequest) -> TestResponse {
    let reply = request.timeout(REPLY_TIMEOUT).open().await;
    let is_stream = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    if is_stream { reply.into_head() } else { reply.read_to_end().await }
}

/// Counts of the replies, to check that enough requests got past the first validation.
#[derive(Debug, Default)]
struct ReplyCounts {
    accepted: usize,
    refused: usize,
}

impl ReplyCounts {
    #[track_caller]
    fn count(&mut self, reply: &TestResponse, description: &str) {
        *(if reply.status < 400 { &mut self.accepted } else { &mut self.refused }) += 1;
        if reply.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            let body = serde_json::from_slice::<serde_json::Value>(&reply.body);
            assert!(body.is_ok() || reply.body.is_empty(), "{description}: {reply:?}");
        }
    }

    #[track_caller]
    fn assert_varied(&self, inputs: usize) {
        let Self { accepted, refused } = *self;
        assert_eq!(accepted + refused, inputs);
        assert!(accepted > inputs / 50 && refused > inputs / 4, "{self:?}");
    }
}

#[tokio::test]
async fn thousands_of_bad_requests_to_the_management_api_all_get_a_reply() {
    let app = toolgate().start();
    let (client, count) = (app.client(), requests_per_test());
    let objects = OwnedObjects::create(&client, "Target").await;
    let all = routes::all(&app).await;
    let mut rng = HostileRng::new(SEED);
    let bad_requests = (0..count).map(|_| rest::bad_request(&client, &all, &objects, &mut rng));
    assert_all_get_a_reply(bad_requests).await.assert_varied(count);
    assert_eq!(client.create("/servers", json!({"name": "After"})).await["name"], "After");
    assert_healthy(&app).await;
}

#[tokio::test]
async fn thousands_of_bad_messages_to_an_endpoint_all_get_a_reply() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("Sunny"));
    let app = toolgate().start();
    let (url, count) = (create_target(&app.client(), &upstream).await, requests_per_test());
    let bare = McpClient::new(&url);
    let modern = bare.clone().modern().header("mcp-param-city", "Bern");
    let callers = [bare.clone(), bare.legacy(NEWEST_LEGACY).await, modern];
    let mut rng = HostileRng::new(SEED + 1);
    let bad_messages = (0..count).map(|_| mcp::bad_message(&callers, &mut rng));
    assert_all_get_a_reply(bad_messages).await.assert_varied(count);
    for caller in &callers {
        assert_eq!(caller.text("weather", json!({"city": "Bern"})).await, "Sunny");
    }
    assert_healthy(&app).await;
}

/// Creates a server with one tool, prompt and resource, and a rate limit that the test does not reach. Returns its URL.
async fn create_target(client: &Client, upstream: &Upstream) -> String {
    let server = client.create("/servers", json!({"name": "Target", "rate_limit_per_min": 1_000_000})).await;
    let child_path = |kind: &str| format!("/servers/{}/{kind}", server["id"]);
    let schema = json!({"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}});
    let tool = json!({"name": "weather", "endpoint_url": upstream.url("/weather"), "input_schema": schema});
    client.create(&child_path("tools"), tool).await;
    let prompt = json!({"name": "describe", "arguments": [{"name": "city", "values": ["Bern", "Basel"]}],
        "template_content": "Describe {{city}}."});
    client.create(&child_path("prompts"), prompt).await;
    let resource = json!({"uri": "docs://city", "name": "City", "template_uri": "docs://city/{city}",
        "data_source_config": {"content": "About {{city}}."}});
    client.create(&child_path("resources"), resource).await;
    server["endpoint_url"].as_str().unwrap().to_owned()
}
