//! One limit for all nodes.

use serde_json::json;
use toolgate_testkit::{Answer, Upstream};

use super::{Nodes, passed};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_together_let_exactly_the_limit_through() {
    let Some(nodes) = Nodes::start(Upstream::answering(|_| Answer::text("ok")), 60).await else { return };
    nodes.tool("tool", json!({})).await;
    let [first, second] = nodes.flood(40).await;
    assert_eq!(first.len() + second.len(), 320);
    let (first, second) = (passed(&first), passed(&second));
    assert_eq!(first + second, 60, "{first} and {second}");
    assert_eq!(nodes.upstream.hits(), 60);
    assert!(first > 0 && second > 0, "both were asked: {first} and {second}");
}
