//! Calls as they end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_domain::time::{Clock, SystemClock, Timestamp};
use toolgate_testkit::http::Events;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Client, Mcp};

use super::shop::{Shop, assert_blames, assert_no_room, created, get};

/// Long enough for whatever is to be told, and much shorter than the time after which a key is looked at in any case.
const A_WHILE: Duration = Duration::from_secs(10);

async fn watch(api: &Client, query: &str) -> Events {
    api.get(&format!("/calls/stream{query}")).patience(A_WHILE).open().await.events().await
}

/// The next event, which has to be of this kind.
async fn next(events: &mut Events, kind: &str) -> Value {
    let event = events.next().await.expect("the stream ended");
    assert_eq!(event.kind, kind, "{event:?}");
    event.json()
}

#[tokio::test]
async fn a_call_is_told_the_moment_it_ends() {
    let shop = Shop::sqlite();
    let (server, good, bad) = shop.stocked(&shop.api, "Shop").await;
    let mut events = watch(&shop.api, "").await;
    assert_eq!(events.head().header("x-accel-buffering"), Some("no"));
    assert_eq!(events.head().header("cache-control"), Some("no-store, private"));
    let mcp = server.caller("Cursor");
    mcp.call("good", json!({})).await;
    let answered = Instant::now();
    let call = next(&mut events, "call").await;
    eprintln!("told {:?} after the answer", answered.elapsed());
    assert_eq!((&call["tool_id"], &call["outcome"]), (&json!(good), &json!("success")));
    assert_eq!((&call["id"], &call["server_name"]), (&Value::Null, &Value::Null));
    mcp.call("bad", json!({})).await;
    let failed = next(&mut events, "call").await;
    assert_eq!((&failed["tool_id"], &failed["reason"]), (&json!(bad), &json!("upstream_5xx")));
    // The same, but for what only the log knows.
    let logged = get(&shop.api, "/calls").await[0].clone();
    for (name, value) in failed.as_object().unwrap() {
        assert!(["id", "server_name", "tool_name"].contains(&name.as_str()) || *value == logged[name], "{name}");
    }
    assert_eq!(failed.as_object().unwrap().len(), logged.as_object().unwrap().len());
}

#[tokio::test]
async fn a_client_that_comes_is_told() {
    let shop = Shop::sqlite();
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    let mut events = watch(&shop.api, "").await;
    Mcp::at(&server.url).legacy(NEWEST_LEGACY).await;
    let client = next(&mut events, "client_connected").await;
    assert_eq!((&client["method"], &client["server_id"]), (&json!("initialize"), &json!(server.id)));
    assert_eq!((&client["client_name"], &client["protocol_version"]), (&json!("toolgate-test"), &json!(NEWEST_LEGACY)));
    server.caller("zed").result("tools/list", json!({})).await;
    let client = next(&mut events, "client_connected").await;
    assert_eq!((&client["method"], &client["client_type"]), (&json!("tools/list"), &json!("zed")));
    assert_eq!(client.as_object().unwrap().len(), 6);
}

#[tokio::test]
async fn everybody_watches_own_servers() {
    let shop = Shop::sqlite();
    let (alice, bob) = (shop.owner("alice").await, shop.owner("bob").await);
    let (of_alice, ..) = shop.stocked(&alice, "Alice's").await;
    let (of_bob, ..) = shop.stocked(&bob, "Bob's").await;
    let (mut alices, mut bobs, mut all) = (watch(&alice, "").await, watch(&bob, "").await, watch(&shop.api, "").await);
    of_alice.call("cursor", "good", 1).await;
    of_alice.caller("cursor").result("tools/list", json!({})).await;
    of_bob.call("cursor", "bad", 1).await;
    // What comes first is the caller's own, so what came before it was not told.
    assert_eq!(next(&mut bobs, "call").await["server_id"], of_bob.id);
    assert_eq!(next(&mut alices, "call").await["server_id"], of_alice.id);
    assert_eq!(next(&mut alices, "client_connected").await["server_id"], of_alice.id);
    of_alice.call("cursor", "good", 1).await;
    assert_eq!(next(&mut alices, "call").await["server_id"], of_alice.id, "Bob's call was not told");
    assert_eq!(next(&mut all, "call").await["server_id"], of_alice.id);
    next(&mut all, "client_connected").await;
    assert_eq!(next(&mut all, "call").await["server_id"], of_bob.id);
    // Watching a server of somebody else's is watching nothing.
    let mut spying = watch(&bob, &format!("?server={}", of_alice.id)).await;
    let mut own = watch(&bob, &format!("?server={}", of_bob.id)).await;
    of_alice.call("cursor", "good", 1).await;
    of_bob.call("cursor", "good", 1).await;
    next(&mut own, "call").await;
    shop.app.send_terminate();
    assert_eq!(spying.next().await, None);
}

