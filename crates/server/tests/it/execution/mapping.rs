//! Where arguments are sent, as the upstream receives them.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{assert_failed, call_with_raw_arguments, failure_message, schema, start};

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[tokio::test]
async fn arguments_are_sent_where_the_mapping_says() {
    let fixture = fixture().await;
    fixture
        .create_tool(json!({
            "endpoint_url": "/users/{user}/notes?fixed=1",
            "http_method": "POST",
            "input_schema": schema(json!({"id": {}, "q": {}, "text": {}, "trace": {}, "other": {}})),
            "parameter_mapping": {
                "id": {"location": "path", "name": "user"},
                "q": {"location": "query", "name": "search"},
                "text": {"location": "body", "name": "Note"},
                "trace": {"location": "headers", "name": "X-Trace"},
            },
        }))
        .await;
    let arguments = json!({"id": "a b", "q": "c d", "text": [5], "trace": "t-1", "other": null});
    assert_eq!(fixture.caller().text("tool", arguments).await, "ok");
    let received = fixture.upstream.last();
    assert_eq!(
        (received.method.as_str(), received.target.as_str()),
        ("POST", "/users/a%20b/notes?fixed=1&search=c%20d")
    );
    assert_eq!(received.header("x-trace"), Some("t-1"));
    assert_eq!(received.text(), r#"{"Note":[5],"other":null}"#);
    assert_eq!(received.header("content-type"), Some("application/json"));
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn the_url_and_the_method_decide_where_unmapped_arguments_are_sent() {
    let fixture = fixture().await;
    for method in ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH", "QUERY"] {
        let input_schema = schema(json!({"id": {"type": "integer"}, "a": {"type": "string"}}));
        let fields = json!({"name": method, "endpoint_url": "/things/{id}", "http_method": method,
            "input_schema": input_schema});
        fixture.create_tool(fields).await;
        fixture.caller().text(method, json!({"id": 7, "a": "x"})).await;
        let received = fixture.upstream.last();
        assert_eq!((received.method.as_str(), received.path()), (method, "/things/7"));
        if ["POST", "PUT", "PATCH", "QUERY"].contains(&method) {
            assert_eq!((received.query(), received.json()), (None, json!({"a": "x"})), "{method}");
        } else {
            assert_eq!((received.query(), received.text().as_str()), (Some("a=x"), ""), "{method}");
            assert_eq!(received.header("content-type"), None, "{method}");
        }
    }
}

#[tokio::test]
async fn values_in_the_query_arrive_unchanged() {
    let fixture = fixture().await;
    let input_schema = schema(json!({"q": {}, "many": {}, "where": {}, "on": {}, "off": {}, "none": {}}));
    fixture.create_tool(json!({"endpoint_url": "/find?q=old&keep=%26", "input_schema": input_schema})).await;
    let arguments = json!({"q": "a&b=c+d%20ü?#/\u{1f600}", "many": ["x", 1, null, "y z"], "where": {"a": [1, "&"]},
        "on": true, "off": false, "none": null});
    fixture.caller().text("tool", arguments).await;
    let expected = pairs(&[
        ("keep", "&"),
        ("q", "a&b=c+d%20ü?#/\u{1f600}"),
        ("many", "x"),
        ("many", "1"),
        ("many", "y z"),
        ("where", r#"{"a":[1,"&"]}"#),
        ("on", "true"),
        ("off", "false"),
    ]);
    let mut received = fixture.upstream.last().query_pairs();
    // JSON objects have no order, so neither have the parameters.
    received.sort();
    let mut expected = expected;
    expected.sort();
    assert_eq!(received, expected);
}

#[tokio::test]
async fn numbers_are_sent_with_every_digit() {
    let fixture = fixture().await;
    let input_schema = schema(json!({"id": {"type": "integer"}, "n": {"type": "number"}, "b": {}}));
    let mapping = json!({"id": {"location": "query"}, "n": {"location": "header", "name": "X-N"}});
    fixture
        .create_tool(json!({"http_method": "POST", "input_schema": input_schema, "parameter_mapping": mapping}))
        .await;
    let arguments = r#"{"id":123456789012345678901234567890,"n":1.10,"b":{"big":9007199254740993}}"#;
    let result = call_with_raw_arguments(&fixture.caller(), arguments).await;
    assert_eq!(result["content"][0]["text"], "ok", "{result}");
    let received = fixture.upstream.last();
    assert_eq!(received.query(), Some("id=123456789012345678901234567890"));
    assert_eq!(received.header("x-n"), Some("1.10"));
    assert_eq!(received.text(), r#"{"b":{"big":9007199254740993}}"#);
}

#[tokio::test]
async fn undeclared_arguments_are_forwarded_only_if_the_schema_allows_them() {
    let fixture = fixture().await;
    let cases: [(&str, Value, Option<&str>); 4] = [
        ("silent", Value::Null, None),
        ("open", json!(true), Some("2")),
        ("typed", json!({"type": "integer"}), Some("2")),
        ("closed", json!(false), None),
    ];
    for (name, additional, forwarded) in cases {
        let mut input_schema = schema(json!({"a": {"type": "integer"}}));
        if !additional.is_null() {
            input_schema["additionalProperties"] = additional;
        }
        fixture
            .create_tool(json!({"name": name, "endpoint_url": format!("/{name}"), "input_schema": input_schema}))
            .await;
        let result = fixture.caller().call(name, json!({"a": 1, "extra": 2})).await;
        if name == "closed" {
            assert!(failure_message(&result).contains("\"extra\" is not an argument of closed"), "{result}");
            assert_eq!(fixture.upstream.request_count_for("/closed"), 0);
            continue;
        }
        let received = fixture.upstream.last();
        let extra = received.query_pairs().into_iter().find(|(name, _)| name == "extra").map(|(_, value)| value);
        assert_eq!((received.path(), extra.as_deref()), (format!("/{name}").as_str(), forwarded));
    }
}

#[tokio::test]
async fn defaults_are_filled_in_after_validation() {
    let fixture = fixture().await;
    let properties = json!({
        "limit": {"type": "integer", "maximum": 5, "default": 10},
        "id": {"type": "integer", "default": 12_345_678_901_234_567_890_u64},
        "page": {"type": "integer", "default": 1},
        "none": {"default": null},
    });
    let input_schema = json!({"type": "object", "properties": properties, "required": ["page"]});
    fixture.create_tool(json!({"input_schema": input_schema})).await;
    let caller = fixture.caller();
    caller.text("tool", json!({"page": 3})).await;
    let mut received = fixture.upstream.last().query_pairs();
    received.sort();
    assert_eq!(received, pairs(&[("id", "12345678901234567890"), ("limit", "10"), ("page", "3")]));
    // The client's arguments are validated, and a default does not replace a required argument.
    for wrong in [json!({"page": 1, "limit": 10}), json!({})] {
        assert_failed(&caller.call("tool", wrong).await);
    }
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn invalid_arguments_are_named_and_not_sent() {
    let fixture = fixture().await;
    let properties = json!({"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["c", "f"]}});
    let input_schema = json!({"type": "object", "properties": properties, "required": ["city"]});
    fixture.create_tool(json!({"input_schema": input_schema})).await;
    let result = fixture.caller().call("tool", json!({"days": "late", "unit": "k"})).await;
    let text = failure_message(&result);
    for part in ["\"city\" is missing", "\"days\" must be an integer, not \"late\"", "\"unit\" cannot be \"k\""] {
        assert!(text.contains(part), "{part:?} is missing: {text}");
    }
    assert_eq!(fixture.upstream.request_count(), 0);
}

#[tokio::test]
async fn styles_cookies_and_whole_bodies_reach_the_upstream() {
    let fixture = fixture().await;
    fixture
        .create_tool(json!({
            "name": "styled",
            "endpoint_url": "/items/{ids}",
            "http_method": "POST",
            "headers": {"Cookie": "session=1"},
            "input_schema": schema(json!({"ids": {}, "filter": {}, "tags": {}, "trace": {}, "theme": {}, "body": {}})),
            "parameter_mapping": {
                "ids": {"location": "path", "style": "label", "explode": true},
                "filter": {"location": "query", "style": "deepObject"},
                "tags": {"location": "query", "explode": false},
                "trace": {"location": "header", "name": "X-Trace", "style": "simple", "explode": true},
                "theme": {"location": "cookie"},
                "body": {"location": "body", "whole": true},
            },
        }))
        .await;
    let arguments = json!({"ids": [1, 2], "filter": {"a": {"b": "x y"}}, "tags": ["p", "q"], "trace": {"k": 1},
        "theme": "d;k", "body": [1, null]});
    fixture.caller().text("styled", arguments).await;
    let received = fixture.upstream.last();
    assert_eq!(received.target, "/items/.1.2?filter%5Ba%5D%5Bb%5D=x%20y&tags=p,q");
    assert_eq!(received.header("x-trace"), Some("k=1"));
    assert_eq!(received.header("cookie"), Some("session=1; theme=d%3Bk"));
    assert_eq!(received.text(), "[1,null]");
    fixture.caller().text("styled", json!({"ids": ["a"]})).await;
    let received = fixture.upstream.last();
    assert_eq!(
        (received.target.as_str(), received.text().as_str()),
        ("/items/.a", ""),
        "absent arguments are not sent"
    );
    assert_eq!(received.header("content-type"), None);
}
