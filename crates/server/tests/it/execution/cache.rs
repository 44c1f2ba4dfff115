//! Cached responses: fetched once for concurrent calls, and never used for a different request.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ResponseGate, ServiceFixture, Upstream};

use super::setup::{failure_message, recording_service, schema, start};

/// Responds `1`, `2`, `3`, ..., which shows whether a response was cached.
fn counting_upstream() -> Upstream {
    let count = AtomicUsize::new(0);
    Upstream::with_handler(move |_| MockResponse::text((count.fetch_add(1, Ordering::Relaxed) + 1).to_string()))
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn cached_tool(fields: Value) -> Value {
    let mut all = json!({"cache_ttl": 300, "input_schema": schema(json!({"a": {}, "b": {}}))});
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_equal_calls_at_once_are_one_upstream_call() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let fixture = ServiceFixture::start(
        recording_service(),
        Upstream::with_handler(move |_| MockResponse::text("shared").held_by(&held)),
        json!({}),
    )
    .await;
    fixture.create_tool(cached_tool(json!({}))).await;
    let caller = fixture.caller();
    let calls = join_all((0..500).map(|_| caller.text("tool", json!({"a": 1}))));
    let opening = async {
        fixture.upstream.wait_for_requests(1).await;
        // By the time these pings are answered, all calls wait for the response.
        for _ in 0..20 {
            fixture.caller().result("ping", json!({})).await;
        }
        gate.open();
    };
    let (texts, ()) = tokio::join!(calls, opening);
    assert_eq!(texts, vec!["shared"; 500]);
    assert_eq!(fixture.upstream.request_count(), 1);
    assert_eq!(fixture.caller().text("tool", json!({"a": 1})).await, "shared");
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn the_response_to_a_query_request_is_cached_by_its_body_and_only_if_configured() {
    let fixture = start(counting_upstream()).await;
    fixture.create_tool(cached_tool(json!({"name": "cached", "http_method": "QUERY"}))).await;
    fixture.create_tool(json!({"name": "plain", "http_method": "QUERY"})).await;
    let caller = fixture.caller();
    for (name, arguments, expected) in [
        ("cached", json!({"a": 1}), "1"),
        ("cached", json!({"a": 1}), "1"),
        ("cached", json!({"a": 2}), "2"),
        ("plain", json!({}), "3"),
        ("plain", json!({}), "4"),
    ] {
        assert_eq!(caller.text(name, arguments.clone()).await, expected, "{name} {arguments}");
    }
}

#[tokio::test]
async fn a_response_is_cached_for_equal_arguments_only() {
    let fixture = start(counting_upstream()).await;
    fixture.create_tool(cached_tool(json!({}))).await;
    let caller = fixture.caller();
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
    for _ in 0..3 {
        for (index, arguments) in distinct.iter().enumerate() {
            let text = caller.text("tool", arguments.clone()).await;
            assert_eq!(text, (index + 1).to_string(), "{arguments}");
        }
    }
    // Callers of another MCP revision share the cache.
    assert_eq!(caller.clone().modern().text("tool", json!({"a": 1, "b": 1})).await, "4");
    // An argument that is not forwarded does not change the request.
    assert_eq!(caller.text("tool", json!({"a": 1, "undeclared": 5})).await, "2");
    assert_eq!(fixture.upstream.request_count(), distinct.len());
}

/// The second call of each caller stores its result for the following ones.
#[tokio::test]
async fn repeated_calls_get_equal_results_in_every_protocol_revision() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(json!({"text": "a\t\"quoted\" word", "n": 1.0})));
    let fixture = start(upstream).await;
    let output_schema = json!({"type": "object", "properties": {"n": {"type": "number"}}});
    fixture.create_tool(cached_tool(json!({"output_schema": output_schema}))).await;
    let bare = fixture.caller();
    let (legacy, modern) = (bare.clone().legacy(NEWEST_LEGACY).await, bare.clone().modern());
    for (caller, has_structured_content) in [(bare, false), (legacy, true), (modern, true)] {
        let first = caller.call("tool", json!({"a": 1, "undeclared": 2})).await;
        assert_eq!(first.get("structuredContent").is_some(), has_structured_content, "{first}");
        for _ in 0..3 {
            assert_eq!(caller.call("tool", json!({"a": 1, "undeclared": 2})).await, first);
        }
    }
    assert_eq!(fixture.upstream.request_count(), 1);
}

