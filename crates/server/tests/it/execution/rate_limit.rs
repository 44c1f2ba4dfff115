//! `rate_limit_per_min`: exactly as many calls as allowed are admitted.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::{MockResponse, ServiceFixture, TestResponse, Upstream};

use crate::toolgate;

/// Valid values of `Retry-After`: at most the length of the window, 60.1 seconds, rounded up.
const RETRY_AFTER_SECS: std::ops::RangeInclusive<u64> = 1..=61;

async fn fixture(limit: i64) -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = ServiceFixture::start(toolgate(), upstream, json!({"rate_limit_per_min": limit})).await;
    fixture.create_tool(json!({})).await;
    fixture
}

fn call_params() -> Value {
    json!({"name": "tool", "arguments": {}})
}

/// Checks the refusal of a single request.
#[track_caller]
fn assert_refused(reply: &TestResponse, limit: i64) {
    assert_eq!(reply.status, 429, "{reply:?}");
    let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!(RETRY_AFTER_SECS.contains(&seconds), "Retry-After is {seconds}");
    let body = reply.json();
    assert!(body["id"].is_i64(), "{body}");
    let error =
        json!({"code": 429, "message": "Rate limit exceeded", "data": {"limit": limit, "retry_after": seconds}});
    assert_eq!(body, json!({"jsonrpc": "2.0", "id": body["id"], "error": error}));
    assert_eq!(reply.header("content-type"), Some("application/json"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_six_hundred_calls_by_sixty_callers_exactly_sixty_pass() {
    let fixture = fixture(60).await;
    let mut callers = JoinSet::new();
    for number in 0..60_u32 {
        // No header of a caller gives it a separate limit.
        let address = format!("203.0.113.{number}");
        let caller =
            fixture.caller().header("x-forwarded-for", &address).header("forwarded", &format!("for={address}"));
        let caller = caller.header("x-real-ip", &address).header("x-mcp-client", &format!("client-{number}"));
        let caller = caller.header("x-api-key", &address).header("user-agent", &address);
        let caller = match number % 3 {
            0 => caller,
            1 => caller.modern(),
            _ => caller.legacy("2025-11-25").await,
        };
        callers.spawn(async move {
            let mut replies = Vec::new();
            for _ in 0..10 {
                replies.push(caller.send("tools/call", call_params()).await);
            }
            replies
        });
    }
    let replies: Vec<TestResponse> = callers.join_all().await.into_iter().flatten().collect();
    assert_eq!(replies.len(), 600);
    let (passed, refused): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status == 200);
    assert_eq!(passed.len(), 60);
    for reply in passed {
        assert_eq!(reply.json()["result"]["content"][0]["text"], "ok", "{reply:?}");
    }
    for reply in refused {
        assert_refused(&reply, 60);
    }
    assert_eq!(fixture.upstream.request_count(), 60);
}

#[tokio::test]
async fn calls_and_other_requests_are_counted_separately_and_initialization_is_free() {
    let fixture = fixture(3).await;
    let caller = fixture.caller();
    for _ in 0..3 {
        caller.result("tools/list", json!({})).await;
    }
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        assert_refused(&caller.send(method, json!({})).await, 3);
    }
    for _ in 0..3 {
        caller.text("tool", json!({})).await;
    }
    assert_refused(&caller.send("tools/call", call_params()).await, 3);
    assert_eq!(fixture.upstream.request_count(), 3);
    for _ in 0..5 {
        caller.result("ping", json!({})).await;
        caller.clone().legacy("2025-11-25").await;
        caller.clone().modern().result("server/discover", json!({})).await;
    }
}

#[tokio::test]
async fn each_message_of_a_batch_is_counted_separately() {
    let fixture = fixture(2).await;
    let batch: Vec<Value> = (1..=5)
        .map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call_params()}))
        .collect();
    let reply = fixture.caller().post(json!(batch)).send().await.expect(200);
    let responses = reply.json();
    let responses = responses.as_array().unwrap();
    let ids: Vec<i64> = responses.iter().map(|response| response["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    let (passed, refused): (Vec<_>, Vec<_>) = responses.iter().partition(|response| response.get("result").is_some());
    assert_eq!((passed.len(), refused.len()), (2, 3), "{reply:?}");
    for response in refused {
        assert_eq!(response["error"]["code"], 429, "{response}");
        assert_eq!(response["error"]["data"]["limit"], 2, "{response}");
        assert!(
            response["error"]["data"]["retry_after"].as_u64().is_some_and(|secs| RETRY_AFTER_SECS.contains(&secs)),
            "{response}"
        );
    }
    assert_eq!(fixture.upstream.request_count(), 2);
    assert_refused(&fixture.caller().send("tools/call", call_params()).await, 2);
}

#[tokio::test]
async fn zero_means_no_limit_and_a_changed_limit_takes_effect_immediately() {
    let fixture = fixture(0).await;
    let caller = fixture.caller();
    let texts = join_all((0..300).map(|_| caller.text("tool", json!({})))).await;
    assert_eq!(texts, vec!["ok"; 300]);
    let set_limit = async |limit: i64| {
        let fields = json!({"rate_limit_per_min": limit});
        fixture.api.patch(&fixture.path("")).json(fields).send().await.expect(200);
    };
    set_limit(1).await;
    caller.text("tool", json!({})).await;
    assert_refused(&caller.send("tools/call", call_params()).await, 1);
    set_limit(2).await;
    caller.text("tool", json!({})).await;
    assert_refused(&caller.send("tools/call", call_params()).await, 2);
    set_limit(0).await;
    caller.text("tool", json!({})).await;
}

#[tokio::test]
async fn servers_have_separate_limits_and_test_runs_are_not_counted() {
    let fixture = fixture(1).await;
    let id = fixture.create_tool(json!({"name": "second"})).await;
    fixture.caller().text("tool", json!({})).await;
    assert_refused(&fixture.caller().send("tools/call", call_params()).await, 1);
    for _ in 0..3 {
        assert_eq!(fixture.test_result(id, json!({})).await["success"], true);
    }
    let other = fixture.api.create("/servers", json!({"name": "Other", "rate_limit_per_min": 1})).await;
    let fields = json!({"name": "tool", "endpoint_url": fixture.upstream.url("/")});
    fixture.api.create(&format!("/servers/{}/tools", other["id"]), fields).await;
    toolgate_testkit::McpClient::new(other["endpoint_url"].as_str().unwrap()).text("tool", json!({})).await;
}
