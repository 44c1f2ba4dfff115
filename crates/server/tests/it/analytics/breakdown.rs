//! Calls by client type.

use serde_json::{Value, json};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{ApiFixture, McpClient};

use super::fixture::ServerFixture;

on_both_databases!(
    calls_are_reported_by_client_type_the_busiest_first,
    bare_and_legacy_clients_may_send_their_name_in_a_message,
    only_calls_within_the_range_of_days_are_reported,
    calls_of_other_owners_are_not_reported
);

/// Client type, all calls, successful calls and failed calls of each row.
fn rows(list: &Value) -> Vec<(&str, i64, i64, i64)> {
    let counts = |client: &'_ Value| {
        ["total_calls", "successful_calls", "failed_calls"].map(|name| client[name].as_i64().unwrap())
    };
    let named = list.as_array().unwrap().iter().map(|client| (client["client_type"].as_str().unwrap(), counts(client)));
    named.map(|(name, [total, successful, failed])| (name, total, successful, failed)).collect()
}

async fn calls_are_reported_by_client_type_the_busiest_first(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("windsurf", "good", 1).await;
    server.call("cursor-vscode", "good", 2).await;
    server.call("Cursor", "bad", 1).await;
    server.call("claude-code", "bad", 1).await;
    let breakdown = fixture.api.read("/analytics/client-breakdown").await;
    assert_eq!(rows(&breakdown), [("cursor", 3, 2, 1), ("claude-code", 1, 0, 1), ("windsurf", 1, 1, 0)]);
    assert!(breakdown[0]["avg_response_time_ms"].is_u64(), "{breakdown}");
    assert_eq!(breakdown[0].as_object().unwrap().len(), 5, "{breakdown}");
}

async fn bare_and_legacy_clients_may_send_their_name_in_a_message(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    let meta = json!({"io.modelcontextprotocol/clientInfo": {"name": "zed", "version": "1"}});
    let params = json!({"name": "good", "arguments": {}, "_meta": meta});
    let bare = McpClient::new(&server.url);
    let legacy = McpClient::new(&server.url).legacy(NEWEST_LEGACY).await;
    for caller in [&bare, &legacy] {
        caller.result("tools/call", params.clone()).await;
    }
    // The header takes precedence over the message, and the message over the session's `initialize`.
    server.caller("cursor").result("tools/call", params.clone()).await;
    legacy.result("tools/call", json!({"name": "good"})).await;
    let breakdown = fixture.api.read("/analytics/client-breakdown").await;
    assert_eq!(rows(&breakdown), [("zed", 2, 2, 0), ("cursor", 1, 1, 0), ("toolgate-test", 1, 1, 0)]);
}

async fn only_calls_within_the_range_of_days_are_reported(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    server.call("cursor", "good", 1).await;
    let time = fixture.api.read("/calls").await[0]["time"].as_str().unwrap().to_owned();
    let (day, _) = time.split_once('T').unwrap();
    for (query, client_types) in [
        (format!("from={day}&to={day}"), 1),
        (format!("from={day}"), 1),
        (format!("to={day}"), 1),
        ("to=2026-01-01".to_owned(), 0),
        ("from=9999-12-31".to_owned(), 0),
        ("from=0001-01-01&to=9999-12-31".to_owned(), 1),
    ] {
        let breakdown = fixture.api.read(&format!("/analytics/client-breakdown?{query}")).await;
        assert_eq!(breakdown.as_array().unwrap().len(), client_types, "{query}");
    }
}

async fn calls_of_other_owners_are_not_reported(fixture: &ApiFixture) {
    let (alice, bob) = (fixture.api.user_client("alice", "owner").await, fixture.api.user_client("bob", "owner").await);
    let (alice_server, ..) = ServerFixture::create_with_tools(&alice, "Alice's").await;
    alice_server.call("cursor", "good", 1).await;
    assert_eq!(rows(&alice.read("/analytics/client-breakdown").await), [("cursor", 1, 1, 0)]);
    assert_eq!(bob.read("/analytics/client-breakdown").await, json!([]));
}
