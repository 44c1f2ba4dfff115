//! Responses that one node cached are used by the others, and only for the same request.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, Upstream};

use super::start_nodes;

/// Responds `1`, `2`, `3`, ..., which shows whether a response was cached.
fn counting_upstream() -> Upstream {
    let count = AtomicUsize::new(0);
    Upstream::with_handler(move |_| MockResponse::text((count.fetch_add(1, Ordering::Relaxed) + 1).to_string()))
}

fn cached_tool(name: &str) -> Value {
    json!({"name": name, "cache_ttl": 300, "input_schema": {"type": "object", "properties": {"a": {}}}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_is_fetched_once_for_both_nodes_until_the_tool_changes() {
    let Some((nodes, _redis)) = start_nodes(counting_upstream(), 0).await else { return };
    let id = nodes.create_tool(cached_tool("tool")).await;
    let [first, second] = nodes.callers();
    assert_eq!(first.text("tool", json!({"a": 1})).await, "1");
    assert_eq!(second.text("tool", json!({"a": 1})).await, "1");
    assert_eq!(second.text("tool", json!({"a": 2})).await, "2");
    assert_eq!(first.text("tool", json!({"a": 2})).await, "2");
    let change = json!({"description": "other words"});
    nodes.first.app.client().patch(&format!("/tools/{id}")).json(change).send().await.expect(200);
    nodes.wait_until_published("other words").await;
    assert_eq!(second.text("tool", json!({"a": 1})).await, "3");
    assert_eq!(first.text("tool", json!({"a": 1})).await, "3");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tools_with_the_same_url_share_no_cached_response_on_any_node() {
    let Some((nodes, _redis)) = start_nodes(counting_upstream(), 0).await else { return };
    nodes.create_tool(cached_tool("one")).await;
    nodes.create_tool(cached_tool("two")).await;
    let [first, second] = nodes.callers();
    assert_eq!(first.text("one", json!({})).await, "1");
    assert_eq!(second.text("two", json!({})).await, "2");
    assert_eq!((second.text("one", json!({})).await, first.text("two", json!({})).await), ("1".into(), "2".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_moved_or_modified_in_redis_is_not_used() {
    let Some((nodes, redis)) = start_nodes(counting_upstream(), 0).await else { return };
    nodes.create_tool(cached_tool("tool")).await;
    let [first, second] = nodes.callers();
    let response_keys = || redis.keys().into_iter().filter(|name| name.contains(":answer:")).collect::<Vec<_>>();
    assert_eq!(first.text("tool", json!({"a": 1})).await, "1");
    let first_keys = response_keys();
    assert_eq!(first.text("tool", json!({"a": 2})).await, "2");
    let second_keys: Vec<_> = response_keys().into_iter().filter(|name| !first_keys.contains(name)).collect();
    assert_eq!((first_keys.len(), second_keys.len()), (1, 1));
    redis.cli(&["COPY", &first_keys[0], &second_keys[0], "REPLACE"]);
    assert_eq!(second.text("tool", json!({"a": 2})).await, "3", "the response of another request cannot be decrypted");
    // Overwrites one byte.
    redis.cli(&["SETRANGE", &first_keys[0], "30", "x"]);
    assert_eq!(second.text("tool", json!({"a": 1})).await, "4", "a modified response cannot be decrypted");
}
