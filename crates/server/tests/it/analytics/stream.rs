//! The event stream of calls.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_domain::time::{Clock, SystemClock, Timestamp};
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{ApiFixture, Client, McpClient, volume};

use super::fixture::{ServerFixture, assert_at_capacity, assert_invalid};
use crate::toolgate;

/// Long enough for every event, and much shorter than the interval at which keys are revalidated.
const EVENT_TIMEOUT: Duration = Duration::from_secs(10);

async fn open_stream(api: &Client, query: &str) -> EventStream {
    api.get(&format!("/calls/stream{query}")).timeout(EVENT_TIMEOUT).open().await.events().await
}

/// The next event, which must be of this kind.
async fn next_event(events: &mut EventStream, kind: &str) -> Value {
    let event = events.next().await.expect("the stream has another event");
    assert_eq!(event.kind, kind, "{event:?}");
    event.json()
}

#[tokio::test]
async fn an_event_is_sent_when_a_call_ends() {
    let fixture = ApiFixture::start(toolgate());
    let (server, good, bad) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    let mut events = open_stream(&fixture.api, "").await;
    assert_eq!(events.head().header("x-accel-buffering"), Some("no"));
    assert_eq!(events.head().header("cache-control"), Some("no-store, private"));
    let mcp = server.caller("Cursor");
    mcp.call("good", json!({})).await;
    let responded_at = Instant::now();
    let call = next_event(&mut events, "call").await;
    eprintln!("sent {:?} after the response", responded_at.elapsed());
    assert_eq!((&call["tool_id"], &call["outcome"]), (&json!(good), &json!("success")));
    assert_eq!((&call["id"], &call["server_name"]), (&Value::Null, &Value::Null));
    mcp.call("bad", json!({})).await;
    let failed = next_event(&mut events, "call").await;
    assert_eq!((&failed["tool_id"], &failed["reason"]), (&json!(bad), &json!("upstream_5xx")));
    // The event equals the logged call, except for fields that only the log has.
    let logged = fixture.api.read("/calls").await[0].clone();
    for (name, value) in failed.as_object().unwrap() {
        assert!(["id", "server_name", "tool_name"].contains(&name.as_str()) || *value == logged[name], "{name}");
    }
    assert_eq!(failed.as_object().unwrap().len(), logged.as_object().unwrap().len());
}

#[tokio::test]
async fn an_event_is_sent_when_a_client_connects() {
    let fixture = ApiFixture::start(toolgate());
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    let mut events = open_stream(&fixture.api, "").await;
    McpClient::new(&server.url).legacy(NEWEST_LEGACY).await;
    let client = next_event(&mut events, "client_connected").await;
    assert_eq!((&client["method"], &client["server_id"]), (&json!("initialize"), &json!(server.id)));
    assert_eq!((&client["client_name"], &client["protocol_version"]), (&json!("toolgate-test"), &json!(NEWEST_LEGACY)));
    server.caller("zed").result("tools/list", json!({})).await;
    let client = next_event(&mut events, "client_connected").await;
    assert_eq!((&client["method"], &client["client_type"]), (&json!("tools/list"), &json!("zed")));
    assert_eq!(client.as_object().unwrap().len(), 6);
}

#[tokio::test]
async fn owners_receive_the_events_of_their_servers() {
    let fixture = ApiFixture::start(toolgate());
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (alice_server, ..) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    let (bob_server, ..) = ServerFixture::create_with_tools(&bob, "Bob's").await;
    let (mut alice_events, mut bob_events, mut all_events) =
        (open_stream(&alice, "").await, open_stream(&bob, "").await, open_stream(&fixture.api, "").await);
    alice_server.call("cursor", "good", 1).await;
    alice_server.caller("cursor").result("tools/list", json!({})).await;
    bob_server.call("cursor", "bad", 1).await;
    // The first event is of the owner's server, so earlier events of other owners were not sent.
    assert_eq!(next_event(&mut bob_events, "call").await["server_id"], bob_server.id);
    assert_eq!(next_event(&mut alice_events, "call").await["server_id"], alice_server.id);
    assert_eq!(next_event(&mut alice_events, "client_connected").await["server_id"], alice_server.id);
    alice_server.call("cursor", "good", 1).await;
    assert_eq!(next_event(&mut alice_events, "call").await["server_id"], alice_server.id, "Bob's call was not sent");
    assert_eq!(next_event(&mut all_events, "call").await["server_id"], alice_server.id);
    next_event(&mut all_events, "client_connected").await;
    assert_eq!(next_event(&mut all_events, "call").await["server_id"], bob_server.id);
    // A stream for another owner's server has no events.
    let mut foreign_events = open_stream(&bob, &format!("?server={}", alice_server.id)).await;
    let mut bob_server_events = open_stream(&bob, &format!("?server={}", bob_server.id)).await;
    alice_server.call("cursor", "good", 1).await;
    bob_server.call("cursor", "good", 1).await;
    next_event(&mut bob_server_events, "call").await;
    fixture.app.send_terminate();
    assert_eq!(foreign_events.next().await, None);
}

