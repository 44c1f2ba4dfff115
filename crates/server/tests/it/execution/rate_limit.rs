//! `rate_limit_per_min`: exactly as many calls as the owner allows, however they come.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::{Answer, Reply, Upstream};

use super::setup::{Stage, service};

/// What a refused caller may be told: a minute, counted in steps of 100 ms and rounded up.
const WAIT_SECS: std::ops::RangeInclusive<u64> = 1..=61;

async fn stage(limit: i64) -> Stage {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let stage = Stage::of(service(), upstream, json!({"rate_limit_per_min": limit})).await;
    stage.tool(json!({})).await;
    stage
}

fn call() -> Value {
    json!({"name": "tool", "arguments": {}})
}

/// The refusal of one request, as it comes alone.
#[track_caller]
fn assert_refused(reply: &Reply, limit: i64) {
    assert_eq!(reply.status, 429, "{reply:?}");
    let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!(WAIT_SECS.contains(&seconds), "{seconds}");
    let body = reply.json();
    assert!(body["id"].is_i64(), "{body}");
    let error =
        json!({"code": 429, "message": "Rate limit exceeded", "data": {"limit": limit, "retry_after": seconds}});
    assert_eq!(body, json!({"jsonrpc": "2.0", "id": body["id"], "error": error}));
    assert_eq!(reply.header("content-type"), Some("application/json"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_six_hundred_calls_by_sixty_callers_exactly_sixty_pass() {
    let stage = stage(60).await;
    let mut callers = JoinSet::new();
    for number in 0..60_u32 {
        // Nothing that a caller says about itself gives it a budget of its own.
        let own = format!("203.0.113.{number}");
        let caller = stage.caller().header("x-forwarded-for", &own).header("forwarded", &format!("for={own}"));
        let caller = caller.header("x-real-ip", &own).header("x-mcp-client", &format!("client-{number}"));
        let caller = caller.header("x-api-key", &own).header("user-agent", &own);
        let caller = match number % 3 {
            0 => caller,
            1 => caller.modern(),
            _ => caller.legacy("2025-11-25").await,
        };
        callers.spawn(async move {
            let mut replies = Vec::new();
            for _ in 0..10 {
                replies.push(caller.send("tools/call", call()).await);
            }
            replies
        });
    }
    let replies: Vec<Reply> = callers.join_all().await.into_iter().flatten().collect();
    assert_eq!(replies.len(), 600);
    let (passed, refused): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status == 200);
    assert_eq!(passed.len(), 60);
    for reply in passed {
        assert_eq!(reply.json()["result"]["content"][0]["text"], "ok", "{reply:?}");
    }
    for reply in refused {
        assert_refused(&reply, 60);
    }
    assert_eq!(stage.upstream.hits(), 60);
}

#[tokio::test]
async fn calls_and_other_requests_are_counted_apart_and_a_greeting_is_free() {
    let stage = stage(3).await;
    let caller = stage.caller();
    for _ in 0..3 {
        caller.result("tools/list", json!({})).await;
    }
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        assert_refused(&caller.send(method, json!({})).await, 3);
    }
    for _ in 0..3 {
        caller.text("tool", json!({})).await;
    }
    assert_refused(&caller.send("tools/call", call()).await, 3);
    assert_eq!(stage.upstream.hits(), 3);
    for _ in 0..5 {
        caller.result("ping", json!({})).await;
        caller.clone().legacy("2025-11-25").await;
        caller.clone().modern().result("server/discover", json!({})).await;
    }
}

#[tokio::test]
async fn each_message_of_a_batch_counts_and_is_refused_for_itself() {
    let stage = stage(2).await;
    let batch: Vec<Value> =
        (1..=5).map(|id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call()})).collect();
    let reply = stage.caller().post(json!(batch)).send().await.expect(200);
    let answers = reply.json();
    let answers = answers.as_array().unwrap();
    let ids: Vec<i64> = answers.iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    let (passed, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.get("result").is_some());
    assert_eq!((passed.len(), refused.len()), (2, 3), "{reply:?}");
    for answer in refused {
        assert_eq!(answer["error"]["code"], 429, "{answer}");
        assert_eq!(answer["error"]["data"]["limit"], 2, "{answer}");
        assert!(
            answer["error"]["data"]["retry_after"].as_u64().is_some_and(|secs| WAIT_SECS.contains(&secs)),
            "{answer}"
        );
    }
    assert_eq!(stage.upstream.hits(), 2);
    assert_refused(&stage.caller().send("tools/call", call()).await, 2);
}

#[tokio::test]
async fn zero_is_no_limit_and_a_changed_limit_counts_at_once() {
    let stage = stage(0).await;
    let caller = stage.caller();
    let texts = join_all((0..300).map(|_| caller.text("tool", json!({})))).await;
    assert_eq!(texts, vec!["ok"; 300]);
    let set_limit = async |limit: i64| {
        let fields = json!({"rate_limit_per_min": limit});
        stage.api.patch(&stage.path("")).json(fields).send().await.expect(200);
    };
    set_limit(1).await;
    caller.text("tool", json!({})).await;
    assert_refused(&caller.send("tools/call", call()).await, 1);
    set_limit(2).await;
    caller.text("tool", json!({})).await;
    assert_refused(&caller.send("tools/call", call()).await, 2);
    set_limit(0).await;
    caller.text("tool", json!({})).await;
}

#[tokio::test]
async fn servers_have_budgets_of_their_own_and_test_runs_use_none() {
    let stage = stage(1).await;
    let id = stage.tool(json!({"name": "second"})).await;
    stage.caller().text("tool", json!({})).await;
    assert_refused(&stage.caller().send("tools/call", call()).await, 1);
    for _ in 0..3 {
        assert_eq!(stage.test(id, json!({})).await["success"], true);
    }
    let other = super::setup::created(&stage.api, "/servers", json!({"name": "Other", "rate_limit_per_min": 1})).await;
    let fields = json!({"name": "tool", "endpoint_url": stage.upstream.url("/")});
    super::setup::created(&stage.api, &format!("/servers/{}/tools", other["id"]), fields).await;
    toolgate_testkit::Mcp::at(other["endpoint_url"].as_str().unwrap()).text("tool", json!({})).await;
}
