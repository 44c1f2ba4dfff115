//! Kept answers: asked for once by many, and never given to a question that is not the same.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::{Answer, Gate, Mcp, Upstream};

use super::setup::{Stage, failure, schema};

/// Answers `1`, `2`, `3`, ...: an answer that was kept shows.
fn counting() -> Upstream {
    let count = AtomicUsize::new(0);
    Upstream::answering(move |_| Answer::text((count.fetch_add(1, Ordering::Relaxed) + 1).to_string()))
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn cached(fields: Value) -> Value {
    let mut all = json!({"cache_ttl": 300, "input_schema": schema(json!({"a": {}, "b": {}}))});
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_equal_calls_at_once_are_one_upstream_call() {
    let gate = Gate::new();
    let held = gate.clone();
    let stage = Stage::recording(Upstream::answering(move |_| Answer::text("shared").held_by(&held))).await;
    stage.tool(cached(json!({}))).await;
    let caller = stage.caller();
    let calls = join_all((0..500).map(|_| caller.text("tool", json!({"a": 1}))));
    let opening = async {
        stage.upstream.wait_for_requests(1).await;
        // By the time these are answered, the calls that came before them are waiting.
        for _ in 0..20 {
            stage.caller().result("ping", json!({})).await;
        }
        gate.open();
    };
    let (texts, ()) = tokio::join!(calls, opening);
    assert_eq!(texts, vec!["shared"; 500]);
    assert_eq!(stage.upstream.hits(), 1);
    assert_eq!(stage.caller().text("tool", json!({"a": 1})).await, "shared");
    assert_eq!(stage.upstream.hits(), 1);
}

#[tokio::test]
async fn an_answer_is_kept_for_equal_arguments_only() {
    let stage = Stage::new(counting()).await;
    stage.tool(cached(json!({}))).await;
    let caller = stage.caller();
    let distinct = [
        json!({}),
        json!({"a": 1}),
        json!({"a": "2"}),
        json!({"a": 1, "b": 1}),
        json!({"b": 1}),
        json!({"a": ["x", "y"]}),
        json!({"a": "x,y"}),
        json!({"a": true}),
    ];
    for _ in 0..2 {
        for (index, arguments) in distinct.iter().enumerate() {
            let text = caller.text("tool", arguments.clone()).await;
            assert_eq!(text, (index + 1).to_string(), "{arguments}");
        }
    }
    // Whoever asks.
    assert_eq!(caller.clone().modern().text("tool", json!({"a": 1, "b": 1})).await, "4");
    // An argument that is not forwarded makes no other question.
    assert_eq!(caller.text("tool", json!({"a": 1, "undeclared": 5})).await, "2");
    assert_eq!(stage.upstream.hits(), distinct.len());
}

#[tokio::test]
async fn any_change_to_a_tool_ends_what_was_kept_for_it() {
    let stage = Stage::new(counting()).await;
    let credentials = json!({"auth_type": "bearer", "auth_credentials": {"token": "one"}});
    let id = stage.tool(cached(credentials)).await;
    let caller = stage.caller();
    let changes = [
        json!({"description": "other words"}),
        json!({"auth_credentials": {"token": "two"}}),
        json!({"headers": {"X-Tenant-Key": "t-1"}}),
        json!({"headers": {"X-Tenant-Key": "t-2"}}),
        json!({"cache_ttl": 301}),
    ];
    assert_eq!(caller.text("tool", json!({})).await, "1");
    for (index, change) in changes.into_iter().enumerate() {
        stage.update(id, change.clone()).await;
        for _ in 0..2 {
            assert_eq!(caller.text("tool", json!({})).await, (index + 2).to_string(), "{change}");
        }
    }
    stage.update(id, json!({"cache_ttl": 0})).await;
    assert_eq!((caller.text("tool", json!({})).await, caller.text("tool", json!({})).await), ("7".into(), "8".into()));
}

#[tokio::test]
async fn two_tools_of_one_address_share_nothing() {
    let stage = Stage::new(counting()).await;
    stage.tool(cached(json!({"name": "one"}))).await;
    stage.tool(cached(json!({"name": "two"}))).await;
    let caller = stage.caller();
    assert_eq!((caller.text("one", json!({})).await, caller.text("two", json!({})).await), ("1".into(), "2".into()));
    assert_eq!((caller.text("one", json!({})).await, caller.text("two", json!({})).await), ("1".into(), "2".into()));
}

#[tokio::test]
async fn only_success_is_kept() {
    let count = AtomicUsize::new(0);
    let stage = Stage::new(Upstream::answering(move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0 => Answer::status(404),
        1 => Answer::status(500),
        2 => Answer::status(304),
        3 => Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
        _ => Answer::text("good"),
    }))
    .await;
    stage.tool(cached(json!({}))).await;
    let caller = stage.caller();
    for expected in ["HTTP 404", "HTTP 500"] {
        assert!(failure(&caller.call("tool", json!({})).await).contains(expected));
    }
    caller.call("tool", json!({})).await;
    assert!(failure(&caller.call("tool", json!({})).await).contains("cut off"));
    for _ in 0..3 {
        assert_eq!(caller.text("tool", json!({})).await, "good");
    }
    assert_eq!(stage.upstream.hits(), 5);
}

#[tokio::test]
async fn a_test_run_neither_takes_a_kept_answer_nor_keeps_one() {
    let stage = Stage::new(counting()).await;
    let id = stage.tool(cached(json!({}))).await;
    assert_eq!(stage.test(id, json!({})).await["content"][0]["text"], "1");
    assert_eq!(stage.caller().text("tool", json!({})).await, "2");
    assert_eq!(stage.test(id, json!({})).await["content"][0]["text"], "3");
    assert_eq!(stage.caller().text("tool", json!({})).await, "2");
}

#[tokio::test]
async fn a_caller_that_leaves_does_not_take_the_answer_of_those_who_stay() {
    let gate = Gate::new();
    let held = gate.clone();
    let stage = Stage::new(Upstream::answering(move |_| Answer::text("here").held_by(&held))).await;
    stage.tool(cached(json!({}))).await;
    let call = |caller: Mcp| async move { caller.text("tool", json!({})).await };
    // The first to ask is the one who fetches; when it leaves, another does.
    let mut leaving = JoinSet::new();
    leaving.spawn(call(stage.caller()));
    stage.upstream.wait_for_requests(1).await;
    let mut staying = JoinSet::new();
    for _ in 0..10 {
        staying.spawn(call(stage.caller()));
    }
    for _ in 0..5 {
        stage.caller().result("ping", json!({})).await;
    }
    leaving.shutdown().await;
    stage.upstream.wait_for_abandoned(1).await;
    stage.upstream.wait_for_requests(2).await;
    gate.open();
    assert_eq!(staying.join_all().await, ["here"; 10]);
    assert_eq!(stage.upstream.hits(), 2);
}
