//! The credentials that a server sets aside for test runs.

use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::{Answer, Upstream};

use super::setup::Stage;

/// A server whose test credentials are a bearer token.
async fn stage() -> Stage {
    let stage = Stage::new(Upstream::answering(|_| Answer::text("ok"))).await;
    let test = json!({"auth_type": "bearer", "auth_credentials": {"token": "for-tests-only-123"}});
    set(&stage, test).await;
    stage
}

async fn set(stage: &Stage, test_credentials: Value) {
    let settings = json!({"settings": {"test_credentials": test_credentials}});
    let reply = stage.api.patch(&stage.path("")).json(settings).send().await.expect(200);
    assert_eq!(find_secret(&reply.body, "for-tests-only-123"), None, "{reply:?}");
}

#[tokio::test]
async fn they_take_the_place_of_the_tools_own_in_test_runs_only() {
    let stage = stage().await;
    let own = json!({"auth_type": "bearer", "auth_credentials": {"token": "own"}});
    let id = stage.tool(own).await;
    let tested = stage.test_reply(id, json!({"debug": true})).await.expect(200);
    assert_eq!(find_secret(&tested.body, "for-tests-only-123"), None, "{tested:?}");
    assert_eq!(stage.upstream.last().header("authorization"), Some("Bearer for-tests-only-123"));
    stage.caller().text("tool", json!({})).await;
    assert_eq!(stage.upstream.last().header("authorization"), Some("Bearer own"));
    // They also serve a tool that has none of its own yet.
    stage.update(id, json!({"auth_credentials": null})).await;
    assert_eq!(stage.test(id, json!({})).await["success"], true);
    assert_eq!(stage.upstream.last().header("authorization"), Some("Bearer for-tests-only-123"));
    set(&stage, Value::Null).await;
    assert_eq!(stage.test(id, json!({})).await["success"], false);
    assert_eq!(stage.upstream.hits(), 3);
}

#[tokio::test]
async fn they_go_only_to_tools_of_their_kind() {
    let stage = stage().await;
    let kinds = [
        ("none", Value::Null, None, None),
        ("basic", json!({"username": "u", "password": "p"}), Some("Basic dTpw"), None),
        ("api-key", json!({"key_value": "k"}), None, Some("k")),
    ];
    for (kind, credentials, authorization, key) in kinds {
        let id = stage.tool(json!({"name": kind, "auth_type": kind, "auth_credentials": credentials})).await;
        assert_eq!(stage.test(id, json!({})).await["success"], true, "{kind}");
        let seen = stage.upstream.last();
        assert_eq!((seen.header("authorization"), seen.header("x-api-key")), (authorization, key), "{kind}");
        assert_eq!(find_secret(format!("{seen:?}").as_bytes(), "for-tests-only-123"), None);
    }
    // Another kind without a credential of its own stays without one.
    let id = stage.tool(json!({"name": "bare", "auth_type": "basic"})).await;
    let result = stage.test(id, json!({})).await;
    assert_eq!((&result["success"], &result["status_code"]), (&json!(false), &json!(0)), "{result}");
    assert_eq!(stage.upstream.hits(), 3);
}
