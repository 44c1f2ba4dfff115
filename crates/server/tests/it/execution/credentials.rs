//! Credentials of a tool in its upstream requests, for each authentication type.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, Postgres, ServiceFixture, Upstream};

use super::setup::{assert_failed, failure_message, schema, start};
use crate::toolgate;

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn auth_fields(auth_type: &str, credentials: Value) -> Value {
    json!({"auth_type": auth_type, "auth_credentials": credentials})
}

#[tokio::test]
async fn each_type_of_credential_is_sent_in_its_header() {
    let fixture = fixture().await;
    let id = fixture.create_tool(json!({"headers": {"Authorization": "Static overridden"}})).await;
    let cases = [
        (auth_fields("bearer", json!({"token": "t-1"})), "authorization", "Bearer t-1"),
        // echo -n 'user:p:w ü' | base64
        (
            auth_fields("basic", json!({"username": "user", "password": "p:w \u{fc}"})),
            "authorization",
            "Basic dXNlcjpwOncgw7w=",
        ),
        // echo -n ':TOKEN' | base64
        (auth_fields("basic", json!({"username": "", "password": "TOKEN"})), "authorization", "Basic OlRPS0VO"),
        (auth_fields("api-key", json!({"key_value": "k-1"})), "x-api-key", "k-1"),
        (auth_fields("api-key", json!({"key_name": "X-Other", "key_value": "k-2"})), "x-other", "k-2"),
        (
            auth_fields("api-key", json!({"key_name": "Authorization", "key_value": "ApiKey k-3"})),
            "authorization",
            "ApiKey k-3",
        ),
    ];
    for (auth, header, value) in cases {
        fixture.update_tool(id, auth.clone()).await;
        assert_eq!(fixture.caller().text("tool", json!({})).await, "ok");
        let received = fixture.upstream.last();
        assert_eq!(received.header(header), Some(value), "{auth}");
        assert_eq!(received.query(), None);
    }
}

#[tokio::test]
async fn an_api_key_in_the_query_replaces_parameters_of_the_same_name() {
    let fixture = fixture().await;
    let fields = json!({
        "endpoint_url": "/find?api_key=old&a=1&api%5Fkey=older&{name}=x",
        "input_schema": schema(json!({"api_key": {}, "name": {}})),
        "auth_type": "api-key",
        "auth_credentials": {"key_value": "k&1 +", "key_location": "query"},
    });
    fixture.create_tool(fields).await;
    // Neither the literal query, nor an argument, nor a placeholder that expands to the name adds a second key.
    for arguments in [json!({"name": "n"}), json!({"name": "n", "api_key": "theirs"}), json!({"name": "api_key"})] {
        fixture.caller().text("tool", arguments.clone()).await;
        let pairs = fixture.upstream.last().query_pairs();
        let keys: Vec<&str> =
            pairs.iter().filter(|(name, _)| name == "api_key").map(|(_, value)| value.as_str()).collect();
        assert_eq!(keys, ["k&1 +"], "{arguments}: {pairs:?}");
        assert!(pairs.contains(&("a".to_owned(), "1".to_owned())), "{pairs:?}");
    }
}

#[tokio::test]
async fn an_argument_cannot_replace_the_credential() {
    let fixture = fixture().await;
    let fields = json!({
        "input_schema": schema(json!({"h": {}})),
        "parameter_mapping": {"h": {"location": "header", "name": "X-API-Key"}},
        "auth_type": "api-key",
        "auth_credentials": {"key_value": "ours"},
    });
    fixture.create_tool(fields).await;
    fixture.caller().text("tool", json!({"h": "theirs"})).await;
    assert_eq!(fixture.upstream.last().header("x-api-key"), Some("ours"));
}

#[tokio::test]
async fn a_tool_without_its_credential_sends_nothing() {
    let fixture = fixture().await;
    for kind in ["bearer", "basic", "api-key", "oauth2"] {
        let id = fixture.create_tool(json!({"name": kind, "auth_type": kind})).await;
        let result = fixture.caller().call(kind, json!({})).await;
        assert!(failure_message(&result).starts_with("Credential unavailable"), "{result}");
        let tested = fixture.test_result(id, json!({})).await;
        assert_eq!((&tested["success"], &tested["status_code"]), (&json!(false), &json!(0)), "{tested}");
    }
    assert_eq!(fixture.upstream.connections().opened, 0);
}

