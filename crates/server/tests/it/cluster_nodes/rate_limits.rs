//! One rate limit for all nodes.

use serde_json::json;
use toolgate_testkit::{MockResponse, Upstream};

use super::{flood, passed_count, start_nodes};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_together_admit_exactly_the_limit() {
    let Some((nodes, _redis)) = start_nodes(Upstream::with_handler(|_| MockResponse::text("ok")), 60).await else {
        return;
    };
    nodes.create_tool(json!({})).await;
    let [first, second] = flood(&nodes, 40).await;
    assert_eq!(first.len() + second.len(), 320, "eight callers make 40 calls each");
    let (first, second) = (passed_count(&first), passed_count(&second));
    assert_eq!(first + second, 60, "the nodes admitted {first} and {second} calls");
    assert_eq!(nodes.first.upstream.request_count(), 60);
    assert!(first > 0 && second > 0, "the nodes admitted {first} and {second} calls");
}
