//! Access ends with the grant, at the expiry of the token, and when the server changes.

use std::time::Duration;

use serde_json::json;
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, Upstream};

use super::signed_tokens::{client_with, now, start_server, token_for};

/// Well below the fifteen seconds between checks of an idle stream.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the stream of a legacy session and a modern subscription.
async fn open_streams(mcp: &McpClient) -> [EventStream; 2] {
    let params = json!({"notifications": {"toolsListChanged": true}});
    let mut modern = mcp.clone().modern().open("subscriptions/listen", params).await;
    assert_eq!(modern.next_json().await["method"], "notifications/subscriptions/acknowledged");
    [mcp.clone().legacy(NEWEST_LEGACY).await.listen().await, modern]
}

async fn assert_ended(streams: [EventStream; 2]) {
    for mut events in streams {
        let end = tokio::time::timeout(END_TIMEOUT, events.next()).await;
        assert_eq!(end.expect("the stream is still open"), None);
    }
}

#[tokio::test]
async fn streams_end_when_their_token_expires() {
    let endpoint = start_server(Upstream::builder().start(), json!({})).await;
    let mut token = token_for(&endpoint.server);
    token.expires_at = now().plus_millis(3_000);
    let streams = open_streams(&client_with(&endpoint, &token)).await;
    assert_ended(streams).await;
    assert!(now() >= token.expires_at);
    client_with(&endpoint, &token).send("tools/list", json!({})).await.expect(401);
}

#[tokio::test]
async fn a_token_is_refused_when_its_server_no_longer_requires_sign_in() {
    let endpoint = start_server(Upstream::builder().start(), json!({})).await;
    let mcp = client_with(&endpoint, &token_for(&endpoint.server));
    mcp.send("tools/list", json!({})).await.expect(200);
    let streams = open_streams(&mcp).await;
    endpoint.api.patch(&endpoint.path("")).json(json!({"auth_type": "api-key"})).send().await.expect(200);
    let refused = mcp.send("tools/list", json!({})).await.expect(401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer realm=\"toolgate\""));
    assert_ended(streams).await;
}
