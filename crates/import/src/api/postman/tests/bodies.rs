use super::*;

fn post(body: &Value) -> Candidate {
    tool(json!({"method": "POST", "url": "https://a.example/orders", "body": body}))
}

fn raw(text: &str, language: Option<&str>) -> Value {
    match language {
        Some(language) => json!({"mode": "raw", "raw": text, "options": {"raw": {"language": language}}}),
        None => json!({"mode": "raw", "raw": text}),
    }
}

fn content_type(tool: &Candidate) -> Option<&str> {
    tool.headers.get("Content-Type").map(String::as_str)
}

#[test]
fn members_of_a_json_body_are_typed_by_value() {
    let text = r#"{"title": "Tea", "count": 2, "price": 1.5, "gift": true, "lines": [{"id": 1}], "note": null,
        "kind": "<integer>", "raw": {{unknown}}, "name": "{{unknown}}", "password": "pw", "when": "{{$timestamp}}",
        "address": {"city": "<string>", "zip": {{zip}}}}"#;
    let tool = post(&raw(text, Some("json")));
    assert_eq!((tool.body_type.as_str(), tool.body_required, content_type(&tool)), ("json", true, None));
    let schema = schema(&tool);
    for (name, expected) in [
        ("count", json!({"type": "integer", "examples": [2]})),
        ("price", json!({"type": "number", "examples": [1.5]})),
        ("gift", json!({"type": "boolean", "examples": [true]})),
        ("note", json!({})),
        ("kind", json!({"type": "integer"})),
        ("raw", json!({})),
        ("when", json!({"type": "string", "description": "Postman generates this value ($timestamp)."})),
        ("address", json!({"type": "object", "properties": {"city": {"type": "string"}, "zip": {}}})),
    ] {
        let mut found = schema["properties"][name].clone();
        if expected.get("description").is_none() {
            found.as_object_mut().unwrap().remove("description");
        }
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(schema["properties"]["title"]["examples"], json!(["Tea"]));
    assert!(schema["properties"]["password"].get("examples").is_none());
    let required = schema["required"].as_array().unwrap();
    for name in ["raw", "name", "title", "password"] {
        assert!(required.contains(&json!(name)), "{name} {required:?}");
    }
    assert!(!schema.to_string().contains("default"));
    assert!(mapping(&tool).as_object().unwrap().values().all(|rule| *rule == json!({"location": "body"})));
}

#[test]
fn json_without_members_is_one_argument() {
    for (text, kind, required) in
        [("[1, 2]", "array", true), ("\"text\"", "string", true), ("5", "integer", true), ("{}", "object", false)]
    {
        let tool = post(&raw(text, Some("json")));
        assert_eq!(schema(&tool)["properties"]["body"]["type"], kind, "{text}");
        assert_eq!(schema(&tool)["required"].as_array().unwrap().len(), usize::from(required), "{text}");
        assert_eq!(mapping(&tool), json!({"body": {"location": "body", "whole": true}}));
        assert_eq!((tool.body_type.as_str(), tool.body_required), ("json", true));
    }
    let many = (0..61).map(|n| format!("\"m{n}\": {n}")).collect::<Vec<_>>().join(",");
    assert_eq!(mapping(&post(&raw(&format!("{{{many}}}"), Some("json"))))["body"]["whole"], true);
    assert_eq!(schema(&post(&raw("{{payload}}", Some("json"))))["required"], json!(["body"]));
}

#[test]
fn other_raw_bodies_are_one_text() {
    for (body, expected_type, codes_expected) in [
        (raw("<a/>", Some("xml")), "application/xml", vec![]),
        (raw("<p>", Some("html")), "text/html", vec![]),
        (raw("f()", Some("javascript")), "application/javascript", vec![]),
        (raw("hello {{name}}", Some("text")), "text/plain", vec![]),
        (raw("hello", None), "text/plain", vec![]),
        (raw("{\"a\": 1}", Some("text")), "text/plain", vec![]),
        (raw("{broken", Some("json")), "application/json", vec!["body_not_json"]),
    ] {
        let tool = post(&body);
        assert_eq!((tool.body_type.as_str(), content_type(&tool)), ("raw", Some(expected_type)), "{body}");
        assert_eq!(codes(&tool), codes_expected, "{body}");
        assert_eq!(mapping(&tool), json!({"body": {"location": "body", "whole": true}}));
        assert_eq!(schema(&tool)["properties"]["body"]["type"], "string");
        assert_eq!(schema(&tool)["required"], json!(["body"]));
    }
}

#[test]
fn the_content_type_header_of_the_request_takes_precedence() {
    let with_type = |content_type: &str, text: &str| {
        tool(json!({
            "method": "POST",
            "url": "https://a.example/x",
            "header": [{"key": "content-type", "value": content_type}],
            "body": raw(text, Some("text")),
        }))
    };
    let json_tool = with_type("application/vnd.api+json", "{\"a\": 1}");
    assert_eq!(json_tool.body_type.as_str(), "json");
    assert_eq!(json_tool.headers.get("content-type").map(String::as_str), Some("application/vnd.api+json"));
    assert_eq!(with_type("text/csv", "a,b").headers.len(), 1);
    assert_eq!(with_type("text/csv", "a,b").body_type.as_str(), "raw");
    let assumed = post(&raw("{\"a\": 1}", None));
    assert_eq!((assumed.body_type.as_str(), codes(&assumed)), ("json", vec!["content_type_assumed"]));
}