#[tokio::test]
async fn a_changed_or_removed_credential_takes_effect_immediately() {
    let fixture = fixture().await;
    let id = fixture.create_tool(auth_fields("bearer", json!({"token": "first"}))).await;
    let caller = fixture.caller();
    caller.text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer first"));
    fixture.update_tool(id, json!({"auth_credentials": {"token": "second"}})).await;
    caller.text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer second"));
    fixture.update_tool(id, json!({"auth_credentials": null})).await;
    caller.text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().header("authorization"), Some("Bearer second"));
    fixture.update_tool(id, json!({"auth_credentials": {}})).await;
    assert_failed(&caller.call("tool", json!({})).await);
    assert_eq!(fixture.upstream.request_count(), 3);
    fixture.update_tool(id, json!({"auth_type": "none"})).await;
    caller.text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().header("authorization"), None);
}

/// SQL that corrupts the last byte of every encrypted secret of a kind; the kind must be appended.
const CORRUPT_SQL: &str = "update secrets set sealed = set_byte(sealed, length(sealed) - 1, \
    get_byte(sealed, length(sealed) - 1) # 1) where kind = ";

#[tokio::test]
async fn a_request_whose_credential_cannot_be_decrypted_is_not_sent() {
    let Some(database) = Postgres::fresh_database() else { return };
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let mut fixture = ServiceFixture::start(toolgate().postgres(database.url()), upstream, json!({})).await;
    let bearer = auth_fields("bearer", json!({"token": "own"}));
    let mut header = auth_fields("none", Value::Null);
    (header["name"], header["headers"]) = (json!("header"), json!({"Cookie": "sid=1"}));
    let ids = [fixture.create_tool(bearer.clone()).await, fixture.create_tool(header).await];
    let mut config = bearer.clone();
    config["url"] = fixture.upstream.url("/").into();
    let resource = json!({"name": "r", "uri": "r://r", "data_source_type": "url", "data_source_config": config});
    fixture.api.create(&fixture.path("/resources"), resource).await;
    for kind in ["'tool'", "'resource'"] {
        database.psql(&format!("{CORRUPT_SQL}{kind}"));
    }
    fixture.app.restart();
    fixture.api = fixture.app.client();
    fixture.server = fixture.api.get(&fixture.path("")).send().await.expect(200).json();
    for (name, id) in ["tool", "header"].into_iter().zip(ids) {
        let result = fixture.caller().call(name, json!({})).await;
        assert!(failure_message(&result).starts_with("Credential unavailable"), "{name}: {result}");
        assert_eq!(fixture.test_result(id, json!({})).await["reason"], "bad_credential", "{name}");
    }
    let (_, error) = fixture.caller().error("resources/read", json!({"uri": "r://r"})).await;
    assert!(error["message"].as_str().unwrap().contains("Credential unavailable"), "{error}");
    assert_eq!(fixture.upstream.connections().opened, 0);
}

#[tokio::test]
async fn test_credentials_that_cannot_be_decrypted_are_not_replaced_by_those_of_the_tool() {
    let Some(database) = Postgres::fresh_database() else { return };
    let settings = json!({"settings": {"test_credentials": auth_fields("bearer", json!({"token": "for-tests"}))}});
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = ServiceFixture::start(toolgate().postgres(database.url()), upstream, settings).await;
    let id = fixture.create_tool(auth_fields("bearer", json!({"token": "own"}))).await;
    let without_auth = fixture.create_tool(json!({"name": "without"})).await;
    database.psql(&format!("{CORRUPT_SQL}'server'"));
    assert_eq!(fixture.test_result(id, json!({})).await["reason"], "bad_credential");
    assert_eq!(fixture.upstream.request_count(), 0);
    assert_eq!(
        fixture.test_result(without_auth, json!({})).await["success"],
        true,
        "a tool without authentication needs no credential"
    );
}
