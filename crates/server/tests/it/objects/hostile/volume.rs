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
use toolgate_testkit::http::Request;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Answer, App, Client, Mcp, Reply, Upstream};

use super::super::make::created;
use super::generator::Dice;
use super::{Belongings, assert_well, routes};

/// How many requests, half of them over each way in.
const VARIABLE: &str = "TOOLGATE_TEST_HOSTILE_INPUTS";
const INPUTS: usize = 4_000;
/// A reply that takes longer is a hang: none of these requests has anything to wait for.
const PATIENCE: Duration = Duration::from_secs(20);
const AT_ONCE: usize = 8;
const SEED: u64 = 20_261_116;

/// One request, and what to call it when it goes wrong.
struct Bad {
    request: Request,
    shown: String,
}

fn inputs() -> usize {
    let wanted = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    wanted.map_or(INPUTS, |text| text.parse().expect("the number of inputs is a number")) / 2
}

/// Sends them all, a few at a time; a stream of events is left as soon as it begins.
async fn assert_all_answered(bad: impl Iterator<Item = Bad>) -> Tally {
    let replies = stream::iter(bad).map(async |Bad { request, shown }| (answer(request).await, shown));
    let mut replies = std::pin::pin!(replies.buffer_unordered(AT_ONCE));
    let mut tally = Tally::default();
    while let Some((reply, shown)) = replies.next().await {
        assert!(reply.status < 500, "{shown}: {reply:?}");
        tally.count(&reply, &shown);
    }
    tally
}

async fn answer(request: Request) -> Reply {
    let reply = request.patience(PATIENCE).open().await;
    let is_stream = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    if is_stream { reply.head() } else { reply.rest().await }
}

/// What came back, to see that the inputs went deep enough to be worth sending.
#[derive(Debug, Default)]
struct Tally {
    taken: usize,
    refused: usize,
}

impl Tally {
    #[track_caller]
    fn count(&mut self, reply: &Reply, shown: &str) {
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
    let app = App::start(env!("CARGO_BIN_EXE_toolgate"));
    let (client, count) = (app.client(), inputs());
    let at = Belongings::of(&client, "Target").await;
    let all = routes::all(&app).await;
    let mut dice = Dice::new(SEED);
    let bad = (0..count).map(|_| rest::bad(&client, &all, &at, &mut dice));
    assert_all_answered(bad).await.assert_varied(count);
    assert_eq!(created(&client, "/servers", json!({"name": "After"})).await["name"], "After");
    assert_well(&app).await;
}

#[tokio::test]
async fn bad_messages_to_an_endpoint_by_the_thousand_are_all_answered() {
    let upstream = Upstream::answering(|_| Answer::text("Sunny"));
    let app = App::start(env!("CARGO_BIN_EXE_toolgate"));
    let (url, count) = (endpoint(&app.client(), &upstream).await, inputs());
    let bare = Mcp::at(&url);
    let modern = bare.clone().modern().header("mcp-param-city", "Bern");
    let callers = [bare.clone(), bare.legacy(NEWEST_LEGACY).await, modern];
    let mut dice = Dice::new(SEED + 1);
    let bad = (0..count).map(|_| mcp::bad(&callers, &mut dice));
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