#[tokio::test]
async fn filters_narrow_the_stream_down() {
    let shop = Shop::sqlite();
    let (server, _, bad) = shop.stocked(&shop.api, "Shop").await;
    let (other, other_good, _) = shop.stocked(&shop.api, "Other").await;
    let mut of_tool = watch(&shop.api, &format!("?tool={bad}")).await;
    let mut of_client = watch(&shop.api, "?client=zed").await;
    let mut of_server = watch(&shop.api, &format!("?server={}", other.id)).await;
    server.caller("cursor").result("tools/list", json!({})).await;
    server.call("cursor", "good", 1).await;
    server.call("cursor", "bad", 1).await;
    other.call("zed", "good", 1).await;
    assert_eq!(next(&mut of_tool, "call").await["tool_id"], bad);
    assert_eq!(next(&mut of_client, "call").await["tool_id"], other_good);
    assert_eq!(next(&mut of_server, "call").await["tool_id"], other_good);
    for (query, field) in [("?server=x", "server"), ("?tool=0", "tool")] {
        assert_blames(&shop.api.get(&format!("/calls/stream{query}")).send().await, field);
    }
}

#[tokio::test]
async fn the_stream_is_a_route_like_others_otherwise() {
    let shop = Shop::sqlite();
    let path = "/calls/stream";
    let head = shop.api.head(path).send().await.expect(200);
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    let options = shop.app.client_with(None).options(path).send().await.expect(200);
    assert_eq!(options.header("allow"), Some("GET, HEAD, OPTIONS"));
    shop.app.client_with(None).get(path).send().await.expect(401);
    let enveloped = watch(&shop.api, "?_envelope=1&_fields=time").await;
    assert_eq!(enveloped.head().status, 200);
}

#[tokio::test]
async fn a_stop_ends_the_stream() {
    let mut shop = Shop::sqlite();
    let mut events = watch(&shop.api, "").await;
    shop.app.send_terminate();
    assert_eq!(events.next().await, None);
    assert!(shop.app.wait().success(), "{}", shop.app.logs());
}

#[tokio::test]
async fn the_stream_ends_with_its_key() {
    let shop = Shop::sqlite();
    let key = created(&shop.api, "/api-keys", json!({"name": "k", "user_id": 1, "scopes": ["read"]})).await;
    let mut revoked = watch(&shop.app.client_with(key["key"].as_str()), "").await;
    let mut kept = watch(&shop.api, "").await;
    let (server, ..) = shop.stocked(&shop.api, "Shop").await;
    shop.api.delete(&format!("/api-keys/{}", key["id"])).send().await.expect(200);
    server.call("cursor", "good", 1).await;
    assert_eq!(revoked.next().await, None, "not one call is told after that");
    next(&mut kept, "call").await;
}

#[tokio::test]
async fn the_stream_ends_when_its_key_expires() {
    let shop = Shop::sqlite();
    let now = || SystemClock.now().as_millis();
    // To the second, so it is less than three seconds from now.
    let end = Timestamp::from_millis(now() + 3_000).to_string();
    let fields = json!({"name": "k", "user_id": 1, "scopes": ["read"], "expires_at": end});
    let key = created(&shop.api, "/api-keys", fields).await;
    let mut events = watch(&shop.app.client_with(key["key"].as_str()), "").await;
    assert_eq!(events.next().await, None);
    let late = now() - Timestamp::parse(&end).unwrap().as_millis();
    assert!((0..2_000).contains(&late), "{late} ms after its end");
}

#[tokio::test]
async fn a_stream_on_which_nothing_happens_is_kept_alive() {
    let shop = Shop::sqlite();
    let mut stream = shop.api.get("/calls/stream").patience(Duration::from_secs(25)).open().await;
    assert_eq!(stream.piece().await.unwrap(), ": connected\n\n");
    assert_eq!(stream.piece().await.unwrap(), ": keep-alive\n\n");
}

#[tokio::test]
async fn there_is_room_for_so_many_streams_and_then_for_others_when_they_leave() {
    let shop = Shop::sqlite();
    let mut streams = Vec::new();
    for number in 0..8 {
        shop.api.head("/calls/stream").send().await.expect(200);
        let owner = shop.owner(&format!("owner {number}")).await;
        for _ in 0..32 {
            streams.push(watch(&owner, "").await);
        }
        assert_no_room(&owner, "rest_too_many_streams", "/calls/stream").await;
    }
    assert_no_room(&shop.api, "rest_too_many_streams", "/calls/stream").await;
    get(&shop.api, "/analytics/overview").await;
    streams.clear();
    let deadline = Instant::now() + A_WHILE;
    // Nobody tells when the service has noticed that they left.
    while shop.api.head("/calls/stream").send().await.status != 200 {
        assert!(Instant::now() < deadline, "there is no room although everybody left");
    }
}
