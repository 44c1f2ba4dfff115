//! A stream ends when its server becomes unavailable, its key is revoked, its session ends, or the service stops.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, bare_client, change_server, uncalled_tool};

/// How long a stream may take to end on a busy machine.
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
        let fixture = management::start_server(json!({})).await;
        let streams = open_streams(&bare_client(&fixture)).await;
        change_server(&fixture, change).await;
        assert_ended(streams).await;
    }
    let fixture = management::start_server(json!({})).await;
    let streams = open_streams(&bare_client(&fixture)).await;
    management::delete(&fixture, &fixture.path("")).await;
    assert_ended(streams).await;
}

#[tokio::test]
async fn streams_end_when_their_key_is_revoked() {
    let fixture = management::start_server(json!({"auth_type": "api-key"})).await;
    let api = fixture.app.client();
    let key = api.post(&fixture.path("/keys")).json(json!({"name": "k"})).send().await.expect(201).json();
    let other_key = fixture.create_key().await;
    let revoked = open_streams(&bare_client(&fixture).bearer(key["key"].as_str().unwrap())).await;
    let mut unaffected = open_streams(&bare_client(&fixture).bearer(&other_key)).await;
    management::delete(&fixture, &fixture.path(&format!("/keys/{}", key["id"]))).await;
    assert_ended(revoked).await;
    fixture.create("/tools", uncalled_tool("t")).await;
    for events in &mut unaffected {
        assert_eq!(events.next_json().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn streams_end_when_the_owners_key_is_revoked() {
    let fixture = management::start_server(json!({"auth_type": "api-key"})).await;
    let api = fixture.app.client();
    // User 1, the administrator, owns the server.
    let fields = json!({"name": "k", "user_id": 1, "scopes": ["mcp"]});
    let key: Value = api.create("/api-keys", fields).await;
    let streams = open_streams(&bare_client(&fixture).bearer(key["key"].as_str().unwrap())).await;
    management::delete(&fixture, &format!("/api-keys/{}", key["id"])).await;
    assert_ended(streams).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let mut events = mcp.listen().await;
    mcp.session_request(Method::DELETE).send().await.expect(204);
    assert_eq!(tokio::time::timeout(END_TIMEOUT, events.next()).await.expect("the stream is still open"), None);
}

#[tokio::test]
async fn a_shutdown_ends_streams_cleanly_without_waiting() {
    let mut fixture = management::start_server(json!({})).await;
    let modern = bare_client(&fixture).modern();
    let mut session_events = bare_client(&fixture).legacy(NEWEST_LEGACY).await.listen().await;
    let mut subscription_events = listen(&modern).await;
    let id = modern.last_id();
    let started = Instant::now();
    fixture.app.send_terminate();
    let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
    let final_result = json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "_meta": meta}});
    assert_eq!(subscription_events.next_json().await, final_result);
    assert_eq!(subscription_events.next().await, None);
    assert_eq!(session_events.next().await, None);
    assert_eq!(fixture.app.wait().code(), Some(0), "{}", fixture.app.logs());
    assert!(started.elapsed() < END_TIMEOUT, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_delay_a_shutdown() {
    let mut fixture = management::start_server(json!({})).await;
    let streams = open_streams(&bare_client(&fixture)).await;
    change_often(&fixture).await;
    let started = Instant::now();
    assert_eq!(fixture.app.terminate().code(), Some(0), "{}", fixture.app.logs());
    assert!(started.elapsed() < END_TIMEOUT, "{:?}", started.elapsed());
    drop(streams);
}

/// Makes changes of which the open streams are notified.
async fn change_often(fixture: &ServiceFixture) {
    let tool = fixture.create("/tools", uncalled_tool("t")).await;
    for _ in 0..100 {
        management::change(fixture, &format!("/tools/{}/toggle", tool["id"]), json!({})).await;
    }
}