/// Changes of these settings leave the tool as it is, and its response cached.
#[tokio::test]
async fn a_change_of_settings_applies_to_calls_whose_result_is_cached() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(json!({"id": 1, "empty": null})));
    let fixture = start(upstream).await;
    fixture.create_tool(cached_tool(json!({}))).await;
    let (caller, arguments) = (fixture.caller(), json!({"a": 1, "bb": 2}));
    let calls = async || {
        let mut results = Vec::new();
        for _ in 0..3 {
            results.push(caller.call("tool", arguments.clone()).await);
        }
        assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
        results.swap_remove(0)
    };
    let set = async |settings: Value| {
        fixture.api.patch(&fixture.path("")).json(json!({"settings": settings})).send().await.expect(200);
    };
    let text = r#"{"id":1,"empty":null}"#;
    assert_eq!(calls().await, json!({"content": [{"type": "text", "text": text}]}));

    set(json!({"capture": "all"})).await;
    calls().await;
    let last = &fixture.api.read("/calls?per_page=1").await[0];
    let detail = fixture.api.read(&format!("/calls/{}", last["id"])).await;
    assert_eq!((&detail["response"], &detail["cache_hit"]), (&json!(text), &json!(true)), "{detail}");

    set(json!({"capture": null, "coerce_arguments": true})).await;
    assert!(calls().await["content"][1]["text"].as_str().unwrap().contains("was not sent"));

    set(json!({"shaping": {"drop_empty": true}})).await;
    assert_eq!(calls().await["content"][0]["text"], r#"{"id":1}"#);

    set(json!({"coerce_arguments": null, "shaping": null})).await;
    assert_eq!(calls().await, json!({"content": [{"type": "text", "text": text}]}));
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn large_results_are_cached_in_every_protocol_revision() {
    // Larger than what is copied into the buffer of a reply; the largest is not stored as a result.
    for size in [5_000, 100_000, 1_000_000] {
        let text = "é\"\n".repeat(size / 4);
        let body = text.clone();
        let fixture = start(Upstream::with_handler(move |_| MockResponse::text(body.clone()))).await;
        fixture.create_tool(cached_tool(json!({}))).await;
        let bare = fixture.caller();
        let (legacy, modern) = (bare.clone().legacy(NEWEST_LEGACY).await, bare.clone().modern());
        for caller in [bare, legacy, modern] {
            let first = caller.call("tool", json!({})).await;
            assert_eq!(first["content"][0]["text"], text);
            for _ in 0..2 {
                assert!(caller.call("tool", json!({})).await == first, "{size}");
            }
        }
        assert_eq!(fixture.upstream.request_count(), 1);
    }
}

#[tokio::test]
async fn a_stored_result_expires_with_its_response() {
    const TTL: Duration = Duration::from_secs(2);
    let fixture = start(counting_upstream()).await;
    fixture.create_tool(cached_tool(json!({"cache_ttl": TTL.as_secs()}))).await;
    let (caller, began) = (fixture.caller(), Instant::now());
    while caller.text("tool", json!({})).await == "1" {
        assert!(began.elapsed() < 10 * TTL, "the response does not expire");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(began.elapsed() >= TTL, "the response expired too early");
}

#[tokio::test]
async fn any_change_to_a_tool_invalidates_its_cached_responses() {
    let fixture = start(counting_upstream()).await;
    let credentials = json!({"auth_type": "bearer", "auth_credentials": {"token": "one"}});
    let id = fixture.create_tool(cached_tool(credentials)).await;
    let caller = fixture.caller();
    let changes = [
        json!({"description": "other words"}),
        json!({"auth_credentials": {"token": "two"}}),
        json!({"headers": {"X-Tenant-Key": "t-1"}}),
        json!({"headers": {"X-Tenant-Key": "t-2"}}),
        json!({"cache_ttl": 301}),
    ];
    assert_eq!(caller.text("tool", json!({})).await, "1");
    for (index, change) in changes.into_iter().enumerate() {
        fixture.update_tool(id, change.clone()).await;
        for _ in 0..3 {
            assert_eq!(caller.text("tool", json!({})).await, (index + 2).to_string(), "{change}");
        }
    }
    fixture.update_tool(id, json!({"cache_ttl": 0})).await;
    assert_eq!((caller.text("tool", json!({})).await, caller.text("tool", json!({})).await), ("7".into(), "8".into()));
}

#[tokio::test]
async fn two_tools_with_the_same_url_share_no_cached_response() {
    let fixture = start(counting_upstream()).await;
    fixture.create_tool(cached_tool(json!({"name": "one"}))).await;
    fixture.create_tool(cached_tool(json!({"name": "two"}))).await;
    let caller = fixture.caller();
    assert_eq!((caller.text("one", json!({})).await, caller.text("two", json!({})).await), ("1".into(), "2".into()));
    assert_eq!((caller.text("one", json!({})).await, caller.text("two", json!({})).await), ("1".into(), "2".into()));
}

#[tokio::test]
async fn only_successful_responses_are_cached() {
    let count = AtomicUsize::new(0);
    let fixture = start(Upstream::with_handler(move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0 => MockResponse::status(404),
        1 => MockResponse::status(500),
        2 => MockResponse::status(304),
        3 => MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
        _ => MockResponse::text("good"),
    }))
    .await;
    fixture.create_tool(cached_tool(json!({}))).await;
    let caller = fixture.caller();
    for expected in ["HTTP 404", "HTTP 500"] {
        assert!(failure_message(&caller.call("tool", json!({})).await).contains(expected));
    }
    // This call gets the response with status 304; its result does not matter here.
    caller.call("tool", json!({})).await;
    assert!(failure_message(&caller.call("tool", json!({})).await).contains("cut off"));
    for _ in 0..3 {
        assert_eq!(caller.text("tool", json!({})).await, "good");
    }
    assert_eq!(fixture.upstream.request_count(), 5);
}

#[tokio::test]
async fn a_test_run_neither_uses_nor_fills_the_cache() {
    let fixture = start(counting_upstream()).await;
    let id = fixture.create_tool(cached_tool(json!({}))).await;
    assert_eq!(fixture.test_result(id, json!({})).await["content"][0]["text"], "1");
    assert_eq!(fixture.caller().text("tool", json!({})).await, "2");
    assert_eq!(fixture.test_result(id, json!({})).await["content"][0]["text"], "3");
    assert_eq!(fixture.caller().text("tool", json!({})).await, "2");
}

#[tokio::test]
async fn a_caller_that_disconnects_does_not_affect_the_waiting_callers() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let fixture = start(Upstream::with_handler(move |_| MockResponse::text("here").held_by(&held))).await;
    fixture.create_tool(cached_tool(json!({}))).await;
    let call = |caller: McpClient| async move { caller.text("tool", json!({})).await };
    // The first caller fetches; after it disconnects, another one does.
    let mut leaving = JoinSet::new();
    leaving.spawn(call(fixture.caller()));
    fixture.upstream.wait_for_requests(1).await;
    let mut staying = JoinSet::new();
    for _ in 0..10 {
        staying.spawn(call(fixture.caller()));
    }
    // By the time these pings are answered, the ten calls wait for the response.
    for _ in 0..5 {
        fixture.caller().result("ping", json!({})).await;
    }
    leaving.shutdown().await;
    fixture.upstream.wait_for_abandoned(1).await;
    fixture.upstream.wait_for_requests(2).await;
    gate.open();
    assert_eq!(staying.join_all().await, ["here"; 10]);
    assert_eq!(fixture.upstream.request_count(), 2);
}
