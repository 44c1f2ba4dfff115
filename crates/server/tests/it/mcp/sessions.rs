//! Sessions of legacy clients: a handshake starts a session and `DELETE` ends it. No request requires a session, and a
//! session does not replace a key.

use http::Method;
use serde_json::json;
use toolgate_testkit::McpClient;
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::management::{self, assert_refused, bare_client, uncalled_tool};

fn stream_request(mcp: &McpClient) -> TestRequest {
    mcp.session_request(Method::GET).header("accept", "text/event-stream")
}

#[tokio::test]
async fn each_handshake_starts_a_new_session() {
    let fixture = management::start_server(json!({})).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
        ids.push(mcp.session().unwrap().to_owned());
        mcp.result("tools/list", json!({})).await;
    }
    assert!(ids.iter().all(|id| id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic())), "{ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[tokio::test]
async fn a_session_is_never_required_and_an_unknown_one_is_ignored() {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", uncalled_tool("t")).await;
    let session_id = bare_client(&fixture).legacy(NEWEST_LEGACY).await.session().unwrap().to_owned();
    let mut altered_id = session_id.clone();
    let last = altered_id.pop();
    altered_id.push(if last == Some('A') { 'B' } else { 'A' });
    for id in ["unknown", "", " ", "1", &altered_id, &"x".repeat(4000)] {
        let mcp = bare_client(&fixture).header("mcp-session-id", id);
        let reply = mcp.send("tools/list", json!({})).await.expect(200);
        assert_eq!(reply.json()["result"]["tools"][0]["name"], "t");
        assert_eq!(reply.header("mcp-session-id"), None, "only a handshake starts a session");
        // An unknown session has no stream and cannot be ended.
        assert_refused(&mcp.raw_request(Method::GET).header("accept", "text/event-stream").send().await, 405, 405);
        assert_refused(&mcp.raw_request(Method::DELETE).send().await, 405, 405);
    }
}

#[tokio::test]
async fn an_ended_session_is_gone() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let other = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let ended = mcp.session_request(Method::DELETE).send().await.expect(204);
    assert!(ended.body.is_empty());
    for method in ["tools/list", "ping", "initialize"] {
        assert_refused(&mcp.send(method, json!({})).await, 404, 404);
    }
    assert_refused(&mcp.notify("notifications/initialized", json!({})).await, 404, 404);
    assert_refused(&stream_request(&mcp).send().await, 404, 404);
    assert_refused(&mcp.session_request(Method::DELETE).send().await, 404, 404);
    // Other sessions continue, and clients without a session are still accepted.
    other.result("tools/list", json!({})).await;
    bare_client(&fixture).result("tools/list", json!({})).await;
}

#[tokio::test]
async fn an_ended_session_stays_ended_after_a_restart() {
    let mut fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let other = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    mcp.session_request(Method::DELETE).send().await.expect(204);
    fixture.app.restart();
    let caller = fixture.caller();
    assert_refused(&mcp.at_endpoint_of(&caller).send("ping", json!({})).await, 404, 404);
    other.at_endpoint_of(&caller).result("ping", json!({})).await;
}

#[tokio::test]
async fn a_stream_needs_a_session_and_a_client_that_accepts_streams() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let without_session = bare_client(&fixture).raw_request(Method::GET).header("accept", "text/event-stream");
    assert_refused(&without_session.send().await, 405, 405);
    assert_refused(&mcp.session_request(Method::GET).send().await, 405, 405);
    for accept in ["application/json", "*/*", "text/*", "text/event-streams"] {
        assert_refused(&mcp.session_request(Method::GET).header("accept", accept).send().await, 405, 405);
    }
    for accept in ["text/event-stream", "application/json, Text/Event-Stream;q=0.5"] {
        let opened = mcp.session_request(Method::GET).header("accept", accept).open().await;
        assert_eq!(opened.status, 200);
        assert_eq!(opened.header("content-type"), Some("text/event-stream"));
        assert_eq!(opened.header("x-accel-buffering"), Some("no"));
    }
}

#[tokio::test]
async fn a_session_belongs_to_the_server_that_started_it() {
    let fixture = management::start_server(json!({})).await;
    let other = management::create_another_server(&fixture, json!({"name": "Other", "rate_limit_per_min": 0})).await;
    let mcp = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let other_server =
        McpClient::new(other["endpoint_url"].as_str().unwrap()).header("mcp-session-id", mcp.session().unwrap());
    other_server.send("tools/list", json!({})).await.expect(200);
    assert_refused(&other_server.raw_request(Method::GET).header("accept", "text/event-stream").send().await, 405, 405);
    assert_refused(&other_server.raw_request(Method::DELETE).send().await, 405, 405);
    mcp.result("tools/list", json!({})).await;
}

#[tokio::test]
async fn a_session_does_not_replace_a_key() {
    let fixture = management::start_server(json!({"auth_type": "api-key"})).await;
    let mcp = bare_client(&fixture).bearer(&fixture.create_key().await).legacy(NEWEST_LEGACY).await;
    let without_key = bare_client(&fixture).header("mcp-session-id", mcp.session().unwrap());
    assert_refused(&without_key.send("tools/list", json!({})).await, 401, 401);
    for method in [Method::GET, Method::DELETE] {
        let request = without_key.raw_request(method).header("accept", "text/event-stream");
        assert_refused(&request.send().await, 401, 401);
    }
}

#[tokio::test]
async fn modern_clients_have_no_sessions() {
    let fixture = management::start_server(json!({})).await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    let modern = bare_client(&fixture).header("mcp-session-id", legacy.session().unwrap()).modern();
    assert_eq!(modern.send("tools/list", json!({})).await.expect(200).header("mcp-session-id"), None);
    for method in [Method::GET, Method::DELETE] {
        let request = modern.raw_request(method).header("mcp-protocol-version", "2026-07-28");
        assert_refused(&request.header("accept", "text/event-stream").send().await, 405, 405);
    }
    // An ended session is ignored, too.
    legacy.session_request(Method::DELETE).send().await.expect(204);
    modern.send("tools/list", json!({})).await.expect(200);
}

#[tokio::test]
async fn a_session_survives_a_restart() {
    let mut fixture = management::start_server(json!({})).await;
    let legacy = bare_client(&fixture).legacy("2025-06-18").await;
    let (id, old_origin) = (legacy.session().unwrap().to_owned(), fixture.app.origin());
    fixture.app.restart();
    let url = fixture.url().replace(&old_origin, &fixture.app.origin());
    let mcp = McpClient::new(&url).header("mcp-session-id", &id);
    let opened = mcp.raw_request(Method::GET).header("accept", "text/event-stream").open().await;
    assert_eq!(opened.status, 200, "the id is valid in any process with the same database");
}
