//! Constants and parents of a `parameter_mapping`, as the upstream receives them.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, ServiceFixture, TestResponse, Upstream};

use super::setup::{schema, start};

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

async fn try_create(fixture: &ServiceFixture, mut fields: Value) -> TestResponse {
    fields["name"] = "refused".into();
    if fields["endpoint_url"].is_null() {
        fields["endpoint_url"] = fixture.upstream.url("/x").into();
    }
    fixture.api.post(&fixture.path("/tools")).json(fields).send().await
}

#[track_caller]
fn assert_refused(reply: &TestResponse, field: &str, part: &str) {
    assert_eq!(reply.status, 400, "{reply:?}");
    let param = field.split('[').next().unwrap();
    let body = reply.json();
    let message = body["data"]["params"][param].as_str().unwrap_or_default();
    assert!(message.starts_with(field) && message.contains(part), "{field}, {part}: {body}");
}

#[tokio::test]
async fn a_constant_is_sent_in_each_location_with_every_call() {
    let fixture = fixture().await;
    let cases = [
        ("path", json!("a/b ?"), "/c/a%2Fb%20%3F", None, ""),
        ("path", json!([1, true]), "/c/1%2Ctrue", None, ""),
        ("query", json!("x&y"), "/c/-?sent=x%26y", None, ""),
        ("query", json!(["x", 2]), "/c/-?sent=x&sent=2", None, ""),
        ("query", json!({"k": [1]}), "/c/-?sent=%7B%22k%22%3A%5B1%5D%7D", None, ""),
        ("header", json!("v 1"), "/c/-", Some("v 1"), ""),
        ("header", json!(["v", 1]), "/c/-", Some("v,1"), ""),
        ("body", json!({"k": [null, 1.5, "é"]}), "/c/-", None, r#"{"sent":{"k":[null,1.5,"é"]}}"#),
        ("body", Value::Null, "/c/-", None, r#"{"sent":null}"#),
    ];
    for (index, (location, value, target, header, body)) in cases.into_iter().enumerate() {
        let name = format!("c{index}");
        let endpoint_url = if location == "path" { "/c/{sent}" } else { "/c/-" };
        let mapping = json!({"fixed": {"location": location, "name": "sent", "value": value}});
        let fields =
            json!({"name": name, "endpoint_url": endpoint_url, "http_method": "POST", "parameter_mapping": mapping});
        let id = fixture.create_tool(fields).await;
        // The key of a constant is not an argument, so a value that a client sends for it is ignored.
        for arguments in [json!({}), json!({"fixed": "other"})] {
            fixture.caller().text(&name, arguments).await;
            let received = fixture.upstream.last();
            assert_eq!((received.target.as_str(), received.header("sent")), (target, header), "{location} {value}");
            assert_eq!(received.text(), body, "{location} {value}");
        }
        let request = fixture.test_reply(id, json!({"debug": true})).await.expect(200).json()["request"].clone();
        assert_eq!(request["url"], fixture.upstream.url(target), "{location} {value}");
        assert_eq!(request["body"], body, "{location} {value}");
        assert_eq!(request["headers"]["sent"].as_str(), header, "{location} {value}");
        let tool = fixture.api.read(&format!("/tools/{id}")).await;
        assert_eq!(tool["parameter_mapping"], mapping, "{location} {value}");
    }
}

#[tokio::test]
async fn arguments_and_constants_are_members_of_their_parent() {
    let fixture = fixture().await;
    let fields = json!({
        "endpoint_url": "/graphql", "http_method": "POST",
        "input_schema": schema(json!({"owner": {}, "first": {}, "trace": {}})),
        "parameter_mapping": {
            "query": {"location": "body", "value": "query($owner: String!) { x }"},
            "owner": {"location": "body", "parent": "variables"},
            "first": {"location": "body", "name": "n", "parent": "variables"},
            "order": {"location": "body", "parent": "variables", "value": {"by": "NAME"}},
        },
    });
    fixture.create_tool(fields).await;
    let query = "query($owner: String!) { x }";
    fixture.caller().text("tool", json!({"owner": "o", "first": 3, "trace": true})).await;
    let variables = json!({"owner": "o", "n": 3, "order": {"by": "NAME"}});
    assert_eq!(fixture.upstream.last().json(), json!({"query": query, "variables": variables, "trace": true}));
    fixture.caller().text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().json(), json!({"query": query, "variables": {"order": {"by": "NAME"}}}));
}

#[tokio::test]
async fn an_invalid_mapping_rule_is_refused_with_its_key() {
    let fixture = fixture().await;
    let rule = |key: &str, rule: Value| json!({"parameter_mapping": {key: rule}});
    for (fields, field, part) in [
        (
            rule("a", json!({"location": "query", "flavour": "form"})),
            "parameter_mapping[a][flavour]",
            "not a key of a rule",
        ),
        (rule("a", json!({"location": "path", "value": 1})), "parameter_mapping[a][value]", "no placeholder {a}"),
        (rule("a", json!({"location": "query", "value": null})), "parameter_mapping[a][value]", "null"),
        (rule("a", json!({"location": "header", "value": "x\r\ny"})), "parameter_mapping[a][value]", "control"),
        (rule("a", json!({"location": "query", "parent": "p"})), "parameter_mapping[a][parent]", "location body"),
        (
            json!({"input_schema": schema(json!({"a": {}})), "parameter_mapping": {"a": {"location": "query", "value": 1}}}),
            "parameter_mapping[a][value]",
            "input_schema must not declare",
        ),
        (
            json!({"body_type": "form", "parameter_mapping": {"a": {"location": "body", "parent": "p"}}}),
            "parameter_mapping[a][parent]",
            "body_type json",
        ),
        (
            json!({"parameter_mapping": {"a": {"location": "body", "parent": "p"}, "b": {"location": "body", "name": "p"}}}),
            "parameter_mapping[a][parent]",
            "another member",
        ),
    ] {
        assert_refused(&try_create(&fixture, fields).await, field, part);
    }
    // A change of another field is checked against the stored mapping.
    let nested =
        json!({"http_method": "POST", "parameter_mapping": {"c": {"location": "body", "parent": "p", "value": 1}}});
    let id = fixture.create_tool(nested).await;
    for (fields, field) in [
        (json!({"body_type": "form"}), "parameter_mapping[c][parent]"),
        (json!({"input_schema": schema(json!({"c": {}}))}), "parameter_mapping[c][value]"),
        (json!({"input_schema": schema(json!({"p": {}}))}), "parameter_mapping[c][parent]"),
    ] {
        let reply = fixture.api.patch(&format!("/tools/{id}")).json(fields).send().await;
        assert_refused(&reply, field, "");
    }
    fixture.update_tool(id, json!({"timeout": 5})).await;
    assert_eq!(fixture.upstream.request_count(), 0);
}