#[tokio::test]
async fn filters_select_events() {
    let fixture = ApiFixture::start(toolgate());
    let (server, _, bad) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    let (other, other_good, _) = ServerFixture::create_with_tools(&fixture.api, "Other").await;
    let mut tool_events = open_stream(&fixture.api, &format!("?tool={bad}")).await;
    let mut client_events = open_stream(&fixture.api, "?client=zed").await;
    let mut server_events = open_stream(&fixture.api, &format!("?server={}", other.id)).await;
    server.caller("cursor").result("tools/list", json!({})).await;
    server.call("cursor", "good", 1).await;
    server.call("cursor", "bad", 1).await;
    other.call("zed", "good", 1).await;
    assert_eq!(next_event(&mut tool_events, "call").await["tool_id"], bad);
    assert_eq!(next_event(&mut client_events, "call").await["tool_id"], other_good);
    assert_eq!(next_event(&mut server_events, "call").await["tool_id"], other_good);
    for (query, field) in [("?server=x", "server"), ("?tool=0", "tool")] {
        assert_invalid(&fixture.api.get(&format!("/calls/stream{query}")).send().await, field);
    }
}

#[tokio::test]
async fn the_stream_supports_head_and_options_and_requires_a_key() {
    let fixture = ApiFixture::start(toolgate());
    let path = "/calls/stream";
    let head = fixture.api.head(path).send().await.expect(200);
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    let options = fixture.app.client_with_key(None).options(path).send().await.expect(200);
    assert_eq!(options.header("allow"), Some("GET, HEAD, OPTIONS"));
    fixture.app.client_with_key(None).get(path).send().await.expect(401);
    let enveloped = open_stream(&fixture.api, "?_envelope=1&_fields=time").await;
    assert_eq!(enveloped.head().status, 200, "the stream ignores _envelope and _fields");
}

#[tokio::test]
async fn the_stream_ends_when_the_service_stops() {
    let mut fixture = ApiFixture::start(toolgate());
    let mut events = open_stream(&fixture.api, "").await;
    fixture.app.send_terminate();
    assert_eq!(events.next().await, None);
    assert!(fixture.app.wait().success(), "{}", fixture.app.logs());
}

#[tokio::test]
async fn the_stream_ends_when_its_key_is_deleted() {
    let fixture = ApiFixture::start(toolgate());
    let key = fixture.api.create("/api-keys", json!({"name": "k", "user_id": 1, "scopes": ["read"]})).await;
    let mut revoked_key_events = open_stream(&fixture.app.client_with_key(key["key"].as_str()), "").await;
    let mut valid_key_events = open_stream(&fixture.api, "").await;
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    fixture.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
    server.call("cursor", "good", 1).await;
    assert_eq!(revoked_key_events.next().await, None, "no call is sent after the key is deleted");
    next_event(&mut valid_key_events, "call").await;
}

#[tokio::test]
async fn the_stream_ends_when_its_key_expires() {
    let fixture = ApiFixture::start(toolgate());
    let now = || SystemClock.now().as_millis();
    // Rounded down to the second, so the key expires in less than three seconds.
    let expires_at = Timestamp::from_millis(now() + 3_000).to_string();
    let fields = json!({"name": "k", "user_id": 1, "scopes": ["read"], "expires_at": expires_at});
    let key = fixture.api.create("/api-keys", fields).await;
    let mut events = open_stream(&fixture.app.client_with_key(key["key"].as_str()), "").await;
    assert_eq!(events.next().await, None);
    let late_ms = now() - Timestamp::parse(&expires_at).unwrap().as_millis();
    assert!((0..2_000).contains(&late_ms), "the stream ended {late_ms} ms after the key expired");
}

#[tokio::test]
async fn an_idle_stream_gets_keep_alive_comments() {
    // The interval is 15 seconds.
    if !volume::is_full() {
        return;
    }
    let fixture = ApiFixture::start(toolgate());
    let mut stream = fixture.api.get("/calls/stream").timeout(Duration::from_mins(1)).open().await;
    assert_eq!(stream.next_chunk().await.unwrap(), ": connected\n\n");
    assert_eq!(stream.next_chunk().await.unwrap(), ": keep-alive\n\n");
}

#[tokio::test]
async fn the_number_of_streams_is_limited_and_closed_streams_free_capacity() {
    let fixture = ApiFixture::start(toolgate());
    let mut streams = Vec::new();
    // The limits are 32 streams per owner and 256 in total.
    for number in 0..8 {
        fixture.api.head("/calls/stream").send().await.expect(200);
        let owner = fixture.api.user_client(&format!("owner {number}"), "owner").await;
        for _ in 0..32 {
            streams.push(open_stream(&owner, "").await);
        }
        assert_at_capacity(&owner, "rest_too_many_streams", "/calls/stream").await;
    }
    assert_at_capacity(&fixture.api, "rest_too_many_streams", "/calls/stream").await;
    fixture.api.read("/analytics/overview").await;
    streams.clear();
    let deadline = Instant::now() + EVENT_TIMEOUT;
    // Polls, because nothing signals that the service has detected the disconnects.
    while fixture.api.head("/calls/stream").send().await.status != 200 {
        assert!(Instant::now() < deadline, "there is no capacity although all streams are closed");
    }
}
