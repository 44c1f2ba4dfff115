//! Capture of arguments and responses: off unless the server's settings enable it.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, MockResponse, Upstream};

use super::fixture::ServerFixture;

on_both_databases!(
    nothing_is_captured_unless_capture_is_enabled,
    only_failures_are_captured_in_mode_failures,
    every_call_is_captured_in_mode_all,
    captured_texts_are_truncated_to_the_limit,
    a_refused_call_is_captured_with_its_error,
    refused_and_accepted_tokens_are_both_masked,
);

/// The captured arguments and response of the last call.
async fn last_captured(fixture: &ApiFixture) -> (Value, Value) {
    let call = &fixture.api.read("/calls?per_page=1").await[0];
    let detail = fixture.api.read(&format!("/calls/{}", id(call))).await;
    assert_eq!(call["captured"], !detail["arguments"].is_null(), "{detail}");
    (detail["arguments"].clone(), detail["response"].clone())
}

async fn set_settings(fixture: &ApiFixture, server: &ServerFixture, settings: Value) {
    fixture.api.patch(&format!("/servers/{}", server.id)).json(json!({"settings": settings})).send().await.expect(200);
}

async fn nothing_is_captured_unless_capture_is_enabled(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    for settings in [json!({"description": "d"}), json!({"capture": "off"}), json!({"capture_max_bytes": 9})] {
        set_settings(fixture, &server, settings).await;
        for tool in ["good", "bad"] {
            server.call("cursor", tool, 1).await;
            assert_eq!(last_captured(fixture).await, (Value::Null, Value::Null), "{tool}");
        }
    }
}

async fn only_failures_are_captured_in_mode_failures(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    set_settings(fixture, &server, json!({"capture": "failures"})).await;
    server.call("cursor", "good", 1).await;
    assert_eq!(last_captured(fixture).await, (Value::Null, Value::Null));
    server.caller("cursor").call("bad", json!({"a": [1.50]})).await;
    let failed = (json!(r#"{"a":[1.5]}"#), json!("Upstream returned HTTP 500 Internal Server Error"));
    assert_eq!(last_captured(fixture).await, failed);
    // A change takes effect with the next call.
    set_settings(fixture, &server, json!({"capture": null})).await;
    server.call("cursor", "bad", 1).await;
    assert_eq!(last_captured(fixture).await, (Value::Null, Value::Null));
}

async fn every_call_is_captured_in_mode_all(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    set_settings(fixture, &server, json!({"capture": "all"})).await;
    server.caller("cursor").call("good", json!({"q": "é"})).await;
    assert_eq!(last_captured(fixture).await, (json!(r#"{"q":"é"}"#), json!("hello")));
    server.caller("cursor").call("bad", json!({})).await;
    assert_eq!(last_captured(fixture).await.0, "{}");
    server.caller("cursor").send("tools/call", json!({"name": "good"})).await.expect(200);
    assert_eq!(last_captured(fixture).await, (json!("{}"), json!("hello")));
}

async fn captured_texts_are_truncated_to_the_limit(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    set_settings(fixture, &server, json!({"capture": "all", "capture_max_bytes": 4})).await;
    server.caller("cursor").call("good", json!({"q": 1})).await;
    let truncated = |head: &str, bytes: usize| json!(format!("{head}… [truncated, {bytes} bytes in total]"));
    assert_eq!(last_captured(fixture).await, (truncated("{\"q\"", 7), truncated("hell", 5)));
}

async fn a_refused_call_is_captured_with_its_error(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    set_settings(fixture, &server, json!({"capture": "failures"})).await;
    let schema = json!({"type": "object", "properties": {"pin": {"type": "string", "x-secret": true}}});
    let fields = json!({"name": "strict", "endpoint_url": "http://127.0.0.1:9/", "input_schema": schema});
    fixture.api.create(&format!("/servers/{}/tools", server.id), fields).await;
    server.caller("cursor").call("strict", json!({"pin": 1234})).await;
    let (arguments, response) = last_captured(fixture).await;
    assert_eq!(arguments, r#"{"pin":"********"}"#);
    assert!(
        response.as_str().is_some_and(|text| text.starts_with("Invalid arguments for strict: 'pin'")),
        "{response}"
    );
    let call_refused = async |name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        let (_, error) = server.caller("cursor").error("tools/call", params).await;
        assert_eq!(error["code"], -32602);
        error["message"].clone()
    };
    let message = call_refused("good", json!([1])).await;
    assert_eq!(last_captured(fixture).await, (json!("[1]"), message));
    for arguments in [json!([{"pin": "1234"}]), json!(r#"{"pin":"1234"}"#)] {
        call_refused("strict", arguments).await;
        assert_eq!(
            last_captured(fixture).await,
            (json!("\"********\""), json!("********")),
            "arguments of the wrong type are masked completely"
        );
    }
}

async fn refused_and_accepted_tokens_are_both_masked(fixture: &ApiFixture) {
    let (server, ..) = ServerFixture::create_with_tools(&fixture.api, "Shop").await;
    set_settings(fixture, &server, json!({"capture": "all"})).await;
    let issued = AtomicUsize::new(0);
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/token" => {
            let number = issued.fetch_add(1, Ordering::Relaxed) + 1;
            MockResponse::json(json!({"access_token": format!("t0ken-{number}"), "expires_in": 3600}))
        }
        _ if request.header("authorization") == Some("Bearer t0ken-1") => MockResponse::status(401),
        _ => MockResponse::text("t0ken-1 is over, t0ken-2 is fine"),
    });
    let credentials = json!({"token_url": upstream.url("/token"), "client_id": "c", "client_secret": "s3cr3t"});
    let fields = json!({"name": "renewing", "endpoint_url": upstream.url("/api"), "auth_type": "oauth2",
        "auth_credentials": credentials});
    fixture.api.create(&format!("/servers/{}/tools", server.id), fields).await;
    server.caller("cursor").call("renewing", json!({})).await;
    assert_eq!(last_captured(fixture).await.1, "******** is over, ******** is fine");
}
