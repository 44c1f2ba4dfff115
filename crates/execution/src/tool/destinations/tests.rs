//! Tests of where arguments go in requests.

use serde_json::json;
use toolgate_domain::tool::BodyType;

use crate::tool::auth::CredentialUse;
use crate::tool::tests::TestTool;

#[test]
fn unmapped_arguments_are_placed_by_placeholder_and_method() {
    for (method, expected) in [
        ("GET", "GET /u/1?b=2"),
        ("HEAD", "HEAD /u/1?b=2"),
        ("DELETE", "DELETE /u/1?b=2"),
        ("OPTIONS", "OPTIONS /u/1?b=2"),
        ("POST", r#"POST /u/1 {"b":2}"#),
        ("PUT", r#"PUT /u/1 {"b":2}"#),
        ("PATCH", r#"PATCH /u/1 {"b":2}"#),
        ("QUERY", r#"QUERY /u/1 {"b":2}"#),
    ] {
        let tool = TestTool::new(method, "https://a.example/u/{a}").arguments(&["a", "b"]);
        assert_eq!(tool.request_text(r#"{"a":1,"b":2}"#), expected);
    }
}

#[test]
fn mapped_arguments_go_where_the_mapping_says() {
    let tool = TestTool::new("POST", "https://a.example/u/{id}").arguments(&["a", "b", "c", "d"]).mapping(&json!({
        "a": {"location": "path", "name": "id"},
        "b": {"location": "query", "name": "page size"},
        "c": {"location": "body", "name": "name"},
        "d": {"location": "header", "name": "X-D"},
        "undeclared": {"location": "query", "name": null},
    }));
    let arguments = r#"{"a":"1","b":2,"c":"3","d":4,"undeclared":5}"#;
    assert_eq!(tool.request_text(arguments), r#"POST /u/1?page%20size=2&undeclared=5 {"name":"3"}"#);
    assert_eq!(tool.call(arguments).unwrap().headers["x-d"], "4");
}

#[test]
fn undeclared_arguments_are_not_sent_unless_the_schema_allows_them() {
    let get = |schema| TestTool::new("GET", "https://a.example/{id}").schema(&schema);
    let arguments = r#"{"id":1,"a":2,"x":3}"#;
    for (schema, expected) in [
        (json!({"properties": {"a": {}}}), "GET /1?a=2"),
        (json!({"properties": {"a": {}}, "additionalProperties": true}), "GET /1?a=2&x=3"),
        (json!({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}), "GET /1?a=2&x=3"),
        (json!({"allOf": [{"properties": {"a": {}}}]}), "GET /1?a=2"),
        (json!({"$ref": "#/$defs/d", "$defs": {"d": {"properties": {"a": {}}}}}), "GET /1?a=2"),
        (json!({}), "GET /1"),
    ] {
        assert_eq!(get(schema.clone()).request_text(arguments), expected, "{schema}");
    }
    let post = TestTool::new("POST", "https://a.example/{id}").schema(&json!({"additionalProperties": true}));
    assert_eq!(post.request_text(arguments), r#"POST /1 {"a":2,"x":3}"#);
}

#[test]
fn a_placeholder_is_filled_by_the_argument_mapped_to_it_or_else_by_the_argument_with_its_name() {
    let tool = |method: &str, address: &str| TestTool::new(method, address).arguments(&["id", "a", "b"]);
    let mapped = tool("GET", "https://a.example/{id}").mapping(&json!({"a": {"location": "path", "name": "id"}}));
    assert_eq!(
        mapped.request_text(r#"{"a":1,"id":2}"#),
        "GET /1?id=2",
        "another argument is mapped to the placeholder"
    );
    assert_eq!(mapped.violation_text(r#"{"id":2}"#), "'a' is required: it is part of the URL");
    let two_mapped =
        mapped.mapping(&json!({"a": {"location": "path", "name": "id"}, "b": {"location": "path", "name": "id"}}));
    assert_eq!(two_mapped.request_text(r#"{"b":2}"#), "GET /2");
    assert_eq!(two_mapped.request_text(r#"{"b":2,"a":null}"#), "GET /2");
    let in_path_and_body = tool("POST", "https://a.example/{id}").mapping(&json!({"id": {"location": "body"}}));
    assert_eq!(in_path_and_body.request_text(r#"{"id":1}"#), r#"POST /1 {"id":1}"#);
    let in_path_and_query = tool("GET", "https://a.example/{id}").mapping(&json!({"id": {"location": "query"}}));
    assert_eq!(in_path_and_query.request_text(r#"{"id":1}"#), "GET /1?id=1");
}

#[test]
fn an_argument_mapped_to_the_query_is_not_added_again_if_a_placeholder_in_the_query_contains_it() {
    let tool = TestTool::new("POST", "https://a.example/?q={query}&x=1").arguments(&["query"]);
    assert_eq!(tool.request_text(r#"{"query":"a b"}"#), "POST /?q=a%20b&x=1");
    for rule in [json!({"location": "query"}), json!({"location": "query", "name": "q"}), json!({"location": "path"})] {
        let tool = TestTool::new("GET", "https://a.example/?q={query}&x=1").mapping(&json!({"query": rule}));
        assert_eq!(tool.request_text(r#"{"query":[1,2]}"#), "GET /?q=1&q=2&x=1");
        assert_eq!(tool.request_text("{}"), "GET /?x=1");
    }
}

#[test]
fn an_argument_mapped_to_a_missing_placeholder_is_placed_like_an_unmapped_one() {
    let mapping = json!({"a": {"location": "path", "name": "n"}});
    assert_eq!(TestTool::new("GET", "https://a.example/x").mapping(&mapping).request_text(r#"{"a":1}"#), "GET /x?n=1");
    assert_eq!(
        TestTool::new("POST", "https://a.example/x").mapping(&mapping).request_text(r#"{"a":1}"#),
        r#"POST /x {"n":1}"#
    );
}

#[test]
fn null_is_sent_only_in_the_body() {
    let mapping = json!({"h": {"location": "header"}, "q": {"location": "query"}});
    let tool = TestTool::new("POST", "https://a.example/").arguments(&["b"]).mapping(&mapping);
    assert_eq!(tool.request_text(r#"{"h":null,"q":null,"b":null}"#), r#"POST / {"b":null}"#);
    assert!(!tool.call(r#"{"h":null}"#).unwrap().headers.contains_key("h"));
    let path = TestTool::new("GET", "https://a.example/{id}").arguments(&["id"]);
    assert_eq!(path.violation_text(r#"{"id":null}"#), "'id' is required: it is part of the URL");
}

#[test]
fn an_argument_never_sets_a_header_for_authentication_or_framing() {
    let mut tool = TestTool::new("GET", "https://a.example/");
    let mapping = r#"{"a":{"location":"header","name":"Authorization"},"b":{"location":"header","name":"Host"}}"#;
    tool.spec.parameter_mapping = toolgate_domain::parameters::ParameterMapping::from_stored(mapping.to_owned());
    let request = tool.call(r#"{"a":"x","b":"y"}"#).unwrap();
    assert!(request.headers.is_empty());
    assert_eq!(request.uri, "https://a.example/");
}

#[test]
fn a_constant_is_sent_with_every_call_in_its_location() {
    let constants = json!({
        "version": {"location": "path", "name": "v", "value": "2 b"},
        "format": {"location": "query", "value": ["json", 1]},
        "client": {"location": "header", "name": "X-Client", "value": 12.50},
        "kind": {"location": "body", "value": {"deep": [null, true]}},
    });
    let url = "https://a.example/{v}/{id}?format=literal";
    for (method, body) in
        [("POST", r#"{"a":1,"kind":{"deep":[null,true]}}"#), ("GET", r#"{"kind":{"deep":[null,true]}}"#)]
    {
        let tool = TestTool::new(method, url).arguments(&["id", "a"]).mapping(&constants);
        let query = if method == "GET" { "a=1&format=json&format=1" } else { "format=json&format=1" };
        assert_eq!(tool.request_text(r#"{"id":7,"a":1}"#), format!("{method} /2%20b/7?{query} {body}"));
        let ignored = r#"{"id":7,"a":1,"version":"9","format":"x","client":"y","kind":0,"v":"8"}"#;
        let request = tool.call(ignored).unwrap();
        assert_eq!(request.headers["x-client"], "12.5");
        assert_eq!(tool.request_text(ignored), format!("{method} /2%20b/7?{query} {body}"));
    }
}

#[test]
fn an_undeclared_argument_does_not_replace_a_constant_or_a_parent() {
    let mapping = json!({"c": {"location": "query", "name": "q", "value": 1}});
    let get =
        TestTool::new("GET", "https://a.example/").schema(&json!({"additionalProperties": true})).mapping(&mapping);
    assert_eq!(get.request_text(r#"{"q":2,"c":3,"x":4}"#), "GET /?x=4&q=1");
    let mapping = json!({"c": {"location": "body", "name": "q", "value": 1}, "d": {"location": "body", "parent": "p"}});
    let post =
        TestTool::new("POST", "https://a.example/").schema(&json!({"additionalProperties": true})).mapping(&mapping);
    assert_eq!(post.request_text(r#"{"q":2,"c":3,"x":4,"p":5,"d":6}"#), r#"POST / {"x":4,"p":{"d":6},"q":1}"#);
}

#[test]
fn arguments_and_constants_share_a_parent() {
    let mapping = json!({
        "query": {"location": "body", "value": "query($id: ID!) { node(id: $id) { id } }"},
        "id": {"location": "body", "parent": "variables"},
        "first": {"location": "body", "name": "n", "parent": "variables", "value": 10},
        "page": {"location": "body", "parent": "options"},
    });
    let tool = TestTool::new("POST", "https://a.example/").arguments(&["id", "page", "flat"]).mapping(&mapping);
    let query = r#""query":"query($id: ID!) { node(id: $id) { id } }""#;
    assert_eq!(
        tool.request_text(r#"{"id":"a\"b","flat":2,"page":null}"#),
        format!(r#"POST / {{"variables":{{"id":"a\"b","n":10}},"flat":2,"options":{{"page":null}},{query}}}"#)
    );
    assert_eq!(tool.request_text("{}"), format!(r#"POST / {{{query},"variables":{{"n":10}}}}"#));
}

#[test]
fn a_constant_can_be_sent_in_every_type_of_body() {
    let mapping = json!({"c": {"location": "body", "value": ["x", 1]}});
    let body = |body_type| TestTool::new("POST", "https://a.example/").mapping(&mapping).body_type(body_type);
    assert_eq!(body(BodyType::Json).request_text("{}"), r#"POST / {"c":["x",1]}"#);
    assert_eq!(body(BodyType::Form).request_text("{}"), "POST / c=x&c=1");
    assert_eq!(body(BodyType::Raw).request_text("{}"), r#"POST / ["x",1]"#);
    assert_eq!(body(BodyType::Multipart).request_text("{}").matches("name=\"c\"").count(), 2);
}

#[test]
fn a_value_in_the_rule_of_a_declared_argument_has_no_effect() {
    let mapping = json!({"a": {"location": "query", "value": 1}});
    let tool = TestTool::new("GET", "https://a.example/").arguments(&["a"]).mapping(&mapping);
    assert_eq!(tool.request_text(r#"{"a":2}"#), "GET /?a=2");
    assert_eq!(tool.request_text("{}"), "GET /");
}

#[test]
fn constants_outside_the_body_are_sent_with_an_mcp_document() {
    let mapping = json!({"q": {"location": "query", "value": 1}, "b": {"location": "body", "value": 2}});
    let tool = TestTool::new("POST", "https://a.example/").mapping(&mapping).compile();
    let arguments = tool.validate(None).unwrap();
    let request = tool.mcp_request(&arguments, "{}", CredentialUse::Stored).unwrap();
    assert_eq!((request.uri.to_string().as_str(), request.body.as_ref()), ("https://a.example/?q=1", &b"{}"[..]));
}
