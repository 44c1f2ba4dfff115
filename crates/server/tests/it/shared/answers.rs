//! An answer that one node fetched is another's too, and nobody else's.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Upstream};

use super::Nodes;

/// Answers `1`, `2`, `3`, ...: an answer that was kept shows.
fn counting() -> Upstream {
    let count = AtomicUsize::new(0);
    Upstream::answering(move |_| Answer::text((count.fetch_add(1, Ordering::Relaxed) + 1).to_string()))
}

fn cached() -> Value {
    json!({"cache_ttl": 300, "input_schema": {"type": "object", "properties": {"a": {}}}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_fetched_the_other_need_not_until_the_tool_changes() {
    let Some(nodes) = Nodes::start(counting(), 0).await else { return };
    let id = nodes.tool("tool", cached()).await;
    let (first, second) = (nodes.caller(0), nodes.caller(1));
    assert_eq!(first.text("tool", json!({"a": 1})).await, "1");
    assert_eq!(second.text("tool", json!({"a": 1})).await, "1");
    assert_eq!(second.text("tool", json!({"a": 2})).await, "2");
    assert_eq!(first.text("tool", json!({"a": 2})).await, "2");
    let change = json!({"description": "other words"});
    nodes.apps[0].client().patch(&format!("/tools/{id}")).json(change).send().await.expect(200);
    nodes.heard_of("other words").await;
    assert_eq!(second.text("tool", json!({"a": 1})).await, "3");
    assert_eq!(first.text("tool", json!({"a": 1})).await, "3");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tools_of_one_address_share_nothing_on_any_node() {
    let Some(nodes) = Nodes::start(counting(), 0).await else { return };
    nodes.tool("one", cached()).await;
    nodes.tool("two", cached()).await;
    let (first, second) = (nodes.caller(0), nodes.caller(1));
    assert_eq!(first.text("one", json!({})).await, "1");
    assert_eq!(second.text("two", json!({})).await, "2");
    assert_eq!((second.text("one", json!({})).await, first.text("two", json!({})).await), ("1".into(), "2".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_moved_or_changed_in_redis_is_no_answer() {
    let Some(nodes) = Nodes::start(counting(), 0).await else { return };
    nodes.tool("tool", cached()).await;
    let (first, second) = (nodes.caller(0), nodes.caller(1));
    let answers = || nodes.redis.names().into_iter().filter(|name| name.contains(":answer:")).collect::<Vec<_>>();
    assert_eq!(first.text("tool", json!({"a": 1})).await, "1");
    let one = answers();
    assert_eq!(first.text("tool", json!({"a": 2})).await, "2");
    let two: Vec<_> = answers().into_iter().filter(|name| !one.contains(name)).collect();
    assert_eq!((one.len(), two.len()), (1, 1));
    nodes.redis.cli(&["COPY", &one[0], &two[0], "REPLACE"]);
    assert_eq!(second.text("tool", json!({"a": 2})).await, "3", "the answer to another question does not open");
    nodes.redis.cli(&["SETRANGE", &one[0], "30", "x"]);
    assert_eq!(second.text("tool", json!({"a": 1})).await, "4", "nor does one that was changed");
}
