//! Sessions of legacy clients: begun by a handshake, never required, ended by `DELETE`, and trusted for nothing.

use http::Method;
use serde_json::json;
use toolgate_testkit::Mcp;
use toolgate_testkit::http::Request;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::owner::{self, assert_refused, bare, idle_tool};

fn stream(mcp: &Mcp) -> Request {
    mcp.with_session(Method::GET).header("accept", "text/event-stream")
}

#[tokio::test]
async fn each_handshake_begins_a_session_of_its_own() {
    let endpoint = owner::open(json!({})).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
        ids.push(mcp.session().unwrap().to_owned());
        mcp.result("tools/list", json!({})).await;
    }
    assert!(ids.iter().all(|id| id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic())), "{ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[tokio::test]
async fn a_session_is_never_required_and_an_unknown_one_does_no_harm() {
    let endpoint = owner::open(json!({})).await;
    endpoint.tool(idle_tool("t")).await;
    let known = bare(&endpoint).legacy(NEWEST_LEGACY).await.session().unwrap().to_owned();
    let mut changed = known.clone();
    let last = changed.pop();
    changed.push(if last == Some('A') { 'B' } else { 'A' });
    for id in ["unknown", "", " ", "1", &changed, &"x".repeat(4000)] {
        let mcp = bare(&endpoint).header("mcp-session-id", id);
        let reply = mcp.send("tools/list", json!({})).await.expect(200);
        assert_eq!(reply.json()["result"]["tools"][0]["name"], "t");
        assert_eq!(reply.header("mcp-session-id"), None, "only a handshake begins a session");
        // There is no stream to open for it, and nothing to end.
        assert_refused(&mcp.plain(Method::GET).header("accept", "text/event-stream").send().await, 405, 405);
        assert_refused(&mcp.plain(Method::DELETE).send().await, 405, 405);
    }
}

#[tokio::test]
async fn an_ended_session_is_gone() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let other = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let ended = mcp.with_session(Method::DELETE).send().await.expect(204);
    assert!(ended.body.is_empty());
    for method in ["tools/list", "ping", "initialize"] {
        assert_refused(&mcp.send(method, json!({})).await, 404, 404);
    }
    assert_refused(&mcp.notify("notifications/initialized", json!({})).await, 404, 404);
    assert_refused(&stream(&mcp).send().await, 404, 404);
    assert_refused(&mcp.with_session(Method::DELETE).send().await, 404, 404);
    // Nobody else's has ended, and whoever comes without one is as welcome as before.
    other.result("tools/list", json!({})).await;
    bare(&endpoint).result("tools/list", json!({})).await;
}

#[tokio::test]
async fn a_stream_needs_a_session_and_a_client_that_reads_streams() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let without_session = bare(&endpoint).plain(Method::GET).header("accept", "text/event-stream");
    assert_refused(&without_session.send().await, 405, 405);
    assert_refused(&mcp.with_session(Method::GET).send().await, 405, 405);
    for accept in ["application/json", "*/*", "text/*", "text/event-streams"] {
        assert_refused(&mcp.with_session(Method::GET).header("accept", accept).send().await, 405, 405);
    }
    for accept in ["text/event-stream", "application/json, Text/Event-Stream;q=0.5"] {
        let opened = mcp.with_session(Method::GET).header("accept", accept).open().await;
        assert_eq!(opened.status, 200);
        assert_eq!(opened.header("content-type"), Some("text/event-stream"));
        assert_eq!(opened.header("x-accel-buffering"), Some("no"));
    }
}

#[tokio::test]
async fn a_session_belongs_to_the_server_that_began_it() {
    let endpoint = owner::open(json!({})).await;
    let other = owner::another_server(&endpoint, json!({"name": "Other", "rate_limit_per_min": 0})).await;
    let mcp = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let elsewhere = Mcp::at(other["endpoint_url"].as_str().unwrap()).header("mcp-session-id", mcp.session().unwrap());
    elsewhere.send("tools/list", json!({})).await.expect(200);
    assert_refused(&elsewhere.plain(Method::GET).header("accept", "text/event-stream").send().await, 405, 405);
    assert_refused(&elsewhere.plain(Method::DELETE).send().await, 405, 405);
    mcp.result("tools/list", json!({})).await;
}

#[tokio::test]
async fn a_session_is_no_key() {
    let endpoint = owner::open(json!({"auth_type": "api-key"})).await;
    let mcp = bare(&endpoint).bearer(&endpoint.key().await).legacy(NEWEST_LEGACY).await;
    let without_key = bare(&endpoint).header("mcp-session-id", mcp.session().unwrap());
    assert_refused(&without_key.send("tools/list", json!({})).await, 401, 401);
    for method in [Method::GET, Method::DELETE] {
        let request = without_key.plain(method).header("accept", "text/event-stream");
        assert_refused(&request.send().await, 401, 401);
    }
}

#[tokio::test]
async fn modern_callers_have_no_sessions_whatever_they_send() {
    let endpoint = owner::open(json!({})).await;
    let legacy = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    let modern = bare(&endpoint).header("mcp-session-id", legacy.session().unwrap()).modern();
    assert_eq!(modern.send("tools/list", json!({})).await.expect(200).header("mcp-session-id"), None);
    for method in [Method::GET, Method::DELETE] {
        let request = modern.plain(method).header("mcp-protocol-version", "2026-07-28");
        assert_refused(&request.header("accept", "text/event-stream").send().await, 405, 405);
    }
    // Not even an ended one matters.
    legacy.with_session(Method::DELETE).send().await.expect(204);
    modern.send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn a_session_outlives_the_process() {
    let mut endpoint = owner::open(json!({})).await;
    let legacy = bare(&endpoint).legacy("2025-06-18").await;
    let (id, old) = (legacy.session().unwrap().to_owned(), endpoint.app.origin());
    endpoint.app.restart();
    let url = endpoint.url().replace(&old, &endpoint.app.origin());
    let mcp = Mcp::at(&url).header("mcp-session-id", &id);
    let opened = mcp.plain(Method::GET).header("accept", "text/event-stream").open().await;
    assert_eq!(opened.status, 200, "any process of one database knows the id");
}
