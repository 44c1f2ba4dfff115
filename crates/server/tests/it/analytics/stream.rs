//! The event stream of calls.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_domain::time::{Clock, SystemClock, Timestamp};
use toolgate_testkit::http::EventStream;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, McpClient};

use super::fixture::{AnalyticsFixture, assert_at_capacity, assert_invalid, created, get};

/// Long enough for every event, and much shorter than the interval at which keys are revalidated.
const EVENT_TIMEOUT: Duration = Duration::from_secs(10);

async fn watch(api: &Client, query: &str) -> EventStream {
    api.get(&format!("/calls/stream{query}")).timeout(EVENT_TIMEOUT).open().await.events().await
}

/// The next event, which must be of this kind.
async fn next(events: &mut EventStream, kind: &str) -> Value {
    let event = events.next().await.expect("the stream ended");
    assert_eq!(event.kind, kind, "{event:?}");
    event.json()
}

#[tokio::test]
async fn a_call_is_sent_when_it_ends() {
    let fixture = AnalyticsFixture::sqlite();
    let (server, good, bad) = fixture.server_with_tools(&fixture.api, "Shop").await;
    let mut events = watch(&fixture.api, "").await;
    assert_eq!(events.head().header("x-accel-buffering"), Some("no"));
    assert_eq!(events.head().header("cache-control"), Some("no-store, private"));
    let mcp = server.caller("Cursor");
    mcp.call("good", json!({})).await;
    let answered = Instant::now();
    let call = next(&mut events, "call").await;
    eprintln!("sent {:?} after the response", answered.elapsed());
    assert_eq!((&call["tool_id"], &call["outcome"]), (&json!(good), &json!("success")));
    assert_eq!((&call["id"], &call["server_name"]), (&Value::Null, &Value::Null));
    mcp.call("bad", json!({})).await;
    let failed = next(&mut events, "call").await;
    assert_eq!((&failed["tool_id"], &failed["reason"]), (&json!(bad), &json!("upstream_5xx")));
    // Equal to the logged call, except for fields that only the log has.
    let logged = get(&fixture.api, "/calls").await[0].clone();
    for (name, value) in failed.as_object().unwrap() {
        assert!(["id", "server_name", "tool_name"].contains(&name.as_str()) || *value == logged[name], "{name}");
    }
    assert_eq!(failed.as_object().unwrap().len(), logged.as_object().unwrap().len());
}

#[tokio::test]
async fn a_client_that_connects_is_sent() {
    let fixture = AnalyticsFixture::sqlite();
    let (server, ..) = fixture.server_with_tools(&fixture.api, "Shop").await;
    let mut events = watch(&fixture.api, "").await;
    McpClient::new(&server.url).legacy(NEWEST_LEGACY).await;
    let client = next(&mut events, "client_connected").await;
    assert_eq!((&client["method"], &client["server_id"]), (&json!("initialize"), &json!(server.id)));
    assert_eq!((&client["client_name"], &client["protocol_version"]), (&json!("toolgate-test"), &json!(NEWEST_LEGACY)));
    server.caller("zed").result("tools/list", json!({})).await;
    let client = next(&mut events, "client_connected").await;
    assert_eq!((&client["method"], &client["client_type"]), (&json!("tools/list"), &json!("zed")));
    assert_eq!(client.as_object().unwrap().len(), 6);
}

#[tokio::test]
async fn owners_receive_the_events_of_their_servers() {
    let fixture = AnalyticsFixture::sqlite();
    let (alice, bob) = (fixture.owner("alice").await, fixture.owner("bob").await);
    let (of_alice, ..) = fixture.server_with_tools(&alice, "Alice's").await;
    let (of_bob, ..) = fixture.server_with_tools(&bob, "Bob's").await;
    let (mut alices, mut bobs, mut all) =
        (watch(&alice, "").await, watch(&bob, "").await, watch(&fixture.api, "").await);
    of_alice.call("cursor", "good", 1).await;
    of_alice.caller("cursor").result("tools/list", json!({})).await;
    of_bob.call("cursor", "bad", 1).await;
    // The first event is of the owner's server, so earlier events of other owners were not sent.
    assert_eq!(next(&mut bobs, "call").await["server_id"], of_bob.id);
    assert_eq!(next(&mut alices, "call").await["server_id"], of_alice.id);
    assert_eq!(next(&mut alices, "client_connected").await["server_id"], of_alice.id);
    of_alice.call("cursor", "good", 1).await;
    assert_eq!(next(&mut alices, "call").await["server_id"], of_alice.id, "Bob's call was not sent");
    assert_eq!(next(&mut all, "call").await["server_id"], of_alice.id);
    next(&mut all, "client_connected").await;
    assert_eq!(next(&mut all, "call").await["server_id"], of_bob.id);
    // A stream for another owner's server has no events.
    let mut spying = watch(&bob, &format!("?server={}", of_alice.id)).await;
    let mut own = watch(&bob, &format!("?server={}", of_bob.id)).await;
    of_alice.call("cursor", "good", 1).await;
    of_bob.call("cursor", "good", 1).await;
    next(&mut own, "call").await;
    fixture.app.send_terminate();
    assert_eq!(spying.next().await, None);
}

