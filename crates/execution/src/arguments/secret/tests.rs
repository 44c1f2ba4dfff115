//! Tests of which arguments are masked.

use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::*;
use crate::arguments::InputSchema;

fn mask(schema: &Value, arguments: &str) -> (String, Option<Vec<String>>) {
    let masked = InputSchema::compile(schema).unwrap().mask_secrets(arguments).into_parts();
    (masked.0, masked.1.map(|secrets| secrets.iter().map(|secret| secret.expose_secret().to_owned()).collect()))
}

impl MaskedArguments<'_> {
    fn into_parts(self) -> (String, Option<Vec<SecretString>>) {
        (self.json.into_owned(), self.secrets)
    }
}

#[track_caller]
fn assert_masked(schema: &Value, arguments: &str, expected: &str, secrets: &[&str]) {
    let (json, collected) = mask(schema, arguments);
    assert_eq!(json, expected);
    assert_eq!(collected.unwrap(), secrets);
}

#[test]
fn each_secret_keyword_is_recognised_for_values_of_any_type() {
    for keyword in [json!({"writeOnly": true}), json!({"format": "password"}), json!({"x-secret": true})] {
        let schema = json!({"properties": {"s": keyword, "n": {}}});
        assert_masked(&schema, r#"{"n":1.50,"s":"a\"b"}"#, r#"{"n":1.50,"s":"********"}"#, &["a\"b"]);
        let digits = "12345678901234567890123";
        assert_masked(&schema, &format!(r#"{{"s":{digits}}}"#), r#"{"s":"********"}"#, &[digits]);
        let nested = r#"{"s":{"a":["x",7,null,true],"b":"y"}}"#;
        assert_masked(&schema, nested, r#"{"s":"********"}"#, &["x", "7", "y"]);
    }
    let without_secrets = json!({"properties": {"s": {"writeOnly": false, "format": "uri", "x-secret": "yes"}}});
    assert_masked(&without_secrets, r#"{ "s" : "left unchanged" }"#, r#"{ "s" : "left unchanged" }"#, &[]);
}

#[test]
fn secrets_are_found_at_any_depth_and_through_references() {
    let schema = json!({
        "$defs": {"login": {"properties": {"user": {}, "pin": {"x-secret": true}}}},
        "properties": {
            "login": {"$ref": "#/$defs/login"},
            "all": {"items": {"allOf": [{"$ref": "#/$defs/login"}]}},
            "tree": {"$ref": "#/$defs/tree"},
        },
        "additionalProperties": {"properties": {"key": {"writeOnly": true}}},
    });
    let schema = {
        let mut schema = schema;
        let children = json!({"items": {"$ref": "#/$defs/tree"}});
        schema["$defs"]["tree"] = json!({"properties": {"children": children, "secret": {"format": "password"}}});
        schema
    };
    let arguments = r#"{"login":{"user":"u","pin":1},"all":[{"pin":2},{"user":"v"}],
        "tree":{"children":[{"children":[{"secret":"deep"}]}]},"other":{"key":"k"}}"#;
    let expected = r#"{"login":{"user":"u","pin":"********"},"all":[{"pin":"********"},{"user":"v"}],"tree":{"children":[{"children":[{"secret":"********"}]}]},"other":{"key":"********"}}"#;
    assert_masked(&schema, arguments, expected, &["1", "2", "deep", "k"]);
}

#[test]
fn arguments_above_the_limits_are_masked_as_a_whole() {
    let schema = json!({"properties": {"s": {"x-secret": true}, "a": {"items": {"items": {"x-secret": true}}}}});
    let many_items = format!(r#"{{"a":[{}]}}"#, vec!["0"; 150_000].join(","));
    let many_secrets = format!(r#"{{"s":[{}]}}"#, vec!["0"; SECRETS_MAX + 1].join(","));
    let long_secret = format!(r#"{{"s":"{}"}}"#, "a".repeat(SECRET_BYTES_MAX + 1));
    // 4100 bytes in total: more than `SECRET_BYTES_MAX`.
    let long_secrets = format!(r#"{{"s":[{}]}}"#, vec![format!("\"{}\"", "a".repeat(100)); 41].join(","));
    for arguments in [many_items, many_secrets, long_secret, long_secrets] {
        assert_eq!(mask(&schema, &arguments), ("\"********\"".to_owned(), None));
    }
    let longest_allowed = format!(r#"{{"s":"{}"}}"#, "a".repeat(SECRET_BYTES_MAX));
    assert!(mask(&schema, &longest_allowed).1.is_some());
}

#[test]
fn arguments_without_the_declared_shape_are_masked_as_a_whole() {
    let login = json!({"properties": {"pin": {"x-secret": true}}});
    let schema = json!({"properties": {"login": login, "pins": {"items": {"x-secret": true}}, "note": {}}});
    for arguments in [
        r#"[{"login":{"pin":"s3cr3t"}}]"#,
        r#""{\"login\":{\"pin\":\"s3cr3t\"}}""#,
        "7",
        r#"{"login":"{\"pin\":\"s3cr3t\"}"}"#,
        r#"{"login":["s3cr3t"]}"#,
        r#"{"pins":{"0":"s3cr3t"}}"#,
    ] {
        assert_eq!(mask(&schema, arguments), ("\"********\"".to_owned(), None), "{arguments}");
    }
    let matching = r#"{"login":null,"pins":[],"note":"[n]"}"#;
    assert_masked(&schema, matching, matching, &[]);
    assert_masked(&json!({"properties": {"n": {}}}), "[1]", "[1]", &[]);
}

#[test]
fn repeated_parsing_of_deep_values_is_limited() {
    let tree = json!({"properties": {"c": {"$ref": "#/$defs/tree"}, "s": {"x-secret": true}}});
    let schema = json!({"$defs": {"tree": tree}, "$ref": "#/$defs/tree"});
    let nested = |depth: usize| {
        let text = "x".repeat(1 << 20);
        format!("{}{{\"t\":\"{text}\"}}{}", r#"{"c":"#.repeat(depth), "}".repeat(depth))
    };
    assert!(mask(&schema, &nested(10)).1.is_some());
    assert_eq!(mask(&schema, &nested(20)).1, None);
}
