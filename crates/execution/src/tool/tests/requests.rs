//! Bodies, headers and MCP documents in the requests of whole tools.

use serde_json::json;

use super::*;

fn post(names: &[&str]) -> TestTool {
    TestTool::new("POST", "https://api.example/x").arguments(names)
}

fn content_type(tool: &TestTool, arguments: &str) -> String {
    let request = tool.call(arguments).unwrap();
    request.headers.get("content-type").map_or("none", |value| value.to_str().unwrap()).to_owned()
}

#[test]
fn a_body_is_sent_if_the_tool_describes_one_or_the_call_has_one() {
    assert_eq!(post(&["a"]).request_text(r#"{"a":1}"#), r#"POST /x {"a":1}"#);
    assert_eq!(post(&["a"]).request_text("{}"), "POST /x {}");
    assert_eq!(post(&[]).request_text("{}"), "POST /x");
    assert_eq!(content_type(&post(&[]), "{}"), "none");
    let any_arguments = post(&[]).schema(&json!({"additionalProperties": true}));
    assert_eq!(any_arguments.request_text("{}"), "POST /x");
    assert_eq!(any_arguments.request_text(r#"{"b":2}"#), r#"POST /x {"b":2}"#);
    let get = TestTool::new("GET", "https://api.example/x").mapping(&json!({"q": {"location": "body"}}));
    assert_eq!(get.request_text(r#"{"q":{"match":1}}"#), r#"GET /x {"q":{"match":1}}"#);
    assert_eq!(get.request_text("{}"), "GET /x");
    let typed = get.header("Content-Type", "application/json");
    assert_eq!(typed.request_text("{}"), "GET /x {}", "the tool announces a body");
    let no_body = TestTool::new("GET", "https://api.example/x").arguments(&["a"]).header("Content-Type", "text/plain");
    assert_eq!(no_body.request_text("{}"), "GET /x");
}

#[test]
fn an_optional_body_is_sent_only_with_arguments() {
    let optional = |names: &[&str], body_type: BodyType| {
        let mut tool = post(names).body_type(body_type).header("Content-Type", "application/vnd.a+json");
        tool.spec.body_required = false;
        tool
    };
    for body_type in [BodyType::Json, BodyType::Form, BodyType::Multipart, BodyType::Raw] {
        let tool = optional(&["a"], body_type).mapping(&json!({"q": {"location": "query"}}));
        assert_eq!(tool.request_text(r#"{"q":1}"#), "POST /x?q=1", "{body_type:?}");
        assert_eq!(content_type(&tool, r#"{"q":1}"#), "none", "{body_type:?}");
        assert_ne!(tool.request_text(r#"{"a":1}"#), "POST /x", "{body_type:?}");
    }
    let json = optional(&["a"], BodyType::Json);
    assert_eq!(json.request_text(r#"{"a":null}"#), r#"POST /x {"a":null}"#);
    assert_eq!(content_type(&json, r#"{"a":null}"#), "application/vnd.a+json");
    for body_type in [BodyType::Form, BodyType::Multipart] {
        let form = optional(&["a"], body_type);
        assert_eq!(form.request_text(r#"{"a":null}"#), "POST /x", "null is not sent in a form");
    }
    let constant = optional(&["a"], BodyType::Json).mapping(&json!({"kind": {"location": "body", "value": "k"}}));
    assert_eq!(constant.request_text("{}"), "POST /x");
    assert_eq!(constant.request_text(r#"{"a":1}"#), r#"POST /x {"a":1,"kind":"k"}"#);
}

#[test]
fn the_content_type_is_that_of_the_body_unless_it_is_set() {
    for (body_type, arguments, expected) in [
        (BodyType::Json, r#"{"a":1}"#, "application/json"),
        (BodyType::Form, r#"{"a":1}"#, "application/x-www-form-urlencoded"),
        (BodyType::Raw, r#"{"a":"x"}"#, "text/plain; charset=utf-8"),
        (BodyType::Raw, r#"{"a":[1]}"#, "application/json"),
    ] {
        assert_eq!(content_type(&post(&["a"]).body_type(body_type), arguments), expected);
        let with_type = post(&["a"]).body_type(body_type).header("Content-type", "text/xml");
        assert_eq!(content_type(&with_type, arguments), "text/xml");
    }
    let multipart = post(&["a"]).body_type(BodyType::Multipart).header("Content-Type", "multipart/form-data");
    assert!(content_type(&multipart, r#"{"a":1}"#).starts_with("multipart/form-data; boundary=toolgate-"));
    let by_argument = post(&["a"])
        .header("Content-Type", "text/xml")
        .mapping(&json!({"t": {"location": "header", "name": "content-type"}}));
    assert_eq!(content_type(&by_argument, r#"{"a":1,"t":"a/b"}"#), "a/b");
}

#[test]
fn arguments_replace_constant_headers_and_authentication_replaces_both() {
    let tool = TestTool::new("GET", "https://api.example/")
        .header("X-A", "constant")
        .header("X-B", "constant")
        .header("Host", "evil.example")
        .secret_header("Authorization", "Custom s3")
        .mapping(&json!({"a": {"location": "headers", "name": "x-a"}, "n": {"location": "header", "name": "X-N"}}));
    let request = tool.call(r#"{"a":["x",2],"n":null}"#).unwrap();
    assert_eq!(request.headers["x-a"], "x,2");
    assert_eq!(request.headers["x-b"], "constant");
    assert_eq!(request.headers["authorization"], "Custom s3");
    assert!(request.headers["authorization"].is_sensitive());
    assert_eq!(request.headers.len(), 3);
    let request = tool.credentials(Credentials::Bearer { token: "t0k".into() }).call("{}").unwrap();
    assert_eq!(request.headers["authorization"], "Bearer t0k");
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
}

#[test]
fn header_arguments_with_line_breaks_are_refused() {
    let tool = TestTool::new("GET", "https://api.example/").mapping(&json!({"a": {"location": "header"}}));
    assert_eq!(
        tool.call(r#"{"a":"x\r\nEvil: 1"}"#).unwrap_err().for_owner.message,
        "Invalid arguments for get_user: 'a': must not contain line breaks or other control characters: it is sent \
         as a header."
    );
}

#[test]
fn an_mcp_document_replaces_the_body() {
    let tool =
        TestTool::new("POST", "https://api.example/{id}?v={v}").arguments(&["id", "v", "rest", "q", "b"]).mapping(
            &json!({"q": {"location": "query"}, "h": {"location": "header", "name": "X-H"}, "b": {"location": "body"}}),
        );
    let tool = tool.compile();
    let arguments = r#"{"id":"i/1","v":2,"rest":3,"q":4,"h":5,"b":6,"other":7}"#;
    let arguments = tool.validate(Some(arguments)).unwrap();
    let request = tool.mcp_request(&arguments, r#"{"jsonrpc":"2.0"}"#.to_owned(), CredentialUse::Stored).unwrap();
    assert_eq!(request.uri, "https://api.example/i%2F1?v=2&q=4");
    assert_eq!(body_text(&request), r#"{"jsonrpc":"2.0"}"#);
    assert_eq!(request.headers["x-h"], "5");
    assert_eq!(request.headers["content-type"], "application/json");
    let get = TestTool::new("GET", "https://api.example/").arguments(&["a"]).compile();
    let arguments = get.validate(Some(r#"{"a":1}"#)).unwrap();
    let request = get.mcp_request(&arguments, "{}", CredentialUse::Stored).unwrap();
    assert_eq!((request.uri.to_string().as_str(), body_text(&request).as_str()), ("https://api.example/", "{}"));
}

#[test]
fn defaults_are_sent_like_arguments() {
    let schema = json!({"properties": {
        "id": {"type": "string", "default": "me"}, "limit": {"type": "integer", "default": 20}, "q": {"type": "string"}
    }});
    let tool = TestTool::new("GET", "https://api.example/users/{id}").schema(&schema);
    assert_eq!(tool.request_text("{}"), "GET /users/me?limit=20");
    assert_eq!(tool.request_text(r#"{"id":"7","limit":1}"#), "GET /users/7?limit=1");
}

#[test]
fn integers_of_any_length_are_sent_with_all_their_digits() {
    let long = "123456789012345678901234567890";
    let schema = json!({"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}});
    let tool = TestTool::new("POST", "https://api.example/{a}")
        .schema(&schema)
        .mapping(&json!({"b": {"location": "query"}, "c": {"location": "body"}}));
    let arguments = format!(r#"{{"a":{long},"b":{long},"c":{long}}}"#);
    assert_eq!(tool.request_text(&arguments), format!(r#"POST /{long}?b={long} {{"c":{long}}}"#));
}

#[test]
fn arguments_too_long_for_a_url_are_refused() {
    let tool = TestTool::new("GET", "https://api.example/").arguments(&["q"]);
    let long = format!(r#"{{"q":"{}"}}"#, "x".repeat(70_000));
    assert_eq!(tool.violation_text(&long), "the arguments are too long to be sent as part of a URL");
}

#[test]
fn the_bytes_of_a_multipart_body_without_settings_for_parts_never_change() {
    let multipart = post(&["a", "b"]).body_type(BodyType::Multipart);
    let arguments = r#"{"a":{"k":[1]},"b":["x",2]}"#;
    let part = |name: &str, text: &str| format!("Content-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
    let boundary = "--toolgate-554bf93b4f0d69d8df83d342772979ce94280501";
    let expected = format!(
        "{boundary}\r\n{}{boundary}\r\n{}{boundary}\r\n{}{boundary}--\r\n",
        part("a", r#"{"k":[1]}"#),
        part("b", "x"),
        part("b", "2")
    );
    assert_eq!(body_text(&multipart.call(arguments).unwrap()), expected);
}
