//! Tests of `import`, by the rules of the specification.

mod auth;
mod bodies;
mod copies;
mod corpus;
mod errors;
mod infer;
mod limits;
mod options;
mod quoting;
mod real_bash;

use serde_json::{Value, json};

/// The draft of a command.
fn draft(text: &str) -> Value {
    match super::import(text) {
        Ok(draft) => serde_json::to_value(draft).unwrap(),
        Err(error) => panic!("{text}\n{error}"),
    }
}

/// The error for a text. Panics if the text is accepted.
fn error_text(text: &str) -> String {
    match super::import(text) {
        Ok(draft) => panic!("{text}\n{}", serde_json::to_string(&draft).unwrap()),
        Err(error) => error.to_string(),
    }
}

/// Asserts some fields of a draft.
fn assert_draft(text: &str, expected: &Value) {
    let draft = draft(text);
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(draft.get(field).unwrap_or(&Value::Null), value, "{field} of\n{text}");
    }
}

fn warnings(text: &str) -> Vec<String> {
    serde_json::from_value(draft(text).get("warnings").cloned().unwrap_or(json!([]))).unwrap()
}

/// The body of the draft. Panics unless it is imported as text, neither as JSON nor as a form.
fn raw_body_text(command: &str) -> String {
    let draft = draft(command);
    assert_eq!(draft["body_type"], "raw", "{command}");
    draft["body"]["body"].as_str().unwrap().to_owned()
}

#[test]
fn a_draft_has_the_specified_fields_in_order() {
    let text = r#"curl -X POST "https://api.example.com/v1/users?notify=true" \
        -H "Authorization: Bearer sk_123" -H "Content-Type: application/json" \
        -d '{"name":"Ada","age":36}'"#;
    let expected = json!({
        "endpoint_url": "https://api.example.com/v1/users?notify=true",
        "http_method": "POST",
        "headers": {"Content-Type": "application/json"},
        "auth_type": "bearer",
        "auth_credentials": {"token": "sk_123"},
        "body": {"name": "Ada", "age": 36},
        "input_schema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "name"},
                "age": {"type": "string", "description": "age"},
            },
            "required": [],
        },
        "parameter_mapping": {"name": {"location": "body"}, "age": {"location": "body"}},
        "body_type": "json",
    });
    assert_eq!(serde_json::to_string(&super::import(text).unwrap()).unwrap(), expected.to_string());
}

#[test]
fn a_command_with_only_a_url_has_defaults_for_the_other_fields() {
    let expected = json!({
        "endpoint_url": "http://example.com",
        "http_method": "GET",
        "headers": {},
        "auth_type": "none",
        "auth_credentials": {},
        "body": {},
        "input_schema": {"type": "object", "properties": {}, "required": []},
        "parameter_mapping": {},
    });
    assert_eq!(draft("curl example.com"), expected);
}

#[test]
fn placeholders_of_the_url_become_arguments() {
    let text = "curl -d id=1 'https://e.example/{org}/u/{{ user id }}/{id}/{user.name}?q={q}&x={\"a\":1}&{1}'";
    assert_draft(
        text,
        &json!({
            "endpoint_url": "https://e.example/{org}/u/{user_id}/{id}/{user_name}?q={q}&x=%7B\"a\":1%7D&%7B1%7D",
            "parameter_mapping": {
                "id": {"location": "body"},
                "org": {"location": "path"},
                "user_id": {"location": "path"},
                "user_name": {"location": "path"},
                "q": {"location": "path"},
            },
        }),
    );
    assert!(warnings("curl '{{base}}/x'").iter().any(|warning| warning.contains("host")));
}

#[test]
fn numbers_keep_their_digits() {
    let draft = super::import(r#"curl e.example -d '{"a":1.0,"b":123456789012345678901234567890,"c":[1e5]}'"#).unwrap();
    assert!(serde_json::to_string(&draft).unwrap().contains(r#""a":1.0,"b":123456789012345678901234567890,"c":[1e5]"#));
}
