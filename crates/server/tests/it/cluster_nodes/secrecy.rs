//! The data in Redis reveals no secrets.

use serde_json::json;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::redis::PASSWORD;
use toolgate_testkit::running_service::TEST_KEY;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::{MockResponse, Upstream};

use super::start_nodes;

const TOKEN: &str = "upstream-token-0123456789";
const UPSTREAM_TEXT: &str = "text-of-the-upstream-0123456789";
const RESOURCE: &str = "resource-of-a-session-0123456789";
const ARGUMENT: &str = "argument-of-a-call-0123456789";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_requests_and_responses_are_unreadable_in_redis_and_its_password_is_stored_nowhere() {
    // An upstream that repeats the credential it was sent.
    let upstream = Upstream::with_handler(|_| MockResponse::text(format!("{UPSTREAM_TEXT} Bearer {TOKEN}")));
    let Some((nodes, redis)) = start_nodes(upstream, 100).await else { return };
    let fields = json!({"auth_type": "bearer", "auth_credentials": {"token": TOKEN}, "cache_ttl": 300,
        "input_schema": {"type": "object", "properties": {"q": {}}}});
    nodes.create_tool(fields).await;
    for attempt in 0..5 {
        for caller in nodes.callers() {
            let text = caller.text("tool", json!({"q": format!("{ARGUMENT} {attempt}")})).await;
            assert!(text.contains(UPSTREAM_TEXT), "{text}");
        }
    }
    assert!(nodes.first.upstream.request_count() < 10, "responses were shared through Redis");
    let uri = format!("docs://{RESOURCE}");
    nodes.first.create("/resources", json!({"uri": uri, "name": "r", "data_source_config": {"content": "c"}})).await;
    let client = nodes.first.caller().legacy(NEWEST_LEGACY).await;
    client.result("resources/subscribe", json!({"uri": uri})).await;
    let names = redis.keys();
    let kinds = ["answer:", "nodes", "session:", "window:"];
    assert!(kinds.iter().all(|kind| names.iter().any(|name| name.contains(kind))), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("toolgate:1:")), "{names:?}");
    let stored = redis.dump();
    assert!(find_secret(&stored, "toolgate:1:").is_some(), "the searched data contains the keys");
    for secret in [TOKEN, UPSTREAM_TEXT, ARGUMENT, RESOURCE, TEST_KEY, PASSWORD] {
        assert_eq!(find_secret(&stored, secret), None, "{secret}");
    }
    for app in nodes.apps() {
        let settings = app.client().get("/settings").send().await.expect(200);
        assert_eq!(find_secret(app.logs().as_bytes(), PASSWORD), None);
        assert_eq!(find_secret(settings.text().as_bytes(), PASSWORD), None);
        assert_eq!(find_secret_in_files(app.data_dir(), PASSWORD), []);
    }
}