#[tokio::test]
async fn filters_select_events() {
    let fixture = AnalyticsFixture::sqlite();
    let (server, _, bad) = fixture.server_with_tools(&fixture.api, "Shop").await;
    let (other, other_good, _) = fixture.server_with_tools(&fixture.api, "Other").await;
    let mut of_tool = watch(&fixture.api, &format!("?tool={bad}")).await;
    let mut of_client = watch(&fixture.api, "?client=zed").await;
    let mut of_server = watch(&fixture.api, &format!("?server={}", other.id)).await;
    server.caller("cursor").result("tools/list", json!({})).await;
    server.call("cursor", "good", 1).await;
    server.call("cursor", "bad", 1).await;
    other.call("zed", "good", 1).await;
    assert_eq!(next(&mut of_tool, "call").await["tool_id"], bad);
    assert_eq!(next(&mut of_client, "call").await["tool_id"], other_good);
    assert_eq!(next(&mut of_server, "call").await["tool_id"], other_good);
    for (query, field) in [("?server=x", "server"), ("?tool=0", "tool")] {
        assert_invalid(&fixture.api.get(&format!("/calls/stream{query}")).send().await, field);
    }
}

#[tokio::test]
async fn the_stream_behaves_like_other_routes() {
    let fixture = AnalyticsFixture::sqlite();
    let path = "/calls/stream";
    let head = fixture.api.head(path).send().await.expect(200);
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    let options = fixture.app.client_with_key(None).options(path).send().await.expect(200);
    assert_eq!(options.header("allow"), Some("GET, HEAD, OPTIONS"));
    fixture.app.client_with_key(None).get(path).send().await.expect(401);
    let enveloped = watch(&fixture.api, "?_envelope=1&_fields=time").await;
    assert_eq!(enveloped.head().status, 200);
}

#[tokio::test]
async fn a_stop_ends_the_stream() {
    let mut fixture = AnalyticsFixture::sqlite();
    let mut events = watch(&fixture.api, "").await;
    fixture.app.send_terminate();
    assert_eq!(events.next().await, None);
    assert!(fixture.app.wait().success(), "{}", fixture.app.logs());
}

#[tokio::test]
async fn the_stream_ends_with_its_key() {
    let fixture = AnalyticsFixture::sqlite();
    let key = created(&fixture.api, "/api-keys", json!({"name": "k", "user_id": 1, "scopes": ["read"]})).await;
    let mut revoked = watch(&fixture.app.client_with_key(key["key"].as_str()), "").await;
    let mut kept = watch(&fixture.api, "").await;
    let (server, ..) = fixture.server_with_tools(&fixture.api, "Shop").await;
    fixture.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
    server.call("cursor", "good", 1).await;
    assert_eq!(revoked.next().await, None, "no call is sent after that");
    next(&mut kept, "call").await;
}

#[tokio::test]
async fn the_stream_ends_when_its_key_expires() {
    let fixture = AnalyticsFixture::sqlite();
    let now = || SystemClock.now().as_millis();
    // Rounded down to the second, so it is less than three seconds from now.
    let end = Timestamp::from_millis(now() + 3_000).to_string();
    let fields = json!({"name": "k", "user_id": 1, "scopes": ["read"], "expires_at": end});
    let key = created(&fixture.api, "/api-keys", fields).await;
    let mut events = watch(&fixture.app.client_with_key(key["key"].as_str()), "").await;
    assert_eq!(events.next().await, None);
    let late = now() - Timestamp::parse(&end).unwrap().as_millis();
    assert!((0..2_000).contains(&late), "{late} ms after its end");
}

#[tokio::test]
async fn an_idle_stream_gets_keep_alive_comments() {
    let fixture = AnalyticsFixture::sqlite();
    let mut stream = fixture.api.get("/calls/stream").timeout(Duration::from_secs(25)).open().await;
    assert_eq!(stream.next_chunk().await.unwrap(), ": connected\n\n");
    assert_eq!(stream.next_chunk().await.unwrap(), ": keep-alive\n\n");
}

#[tokio::test]
async fn the_number_of_streams_is_limited_and_closed_streams_free_capacity() {
    let fixture = AnalyticsFixture::sqlite();
    let mut streams = Vec::new();
    for number in 0..8 {
        fixture.api.head("/calls/stream").send().await.expect(200);
        let owner = fixture.owner(&format!("owner {number}")).await;
        for _ in 0..32 {
            streams.push(watch(&owner, "").await);
        }
        assert_at_capacity(&owner, "rest_too_many_streams", "/calls/stream").await;
    }
    assert_at_capacity(&fixture.api, "rest_too_many_streams", "/calls/stream").await;
    get(&fixture.api, "/analytics/overview").await;
    streams.clear();
    let deadline = Instant::now() + EVENT_TIMEOUT;
    // There is no signal for when the service has noticed the disconnects.
    while fixture.api.head("/calls/stream").send().await.status != 200 {
        assert!(Instant::now() < deadline, "there is no capacity although all streams are closed");
    }
}