#[test]
fn forms_have_an_argument_for_each_field() {
    let tool = post(&json!({"mode": "urlencoded", "urlencoded": [
        {"key": "name", "value": "Tea", "description": "Name of it"},
        {"key": "size", "value": ""},
        {"key": "off", "value": "1", "disabled": true},
        {"key": "tag", "value": "a"}, {"key": "tag", "value": "b"},
    ]}));
    assert_eq!((tool.body_type.as_str(), tool.body_required), ("form", true));
    assert_eq!(schema(&tool)["required"], json!(["size"]));
    assert_eq!(
        schema(&tool)["properties"]["name"],
        json!({"type": "string", "description": "Name of it", "examples": ["Tea"]})
    );
    assert_eq!(schema(&tool)["properties"]["tag"]["type"], "array");
    assert_eq!(mapping(&tool)["off"], json!({"location": "body"}));
}

#[test]
fn files_are_file_objects() {
    let tool = post(&json!({"mode": "formdata", "formdata": [
        {"key": "note", "value": "x", "type": "text", "contentType": "text/markdown"},
        {"key": "photo", "type": "file", "src": "/home/ann/a.png", "description": "The photo"},
        {"key": "more", "type": "file", "src": [], "disabled": true},
    ]}));
    assert_eq!(tool.body_type.as_str(), "multipart");
    assert_eq!(schema(&tool)["required"], json!(["photo"]));
    assert_eq!(schema(&tool)["properties"]["photo"]["type"], "object");
    assert_eq!(
        mapping(&tool),
        json!({
            "note": {"location": "body", "content_type": "text/markdown"},
            "photo": {"location": "body", "file": true},
            "more": {"location": "body", "file": true},
        })
    );
    assert!(!tool.input_schema.as_str().contains("ann"));
    let whole = post(&json!({"mode": "file", "file": {"src": "/home/ann/a.bin"}}));
    assert_eq!(mapping(&whole), json!({"body": {"location": "body", "file": true, "whole": true}}));
    assert_eq!(whole.body_type.as_str(), "raw");
}

#[test]
fn the_text_of_graphql_is_fixed_and_its_variables_are_arguments() {
    let tool = post(&json!({"mode": "graphql", "graphql": {
        "query": "query Item($id: ID!, $n: Int = 5) { item(id: $id) { name } }",
        "variables": "{\"id\": \"a1\"}",
    }}));
    assert_eq!(tool.body_type.as_str(), "json");
    assert_eq!(
        mapping(&tool),
        json!({
            "id": {"location": "body", "parent": "variables"},
            "n": {"location": "body", "parent": "variables"},
            "query": {"location": "body", "value": "query Item($id: ID!, $n: Int = 5) { item(id: $id) { name } }"},
        })
    );
    assert_eq!(schema(&tool)["required"], json!(["id"]));
    assert_eq!(schema(&tool)["properties"]["n"]["type"], "integer");
    assert_eq!(schema(&tool)["properties"]["id"]["examples"], json!(["a1"]));
    let with_unknown =
        post(&json!({"mode": "graphql", "graphql": {"query": "{ item(id: {{id}}) { name } }", "variables": ""}}));
    assert_eq!(
        (schema(&with_unknown)["required"].clone(), codes(&with_unknown)),
        (json!(["query"]), vec!["variable_in_text"])
    );
    let short = post(&json!({"mode": "graphql", "graphql": {"query": "{ viewer { login } }"}}));
    assert_eq!(mapping(&short), json!({"query": {"location": "body", "value": "{ viewer { login } }"}}));
}

#[test]
fn a_request_with_an_empty_or_disabled_body_sends_none() {
    for body in [
        json!(null),
        json!({}),
        json!({"mode": "raw", "raw": ""}),
        json!({"mode": "raw", "raw": "x", "disabled": true}),
        json!({"mode": "urlencoded", "urlencoded": []}),
        json!({"mode": "formdata"}),
        json!({"mode": "graphql", "graphql": {}}),
    ] {
        let tool = post(&body);
        assert_eq!((tool.body_required, mapping(&tool)), (false, json!({})), "{body}");
    }
}

#[test]
fn the_body_of_a_get_is_sent_only_if_the_collection_says_so() {
    let item = |behavior: Value| {
        json!({"item": [{"name": "A", "protocolProfileBehavior": behavior, "request": {
            "method": "GET", "url": "https://a.example/x", "body": raw("{\"a\": 1}", Some("json")),
        }}]})
    };
    let ignored = read(&item(json!({})));
    assert_eq!((mapping(&ignored.candidates[0]), codes(&ignored.candidates[0])), (json!({}), vec!["body_ignored"]));
    let sent = read(&item(json!({"disableBodyPruning": true})));
    assert_eq!(mapping(&sent.candidates[0]), json!({"a": {"location": "body"}}));
}
