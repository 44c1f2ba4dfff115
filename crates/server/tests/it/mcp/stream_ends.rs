//! A stream ends when there is nothing more to tell its client: the server is closed or gone, the client may no longer
//! be there, or the service stops.

use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::Mcp;
use toolgate_testkit::http::Events;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::endpoint::Endpoint;
use super::owner::{self, bare, change_server, idle_tool};

/// Soon enough for a person; a silent stream is looked after every fifteen seconds only.
const SOON: Duration = Duration::from_secs(5);

async fn listen(mcp: &Mcp) -> Events {
    let mut events = mcp.open("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    assert_eq!(events.next_json().await["method"], "notifications/subscriptions/acknowledged");
    events
}

/// One stream of each kind.
async fn streams(mcp: &Mcp) -> [Events; 2] {
    [mcp.clone().legacy(NEWEST_LEGACY).await.listen().await, listen(&mcp.clone().modern()).await]
}

async fn assert_ended(streams: [Events; 2]) {
    for mut events in streams {
        let end = tokio::time::timeout(SOON, events.next()).await;
        assert_eq!(end.expect("the stream is still open"), None);
    }
}

#[tokio::test]
async fn streams_end_with_their_server() {
    for change in [json!({"status": "paused"}), json!({"status": "draft"}), json!({"auth_type": "api-key"})] {
        let endpoint = owner::open(json!({})).await;
        let streams = streams(&bare(&endpoint)).await;
        change_server(&endpoint, change).await;
        assert_ended(streams).await;
    }
    let endpoint = owner::open(json!({})).await;
    let streams = streams(&bare(&endpoint)).await;
    owner::delete(&endpoint, &endpoint.path("")).await;
    assert_ended(streams).await;
}

#[tokio::test]
async fn streams_end_when_their_key_is_revoked() {
    let endpoint = owner::open(json!({"auth_type": "api-key"})).await;
    let api = endpoint.app.client();
    let key = api.post(&endpoint.path("/keys")).json(json!({"name": "k"})).send().await.expect(201).json();
    let other = endpoint.key().await;
    let revoked = streams(&bare(&endpoint).bearer(key["key"].as_str().unwrap())).await;
    let mut kept = streams(&bare(&endpoint).bearer(&other)).await;
    owner::delete(&endpoint, &endpoint.path(&format!("/keys/{}", key["id"]))).await;
    assert_ended(revoked).await;
    endpoint.tool(idle_tool("t")).await;
    for events in &mut kept {
        assert_eq!(events.next_json().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn streams_end_when_the_owners_key_is_revoked() {
    let endpoint = owner::open(json!({"auth_type": "api-key"})).await;
    let api = endpoint.app.client();
    let fields = json!({"name": "k", "user_id": 1, "scopes": ["mcp"]});
    let key: Value = api.post("/api-keys").json(fields).send().await.expect(201).json();
    let streams = streams(&bare(&endpoint).bearer(key["key"].as_str().unwrap())).await;
    owner::delete(&endpoint, &format!("/api-keys/{}", key["id"])).await;
    assert_ended(streams).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let mut events = mcp.listen().await;
    mcp.with_session(Method::DELETE).send().await.expect(204);
    assert_eq!(tokio::time::timeout(SOON, events.next()).await.expect("the stream is still open"), None);
}

#[tokio::test]
async fn a_stop_ends_streams_well_and_does_not_wait_for_them() {
    let mut endpoint = owner::open(json!({})).await;
    let modern = bare(&endpoint).modern();
    let mut of_session = bare(&endpoint).legacy(NEWEST_LEGACY).await.listen().await;
    let mut of_listener = listen(&modern).await;
    let id = modern.last_id();
    let began = Instant::now();
    endpoint.app.send_terminate();
    let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
    let farewell = json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "_meta": meta}});
    assert_eq!(of_listener.next_json().await, farewell);
    assert_eq!(of_listener.next().await, None);
    assert_eq!(of_session.next().await, None);
    assert_eq!(endpoint.app.wait().code(), Some(0), "{}", endpoint.app.logs());
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_client_that_reads_nothing_does_not_hold_up_a_stop() {
    let mut endpoint = owner::open(json!({})).await;
    let streams = streams(&bare(&endpoint)).await;
    change_often(&endpoint).await;
    let began = Instant::now();
    assert_eq!(endpoint.app.terminate().code(), Some(0), "{}", endpoint.app.logs());
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    drop(streams);
}

async fn change_often(endpoint: &Endpoint) {
    let tool = endpoint.tool(idle_tool("t")).await;
    for _ in 0..100 {
        owner::change(endpoint, &format!("/tools/{}/toggle", tool["id"]), json!({})).await;
    }
}
