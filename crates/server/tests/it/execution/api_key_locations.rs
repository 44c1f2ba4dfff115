//! API keys in the path, in cookies, and several keys at once.

use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, schema, start};
use crate::toolgate;

/// A key with characters that must be encoded in a path.
const KEY: &str = "12:a/../b?c#d%2e é";
const ENCODED_KEY: &str = "12%3Aa%2F..%2Fb%3Fc%23d%252e%20%C3%A9";

fn path_key(value: &str) -> Value {
    json!({"key_name": "token", "key_value": value, "key_location": "path"})
}

fn fields(credentials: &Value) -> Value {
    json!({"endpoint_url": "/bot{token}/send/{id}", "auth_type": "api-key", "auth_credentials": credentials,
        "input_schema": schema(json!({"id": {}}))})
}

#[tokio::test]
async fn a_key_in_the_path_is_encoded_and_masked() {
    let upstream = Upstream::with_handler(|request| match request.target.as_str() {
        target if target.ends_with("/moved") => {
            MockResponse::status(302).header("location", &target.replace("/moved", "/arrived"))
        }
        target if target.ends_with("/made") => MockResponse::status(201).header("location", target),
        target if target.ends_with("/missing") => MockResponse::status(404).body(format!("no {target}")),
        target => MockResponse::text(target.to_owned()),
    });
    let trace = "trace,hyper=trace,hyper_util=trace,h2=trace,sqlx=trace,tower=trace";
    let settings = json!({"settings": {"capture": "all"}});
    let fixture = ServiceFixture::start(toolgate().env("TOOLGATE_LOG", trace), upstream, settings).await;
    let id = fixture.create_tool(fields(&path_key(KEY))).await;
    let target = |last: &str| format!("/bot{ENCODED_KEY}/send/{last}");
    for last in ["x", "moved", "made", "missing"] {
        // The key cannot be replaced by an argument of its name.
        fixture.caller().call("tool", json!({"id": last, "token": "mine"})).await;
        let arrived = if last == "moved" { "arrived" } else { last };
        assert_eq!(fixture.upstream.last().target, target(arrived));
        let call = fixture.api.read("/calls?per_page=1").await[0]["id"].clone();
        let captured = fixture.api.read(&format!("/calls/{call}")).await;
        assert!(captured["response"].is_string(), "{captured}");
        assert_eq!(find_secret(captured.to_string().as_bytes(), KEY), None, "{captured}");
        let tested = fixture.test_reply(id, json!({"arguments": {"id": last}, "debug": true})).await.expect(200).json();
        assert_eq!(tested["request"]["url"], fixture.upstream.url(&format!("/bot********/send/{last}")), "{tested}");
        if last == "made" {
            assert_eq!(tested["raw"]["headers"]["location"], "/bot********/send/made", "{tested}");
        }
    }
    let read = fixture.api.read(&format!("/tools/{id}")).await;
    assert_eq!((&read["auth_credentials"], &read["auth_type"]), (&Value::Null, &json!("api-key")), "{read}");
    let logs = fixture.app.logs();
    let lines: Vec<&str> = logs.lines().filter(|line| find_secret(line.as_bytes(), KEY).is_some()).collect();
    assert_eq!(lines, [""; 0]);
}

#[tokio::test]
async fn all_keys_are_sent_and_none_is_shown() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let keys = json!({"keys": [
        {"key_value": "header-key-1"},
        {"key_name": "X-App", "key_value": "header-key-2", "key_location": "header"},
        {"key_name": "appid", "key_value": "query-key-3", "key_location": "query"},
        path_key("path-key-4"),
        {"key_name": "sid", "key_value": "cookie-key-5", "key_location": "cookie"},
    ]});
    let mut tool = fields(&keys);
    tool["headers"] = json!({"Cookie": "lang=en; sid=old"});
    let id = fixture.create_tool(tool).await;
    // An update without credentials keeps all keys.
    fixture.update_tool(id, json!({"timeout": 9, "endpoint_url": fixture.upstream.url("/v2/{token}/{id}")})).await;
    assert_eq!(fixture.caller().text("tool", json!({"id": 1})).await, "ok");
    let received = fixture.upstream.last();
    assert_eq!(received.target, "/v2/path-key-4/1?appid=query-key-3");
    assert_eq!(received.header("x-api-key"), Some("header-key-1"));
    assert_eq!(received.header("x-app"), Some("header-key-2"));
    assert_eq!(received.header("cookie"), Some("lang=en; sid=cookie-key-5"));
    let tested = fixture.test_reply(id, json!({"arguments": {"id": 1}, "debug": true})).await.expect(200);
    for key in ["header-key-1", "header-key-2", "query-key-3", "path-key-4", "cookie-key-5"] {
        assert_eq!(find_secret(&tested.body, key), None, "{tested:?}");
    }
    let request = &tested.json()["request"];
    assert_eq!(request["url"], fixture.upstream.url("/v2/********/1?appid=********"));
    for header in ["x-api-key", "x-app", "cookie"] {
        assert_eq!(request["headers"][header], "********", "{request}");
    }
}

