//! What requests look like: the rules of bodies, headers and documents as a whole tool applies them.

use serde_json::json;

use super::*;

fn post(names: &[&str]) -> Sketch {
    Sketch::new("POST", "https://api.example/x").arguments(names)
}

fn content_type(sketch: &Sketch, arguments: &str) -> String {
    let request = sketch.call(arguments).unwrap();
    request.headers.get("content-type").map_or("none", |value| value.to_str().unwrap()).to_owned()
}

#[test]
fn a_body_is_sent_where_the_tool_describes_one_or_the_call_has_one() {
    assert_eq!(post(&["a"]).line(r#"{"a":1}"#), r#"POST /x {"a":1}"#);
    assert_eq!(post(&["a"]).line("{}"), "POST /x {}");
    assert_eq!(post(&[]).line("{}"), "POST /x");
    assert_eq!(content_type(&post(&[]), "{}"), "none");
    let open = post(&[]).schema(&json!({"additionalProperties": true}));
    assert_eq!(open.line("{}"), "POST /x");
    assert_eq!(open.line(r#"{"b":2}"#), r#"POST /x {"b":2}"#);
    let get = Sketch::new("GET", "https://api.example/x").mapping(&json!({"q": {"location": "body"}}));
    assert_eq!(get.line(r#"{"q":{"match":1}}"#), r#"GET /x {"q":{"match":1}}"#);
    assert_eq!(get.line("{}"), "GET /x");
}

#[test]
fn the_content_type_is_that_of_the_body_unless_it_is_stated() {
    for (body_type, arguments, expected) in [
        ("json", r#"{"a":1}"#, "application/json"),
        ("form", r#"{"a":1}"#, "application/x-www-form-urlencoded"),
        ("raw", r#"{"a":"x"}"#, "text/plain; charset=utf-8"),
        ("raw", r#"{"a":[1]}"#, "application/json"),
    ] {
        assert_eq!(content_type(&post(&["a"]).body_type(body_type), arguments), expected);
        let stated = post(&["a"]).body_type(body_type).header("Content-type", "text/xml");
        assert_eq!(content_type(&stated, arguments), "text/xml");
    }
    let multipart = post(&["a"]).body_type("multipart").header("Content-Type", "multipart/form-data");
    assert!(content_type(&multipart, r#"{"a":1}"#).starts_with("multipart/form-data; boundary=toolgate-"));
    let by_argument = post(&["a"])
        .header("Content-Type", "text/xml")
        .mapping(&json!({"t": {"location": "header", "name": "content-type"}}));
    assert_eq!(content_type(&by_argument, r#"{"a":1,"t":"a/b"}"#), "a/b");
}

#[test]
fn headers_are_constant_then_arguments_then_authentication() {
    let sketch = Sketch::new("GET", "https://api.example/")
        .header("X-A", "constant")
        .header("X-B", "constant")
        .header("Host", "evil.example")
        .secret_header("Authorization", "Custom s3")
        .mapping(&json!({"a": {"location": "headers", "name": "x-a"}, "n": {"location": "header", "name": "X-N"}}));
    let request = sketch.call(r#"{"a":["x",2],"n":null}"#).unwrap();
    assert_eq!(request.headers["x-a"], "x,2");
    assert_eq!(request.headers["x-b"], "constant");
    assert_eq!(request.headers["authorization"], "Custom s3");
    assert!(request.headers["authorization"].is_sensitive());
    assert_eq!(request.headers.len(), 3);
    let request = sketch.credentials(Credentials::Bearer { token: "t0k".into() }).call("{}").unwrap();
    assert_eq!(request.headers["authorization"], "Bearer t0k");
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
}

#[test]
fn header_arguments_that_would_break_out_are_refused() {
    let sketch = Sketch::new("GET", "https://api.example/").mapping(&json!({"a": {"location": "header"}}));
    assert_eq!(
        sketch.call(r#"{"a":"x\r\nEvil: 1"}"#).unwrap_err().message,
        "Invalid arguments for get_user: 'a': must not hold line breaks or other control characters: it is sent as \
         a header."
    );
}

#[test]
fn a_document_of_its_own_takes_the_place_of_the_body() {
    let sketch =
        Sketch::new("POST", "https://api.example/{id}?v={v}").arguments(&["id", "v", "rest", "q", "b"]).mapping(
            &json!({"q": {"location": "query"}, "h": {"location": "header", "name": "X-H"}, "b": {"location": "body"}}),
        );
    let tool = sketch.compile();
    let arguments = r#"{"id":"i/1","v":2,"rest":3,"q":4,"h":5,"b":6,"other":7}"#;
    let arguments = tool.validate(Some(arguments)).unwrap();
    let request = tool.mcp_request(&arguments, r#"{"jsonrpc":"2.0"}"#.to_owned(), Injected::Own).unwrap();
    assert_eq!(request.uri, "https://api.example/i%2F1?v=2&q=4");
    assert_eq!(text(&request), r#"{"jsonrpc":"2.0"}"#);
    assert_eq!(request.headers["x-h"], "5");
    assert_eq!(request.headers["content-type"], "application/json");
    let get = Sketch::new("GET", "https://api.example/").arguments(&["a"]).compile();
    let arguments = get.validate(Some(r#"{"a":1}"#)).unwrap();
    let request = get.mcp_request(&arguments, "{}", Injected::Own).unwrap();
    assert_eq!((request.uri.to_string().as_str(), text(&request).as_str()), ("https://api.example/", "{}"));
}

#[test]
fn defaults_are_sent_like_arguments() {
    let schema = json!({"properties": {
        "id": {"type": "string", "default": "me"}, "limit": {"type": "integer", "default": 20}, "q": {"type": "string"}
    }});
    let sketch = Sketch::new("GET", "https://api.example/users/{id}").schema(&schema);
    assert_eq!(sketch.line("{}"), "GET /users/me?limit=20");
    assert_eq!(sketch.line(r#"{"id":"7","limit":1}"#), "GET /users/7?limit=1");
}

#[test]
fn integers_of_any_length_go_out_with_all_their_digits() {
    let long = "123456789012345678901234567890";
    let schema = json!({"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}});
    let sketch = Sketch::new("POST", "https://api.example/{a}")
        .schema(&schema)
        .mapping(&json!({"b": {"location": "query"}, "c": {"location": "body"}}));
    let arguments = format!(r#"{{"a":{long},"b":{long},"c":{long}}}"#);
    assert_eq!(sketch.line(&arguments), format!(r#"POST /{long}?b={long} {{"c":{long}}}"#));
}

#[test]
fn arguments_too_long_for_an_address_are_refused() {
    let sketch = Sketch::new("GET", "https://api.example/").arguments(&["q"]);
    let long = format!(r#"{{"q":"{}"}}"#, "x".repeat(70_000));
    assert_eq!(sketch.refusal(&long), "the arguments are too long to be sent as part of a URL");
}
