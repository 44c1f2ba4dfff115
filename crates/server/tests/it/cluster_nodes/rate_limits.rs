//! One rate limit for all nodes.

use std::time::Duration;

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_share_the_limit_and_the_last_use_of_a_key() {
    let Some((nodes, _redis)) = start_nodes(Upstream::with_handler(|_| MockResponse::text("ok")), 0).await else {
        return;
    };
    let (api, path) = (nodes.apps()[0].client(), format!("/servers/{}", nodes.first.server_id()));
    nodes.create_tool(json!({})).await;
    let fields = json!({"name": "k", "rate_limit_per_min": 30});
    let key = api.create(&format!("{path}/keys"), fields).await;
    api.post(&path).json(json!({"auth_type": "api-key"})).send().await.expect(200);
    let callers = nodes.callers().map(|caller| caller.bearer(key["key"].as_str().unwrap()));
    // The second node receives the change a moment later.
    while callers[1].send("ping", json!({})).await.status != 200
        || nodes.callers()[1].send("ping", json!({})).await.status != 401
    {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut replies = Vec::new();
    for _ in 0..40 {
        for caller in &callers {
            replies.push(caller.send("tools/call", json!({"name": "tool", "arguments": {}})).await);
        }
    }
    assert_eq!(passed_count(&replies), 30);
    let last_used = nodes.apps()[1].client().read(&format!("{path}/keys")).await[0]["last_used_at"].clone();
    assert!(last_used.is_string(), "{last_used}");
}
