//! Values in the path or in a header: no argument can leave its path segment or header.

use serde_json::json;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{failure_message, schema, start};

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

#[tokio::test]
async fn a_value_in_the_path_stays_one_segment() {
    let fixture = fixture().await;
    let fields = json!({"endpoint_url": "/v1/{id}/end", "input_schema": schema(json!({"id": {}}))});
    fixture.create_tool(fields).await;
    let caller = fixture.caller();
    for (value, segment) in [
        ("a/b", "a%2Fb"),
        ("../../admin", "..%2F..%2Fadmin"),
        ("?x=1", "%3Fx%3D1"),
        ("#top", "%23top"),
        ("50%", "50%25"),
        ("%2e%2e", "%252e%252e"),
        ("..;", "..%3B"),
        ("...", "..."),
        ("a\\b", "a%5Cb"),
        ("a b+c", "a%20b%2Bc"),
        ("\u{e9}\u{1f600}", "%C3%A9%F0%9F%98%80"),
        ("aZ09-._~", "aZ09-._~"),
        ("{id}", "%7Bid%7D"),
        ("@evil.example:80", "%40evil.example%3A80"),
    ] {
        caller.text("tool", json!({"id": value})).await;
        assert_eq!(fixture.upstream.last().target, format!("/v1/{segment}/end"), "{value:?}");
    }
}

#[tokio::test]
async fn dot_segments_and_empty_values_are_refused_before_anything_is_sent() {
    let fixture = fixture().await;
    let fields = json!({"endpoint_url": "/v1/{id}/end", "input_schema": schema(json!({"id": {}}))});
    fixture.create_tool(fields).await;
    let caller = fixture.caller();
    for value in [
        json!(""),
        json!("."),
        json!(".."),
        json!("a\u{0}b"),
        json!("a\r\nb"),
        json!("\u{7f}"),
        json!({"a": 1}),
        json!([["a"]]),
        json!(null),
    ] {
        let result = caller.call("tool", json!({"id": value})).await;
        let text = failure_message(&result);
        assert!(text.contains("\"id\"") && text.contains("it is part of the address"), "{value}: {text}");
    }
    assert!(failure_message(&caller.call("tool", json!({})).await).contains("\"id\" is required"));
    assert_eq!(fixture.upstream.connections().opened, 0);
}

#[tokio::test]
async fn a_value_in_a_header_cannot_add_another_header() {
    let fixture = fixture().await;
    let mapping = json!({"h": {"location": "header", "name": "X-Arg"}});
    let fields = json!({"headers": {"X-Arg": "constant"}, "parameter_mapping": mapping,
        "input_schema": schema(json!({"h": {}}))});
    fixture.create_tool(fields).await;
    let caller = fixture.caller();
    for (value, sent) in [
        (json!("plain, \"quoted\""), "plain, \"quoted\""),
        (json!(true), "true"),
        (json!(["a", 1]), "a,1"),
        (json!({"a": 1}), "{\"a\":1}"),
        (json!(null), "constant"),
    ] {
        caller.text("tool", json!({"h": value})).await;
        assert_eq!(fixture.upstream.last().header("x-arg"), Some(sent), "{value}");
    }
    let hits = fixture.upstream.request_count();
    for value in ["a\r\nX-Evil: 1", "a\nb", "a\u{0}", "\u{7f}", "tab\t"] {
        let result = caller.call("tool", json!({"h": value})).await;
        assert!(failure_message(&result).contains("\"h\" must not contain line breaks"), "{value:?}: {result}");
    }
    assert_eq!(fixture.upstream.request_count(), hits);
}

#[tokio::test]
async fn arguments_cannot_be_mapped_to_framing_or_credential_headers() {
    let fixture = fixture().await;
    for name in [
        "Host",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Upgrade",
        "TE",
        "Trailer",
        "Cookie",
        "Authorization",
        "Proxy-Authorization",
    ] {
        let fields = json!({"name": "t", "endpoint_url": fixture.upstream.url("/"),
            "parameter_mapping": {"h": {"location": "header", "name": name}}});
        let reply = fixture.api.post(&fixture.path("/tools")).json(fields).send().await.expect(400);
        assert_eq!(reply.json()["code"], "rest_invalid_param", "{name}: {reply:?}");
    }
}
