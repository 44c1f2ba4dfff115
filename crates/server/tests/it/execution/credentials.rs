//! Credentials of a tool on their way to its upstream, in each of their forms.

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Postgres, Upstream};

use super::setup::{Stage, created, failure, schema, service};

async fn stage() -> Stage {
    Stage::new(Upstream::answering(|_| Answer::text("ok"))).await
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn with(auth_type: &str, credentials: Value) -> Value {
    json!({"auth_type": auth_type, "auth_credentials": credentials})
}

#[tokio::test]
async fn each_kind_of_credential_is_sent_in_its_place() {
    let stage = stage().await;
    let id = stage.tool(json!({"headers": {"Authorization": "Static overridden"}})).await;
    let cases = [
        (with("bearer", json!({"token": "t-1"})), "authorization", "Bearer t-1"),
        // echo -n 'user:p:w ü' | base64
        (
            with("basic", json!({"username": "user", "password": "p:w \u{fc}"})),
            "authorization",
            "Basic dXNlcjpwOncgw7w=",
        ),
        // echo -n ':TOKEN' | base64
        (with("basic", json!({"username": "", "password": "TOKEN"})), "authorization", "Basic OlRPS0VO"),
        (with("api-key", json!({"key_value": "k-1"})), "x-api-key", "k-1"),
        (with("api-key", json!({"key_name": "X-Other", "key_value": "k-2"})), "x-other", "k-2"),
        (
            with("api-key", json!({"key_name": "Authorization", "key_value": "ApiKey k-3"})),
            "authorization",
            "ApiKey k-3",
        ),
    ];
    for (auth, header, value) in cases {
        stage.update(id, auth.clone()).await;
        assert_eq!(stage.caller().text("tool", json!({})).await, "ok");
        let seen = stage.upstream.last();
        assert_eq!(seen.header(header), Some(value), "{auth}");
        assert_eq!(seen.query(), None);
    }
}

#[tokio::test]
async fn a_key_in_the_query_replaces_what_stands_there() {
    let stage = stage().await;
    let fields = json!({
        "endpoint_url": "/find?api_key=old&a=1&api%5Fkey=older&{name}=x",
        "input_schema": schema(json!({"api_key": {}, "name": {}})),
        "auth_type": "api-key",
        "auth_credentials": {"key_value": "k&1 +", "key_location": "query"},
    });
    stage.tool(fields).await;
    // Neither the literal query, nor an argument, nor a placeholder that comes out as the name adds a second one.
    for arguments in [json!({"name": "n"}), json!({"name": "n", "api_key": "theirs"}), json!({"name": "api_key"})] {
        stage.caller().text("tool", arguments.clone()).await;
        let pairs = stage.upstream.last().query_pairs();
        let keys: Vec<&str> =
            pairs.iter().filter(|(name, _)| name == "api_key").map(|(_, value)| value.as_str()).collect();
        assert_eq!(keys, ["k&1 +"], "{arguments}: {pairs:?}");
        assert!(pairs.contains(&("a".to_owned(), "1".to_owned())), "{pairs:?}");
    }
}

#[tokio::test]
async fn an_argument_cannot_take_the_place_of_the_credential() {
    let stage = stage().await;
    let fields = json!({
        "input_schema": schema(json!({"h": {}})),
        "parameter_mapping": {"h": {"location": "header", "name": "X-API-Key"}},
        "auth_type": "api-key",
        "auth_credentials": {"key_value": "ours"},
    });
    stage.tool(fields).await;
    stage.caller().text("tool", json!({"h": "theirs"})).await;
    assert_eq!(stage.upstream.last().header("x-api-key"), Some("ours"));
}

#[tokio::test]
async fn without_its_credential_nothing_is_sent() {
    let stage = stage().await;
    for kind in ["bearer", "basic", "api-key", "oauth2"] {
        let id = stage.tool(json!({"name": kind, "auth_type": kind})).await;
        let result = stage.caller().call(kind, json!({})).await;
        assert!(failure(&result).starts_with("Credential unavailable"), "{result}");
        let tested = stage.test(id, json!({})).await;
        assert_eq!((&tested["success"], &tested["status_code"]), (&json!(false), &json!(0)), "{tested}");
    }
    assert_eq!(stage.upstream.connections().opened, 0);
}

#[tokio::test]
async fn a_credential_that_is_taken_away_or_changed_is_so_at_once() {
    let stage = stage().await;
    let id = stage.tool(with("bearer", json!({"token": "first"}))).await;
    let caller = stage.caller();
    caller.text("tool", json!({})).await;
    assert_eq!(stage.upstream.last().header("authorization"), Some("Bearer first"));
    stage.update(id, json!({"auth_credentials": {"token": "second"}})).await;
    caller.text("tool", json!({})).await;
    assert_eq!(stage.upstream.last().header("authorization"), Some("Bearer second"));
    stage.update(id, json!({"auth_credentials": null})).await;
    failure(&caller.call("tool", json!({})).await);
    assert_eq!(stage.upstream.hits(), 2);
    stage.update(id, json!({"auth_type": "none"})).await;
    caller.text("tool", json!({})).await;
    assert_eq!(stage.upstream.last().header("authorization"), None);
}

/// Spoils the last byte of every sealed secret of this kind.
const SPOIL: &str = "update secrets set sealed = set_byte(sealed, length(sealed) - 1, \
    get_byte(sealed, length(sealed) - 1) # 1) where kind = ";

#[tokio::test]
async fn a_credential_that_cannot_be_opened_is_not_replaced_and_nothing_is_sent() {
    let Some(database) = Postgres::fresh_database() else { return };
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let mut stage = Stage::of(service().postgres(database.url()), upstream, json!({})).await;
    let bearer = with("bearer", json!({"token": "own"}));
    let mut header = with("none", Value::Null);
    (header["name"], header["headers"]) = (json!("header"), json!({"Cookie": "sid=1"}));
    let ids = [stage.tool(bearer.clone()).await, stage.tool(header).await];
    let mut config = bearer.clone();
    config["url"] = stage.upstream.url("/").into();
    let resource = json!({"name": "r", "uri": "r://r", "data_source_type": "url", "data_source_config": config});
    created(&stage.api, &stage.path("/resources"), resource).await;
    for kind in ["'tool'", "'resource'"] {
        database.psql(&format!("{SPOIL}{kind}"));
    }
    stage.app.restart();
    stage.api = stage.app.client();
    stage.server = stage.api.get(&stage.path("")).send().await.expect(200).json();
    for (name, id) in ["tool", "header"].into_iter().zip(ids) {
        let result = stage.caller().call(name, json!({})).await;
        assert!(failure(&result).starts_with("Credential unavailable"), "{name}: {result}");
        assert_eq!(stage.test(id, json!({})).await["reason"], "bad_credential", "{name}");
    }
    let (_, error) = stage.caller().error("resources/read", json!({"uri": "r://r"})).await;
    assert!(error["message"].as_str().unwrap().contains("Credential unavailable"), "{error}");
    assert_eq!(stage.upstream.connections().opened, 0);
}

#[tokio::test]
async fn test_credentials_that_cannot_be_opened_are_not_replaced_by_the_tools_own() {
    let Some(database) = Postgres::fresh_database() else { return };
    let settings = json!({"settings": {"test_credentials": with("bearer", json!({"token": "for-tests"}))}});
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let stage = Stage::of(service().postgres(database.url()), upstream, settings).await;
    let id = stage.tool(with("bearer", json!({"token": "own"}))).await;
    let without = stage.tool(json!({"name": "without"})).await;
    database.psql(&format!("{SPOIL}'server'"));
    assert_eq!(stage.test(id, json!({})).await["reason"], "bad_credential");
    assert_eq!(stage.upstream.hits(), 0);
    assert_eq!(stage.test(without, json!({})).await["success"], true, "it needs none");
}
