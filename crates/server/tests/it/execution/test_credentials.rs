//! The credentials that a server uses for test runs.

use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::start;

/// A server whose test credentials are a bearer token.
async fn fixture() -> ServiceFixture {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let test = json!({"auth_type": "bearer", "auth_credentials": {"token": "for-tests-only-123"}});
    set_test_credentials(&fixture, test).await;
    fixture
}

async fn set_test_credentials(fixture: &ServiceFixture, test_credentials: Value) {
    let settings = json!({"settings": {"test_credentials": test_credentials}});
    let reply = fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    assert_eq!(find_secret(&reply.body, "for-tests-only-123"), None, "{reply:?}");
}

#[tokio::test]
async fn test_credentials_replace_the_credentials_of_the_tool_in_test_runs_only() {
    let fixture = fixture().await;
    let tool_credentials = json!({"auth_type": "bearer", "auth_credentials": {"token": "own"}});
    let id = fixture.create_tool(tool_credentials).await;
    let tested = fixture.test_reply(id, json!({"debug": true})).await.expect(200);
    assert_eq!(find_secret(&tested.body, "for-tests-only-123"), None, "{tested:?}");
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer for-tests-only-123"));
    fixture.caller().text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer own"));
    // The test credentials are also used for a tool without credentials.
    fixture.update_tool(id, json!({"auth_credentials": {}})).await;
    assert_eq!(fixture.test_result(id, json!({})).await["success"], true);
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer for-tests-only-123"));
    set_test_credentials(&fixture, Value::Null).await;
    assert_eq!(fixture.test_result(id, json!({})).await["success"], false);
    assert_eq!(fixture.upstream.request_count(), 3);
}

#[tokio::test]
async fn test_credentials_are_only_used_for_tools_of_the_same_authentication_type() {
    let fixture = fixture().await;
    let kinds = [
        ("none", Value::Null, None, None),
        ("basic", json!({"username": "u", "password": "p"}), Some("Basic dTpw"), None),
        ("api-key", json!({"key_value": "k"}), None, Some("k")),
    ];
    for (kind, credentials, authorization, key) in kinds {
        let id = fixture.create_tool(json!({"name": kind, "auth_type": kind, "auth_credentials": credentials})).await;
        assert_eq!(fixture.test_result(id, json!({})).await["success"], true, "{kind}");
        let received = fixture.upstream.last();
        assert_eq!((received.header("authorization"), received.header("x-api-key")), (authorization, key), "{kind}");
        assert_eq!(find_secret(format!("{received:?}").as_bytes(), "for-tests-only-123"), None);
    }
    // A tool of another type does not get the test credentials, even if it has no credentials.
    let id = fixture.create_tool(json!({"name": "bare", "auth_type": "basic"})).await;
    let result = fixture.test_result(id, json!({})).await;
    assert_eq!((&result["success"], &result["status_code"]), (&json!(false), &json!(0)), "{result}");
    assert_eq!(fixture.upstream.request_count(), 3);
}