#[tokio::test]
async fn a_key_in_the_path_must_fit_the_url_after_every_change() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let id = fixture.create_tool(fields(&path_key("k"))).await;
    let url = |path: &str| fixture.upstream.url(path);
    let create = |endpoint_url: &str, credentials: Value| json!({"name": "other", "endpoint_url": url(endpoint_url), "auth_type": "api-key", "auth_credentials": credentials});
    let update = format!("/tools/{id}");
    let tools = fixture.path("/tools");
    for (method, path, body, field) in [
        ("PATCH", &update, json!({"endpoint_url": url("/x/{id}")}), "endpoint_url"),
        ("PATCH", &update, json!({"endpoint_url": url("/{token}/{id}?t={token}")}), "endpoint_url"),
        ("PATCH", &update, json!({"input_schema": schema(json!({"token": {}}))}), "input_schema"),
        (
            "PATCH",
            &update,
            json!({"parameter_mapping": {"id": {"location": "path", "name": "token"}}}),
            "parameter_mapping",
        ),
        (
            "PATCH",
            &update,
            json!({"auth_credentials": {"key_name": "other", "key_value": "k", "key_location": "path"}}),
            "auth_credentials",
        ),
        ("POST", &tools, create("/x", path_key("k")), "auth_credentials"),
        ("POST", &tools, create("/?t={token}", path_key("k")), "auth_credentials"),
        ("POST", &tools, create("/{token}", path_key("..")), "auth_credentials"),
        ("POST", &tools, create("/{token}", json!({"keys": [path_key("k"), path_key("l")]})), "auth_credentials"),
        ("POST", &tools, create("/x", json!({"keys": []})), "auth_credentials"),
    ] {
        let reply = fixture.api.request(method.parse().unwrap(), path).json(body.clone()).send().await.expect(400);
        let params = reply.json()["data"]["params"].clone();
        assert_eq!(super::setup::keys(&params), [field], "{body}: {reply:?}");
    }
    assert_eq!(fixture.caller().text("tool", json!({"id": 1})).await, "ok");
    // A change of both together is valid.
    let credentials = json!({"key_name": "other", "key_value": "k2", "key_location": "path"});
    fixture.update_tool(id, json!({"endpoint_url": url("/{other}/{id}"), "auth_credentials": credentials})).await;
    fixture.caller().text("tool", json!({"id": 1})).await;
    assert_eq!(fixture.upstream.last().target, "/k2/1");
    // Without its credentials the tool is not called.
    fixture.update_tool(id, json!({"auth_credentials": {}})).await;
    let result = fixture.caller().call("tool", json!({"id": 1, "other": "mine"})).await;
    assert!(failure_message(&result).contains("Credential unavailable"), "{result}");
    assert_eq!(fixture.upstream.request_count(), 2);
}

#[tokio::test]
async fn test_credentials_must_fill_the_same_placeholders() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let id = fixture.create_tool(fields(&path_key("own"))).await;
    let set = async |credentials: Value| {
        let test = json!({"auth_type": "api-key", "auth_credentials": credentials});
        let settings = json!({"settings": {"test_credentials": test}});
        fixture.api.patch(&fixture.path("")).json(settings).send().await.expect(200);
    };
    set(path_key("for-tests")).await;
    assert_eq!(fixture.test_result(id, json!({"id": 1})).await["success"], true);
    assert_eq!(fixture.upstream.last().target, "/botfor-tests/send/1");
    set(json!({"key_value": "in-a-header"})).await;
    assert_eq!(fixture.test_result(id, json!({"id": 1})).await["reason"], "bad_credential");
    assert_eq!(fixture.upstream.request_count(), 1);
}
