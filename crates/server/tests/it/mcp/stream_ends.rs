//! A stream ends when its server becomes unavailable, its key is revoked, its session ends, or the service stops.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, change_server, idle_tool, plain_client};

/// Well below the fifteen seconds between checks of an idle stream.
const END_TIMEOUT: Duration = Duration::from_secs(20);

async fn listen(mcp: &McpClient) -> EventStream {
    let mut events = mcp.open("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    assert_eq!(events.next_json().await["method"], "notifications/subscriptions/acknowledged");
    events
}

/// Opens the stream of a legacy session and a modern subscription.
async fn open_streams(mcp: &McpClient) -> [EventStream; 2] {
    [mcp.clone().legacy(NEWEST_LEGACY).await.listen().await, listen(&mcp.clone().modern()).await]
}

async fn assert_ended(streams: [EventStream; 2]) {
    for mut events in streams {
        let end = tokio::time::timeout(END_TIMEOUT, events.next()).await;
        assert_eq!(end.expect("the stream is still open"), None);
    }
}

#[tokio::test]
async fn streams_end_when_their_server_becomes_unavailable() {
    for change in [json!({"status": "paused"}), json!({"status": "draft"}), json!({"auth_type": "api-key"})] {
        let endpoint = management::start_server(json!({})).await;
        let streams = open_streams(&plain_client(&endpoint)).await;
        change_server(&endpoint, change).await;
        assert_ended(streams).await;
    }
    let endpoint = management::start_server(json!({})).await;
    let streams = open_streams(&plain_client(&endpoint)).await;
    management::delete(&endpoint, &endpoint.path("")).await;
    assert_ended(streams).await;
}

#[tokio::test]
async fn streams_end_when_their_key_is_revoked() {
    let endpoint = management::start_server(json!({"auth_type": "api-key"})).await;
    let api = endpoint.app.client();
    let key = api.post(&endpoint.path("/keys")).json(json!({"name": "k"})).send().await.expect(201).json();
    let other_key = endpoint.create_key().await;
    let revoked = open_streams(&plain_client(&endpoint).bearer(key["key"].as_str().unwrap())).await;
    let mut unaffected = open_streams(&plain_client(&endpoint).bearer(&other_key)).await;
    management::delete(&endpoint, &endpoint.path(&format!("/keys/{}", key["id"]))).await;
    assert_ended(revoked).await;
    endpoint.create("/tools", idle_tool("t")).await;
    for events in &mut unaffected {
        assert_eq!(events.next_json().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn streams_end_when_the_owners_key_is_revoked() {
    let endpoint = management::start_server(json!({"auth_type": "api-key"})).await;
    let api = endpoint.app.client();
    // User 1, the administrator, owns the server.
    let fields = json!({"name": "k", "user_id": 1, "scopes": ["mcp"]});
    let key: Value = api.create("/api-keys", fields).await;
    let streams = open_streams(&plain_client(&endpoint).bearer(key["key"].as_str().unwrap())).await;
    management::delete(&endpoint, &format!("/api-keys/{}", key["id"])).await;
    assert_ended(streams).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let endpoint = management::start_server(json!({})).await;
    let mcp = plain_client(&endpoint).legacy(NEWEST_LEGACY).await;
    let mut events = mcp.listen().await;
    mcp.with_session(Method::DELETE).send().await.expect(204);
    assert_eq!(tokio::time::timeout(END_TIMEOUT, events.next()).await.expect("the stream is still open"), None);
}

#[tokio::test]
async fn a_shutdown_ends_streams_cleanly_without_waiting() {
    let mut endpoint = management::start_server(json!({})).await;
    let modern = plain_client(&endpoint).modern();
    let mut session_events = plain_client(&endpoint).legacy(NEWEST_LEGACY).await.listen().await;
    let mut subscription_events = listen(&modern).await;
    let id = modern.last_id();
    let started = Instant::now();
    endpoint.app.send_terminate();
    let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
    let final_result = json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "_meta": meta}});
    assert_eq!(subscription_events.next_json().await, final_result);
    assert_eq!(subscription_events.next().await, None);
    assert_eq!(session_events.next().await, None);
    assert_eq!(endpoint.app.wait().code(), Some(0), "{}", endpoint.app.logs());
    assert!(started.elapsed() < END_TIMEOUT, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_delay_a_shutdown() {
    let mut endpoint = management::start_server(json!({})).await;
    let streams = open_streams(&plain_client(&endpoint)).await;
    change_often(&endpoint).await;
    let started = Instant::now();
    assert_eq!(endpoint.app.terminate().code(), Some(0), "{}", endpoint.app.logs());
    assert!(started.elapsed() < END_TIMEOUT, "{:?}", started.elapsed());
    drop(streams);
}

/// Makes changes of which the open streams are notified.
async fn change_often(endpoint: &ServiceFixture) {
    let tool = endpoint.create("/tools", idle_tool("t")).await;
    for _ in 0..100 {
        management::change(endpoint, &format!("/tools/{}/toggle", tool["id"]), json!({})).await;
    }
}
