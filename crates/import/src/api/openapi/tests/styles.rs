//! Every style with and without explode, in every location, for scalars, lists and objects.

use serde_json::{Value, json};

use super::{document, get, mapping, only_candidate, swagger};

const SCHEMAS: [(&str, &str); 3] = [
    ("scalar", r#"{"type": "string"}"#),
    ("list", r#"{"type": "array", "items": {"type": "string"}}"#),
    ("object", r#"{"type": "object", "properties": {"k": {"type": "integer"}}}"#),
];

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The mapping rule of a parameter `p`.
fn rule(location: &str, style: Option<&str>, explode: Option<bool>, schema: &Value) -> Value {
    let mut parameter = json!({"name": "p", "in": location, "required": location == "path", "schema": schema});
    if let Some(style) = style {
        parameter["style"] = style.into();
    }
    if let Some(explode) = explode {
        parameter["explode"] = explode.into();
    }
    let path = if location == "path" { "/x/{p}" } else { "/x" };
    let candidate = only_candidate(&document(&json!({path: {"get": {"parameters": [parameter]}}})));
    mapping(&candidate)["p"].clone()
}

#[test]
fn style_and_explode_are_keys_of_the_rule_if_they_affect_the_value() {
    for (location, styles) in [
        ("path", &["simple", "label", "matrix"][..]),
        ("query", &["form", "spaceDelimited", "pipeDelimited", "deepObject"]),
        ("header", &["simple"]),
        ("cookie", &["form", "cookie"]),
    ] {
        for (style, explode, (kind, text)) in styles
            .iter()
            .flat_map(|style| [false, true].map(|explode| (*style, explode)))
            .flat_map(|(style, explode)| SCHEMAS.map(|schema| (style, explode, schema)))
        {
            let is_plain = kind == "scalar" && !matches!(style, "label" | "matrix" | "cookie");
            let expected = if is_plain {
                json!({"location": location})
            } else {
                json!({"location": location, "style": style, "explode": explode})
            };
            let rule = rule(location, Some(style), Some(explode), &schema(text));
            assert_eq!(rule, expected, "{location} {style} {explode} {kind}");
        }
    }
}

#[test]
fn absent_styles_have_the_defaults_of_their_location() {
    for (location, style, explode, expected_style, expected_explode) in [
        ("path", None, None, "simple", false),
        ("path", Some("label"), None, "label", false),
        ("query", None, None, "form", true),
        ("query", None, Some(false), "form", false),
        ("query", Some("spaceDelimited"), None, "spaceDelimited", false),
        ("query", Some("deepObject"), None, "deepObject", false),
        ("header", None, None, "simple", false),
        ("header", None, Some(true), "simple", true),
        ("cookie", None, None, "form", true),
        ("cookie", Some("cookie"), None, "cookie", true),
    ] {
        for (_, text) in SCHEMAS.iter().skip(1) {
            let rule = rule(location, style, explode, &schema(text));
            let expected = json!({"location": location, "style": expected_style, "explode": expected_explode});
            assert_eq!(rule, expected, "{location} {style:?} {explode:?}");
        }
    }
}

#[test]
fn a_style_of_another_location_is_replaced_with_a_warning() {
    for (location, style, expected) in [
        ("path", "form", "simple"),
        ("query", "matrix", "form"),
        ("header", "form", "simple"),
        ("cookie", "simple", "form"),
    ] {
        let list = schema(SCHEMAS[1].1);
        assert_eq!(rule(location, Some(style), None, &list)["style"], expected, "{location} {style}");
    }
    let parameter = json!([{"name": "p", "in": "query", "style": "matrix", "schema": {"type": "array"}}]);
    assert_eq!(super::codes(&get(&parameter)), ["style_unknown"]);
}

#[test]
fn allow_reserved_applies_in_the_path_and_the_query() {
    for (location, path, expected) in [
        ("query", "/x", json!({"location": "query", "allow_reserved": true})),
        ("path", "/x/{p}", json!({"location": "path", "allow_reserved": true})),
        ("header", "/x", json!({"location": "header"})),
    ] {
        let parameter = json!({
            "name": "p", "in": location, "allowReserved": true, "required": true, "schema": {"type": "string"},
        });
        let candidate = only_candidate(&document(&json!({path: {"get": {"parameters": [parameter]}}})));
        assert_eq!(mapping(&candidate)["p"], expected);
    }
}

#[test]
fn values_that_may_be_lists_have_a_style() {
    for (schema, has_style) in [
        (json!({"type": ["string", "null"]}), false),
        (json!({"enum": ["a", 1]}), false),
        (json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}), false),
        (json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {}}]}), true),
        (json!({"type": ["string", "array"]}), true),
        (json!({}), true),
    ] {
        let rule = rule("query", None, None, &schema);
        assert_eq!(rule.get("style").is_some(), has_style, "{schema}");
    }
}

#[test]
fn parameters_with_json_content_are_sent_as_json() {
    for (location, path) in [("query", "/x"), ("path", "/x/{p}"), ("header", "/x"), ("cookie", "/x")] {
        for media_type in ["application/json", "application/vnd.a+json"] {
            let parameter = json!({
                "name": "p", "in": location, "required": true,
                "content": {media_type: {"schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}},
            });
            let candidate = only_candidate(&document(&json!({path: {"get": {"parameters": [parameter]}}})));
            assert_eq!(mapping(&candidate), json!({"p": {"location": location, "style": "json"}}), "{location}");
        }
    }
    let parameter = json!([{"name": "p", "in": "query", "content": {"text/csv": {"schema": {"type": "string"}}}}]);
    let candidate = get(&parameter);
    assert_eq!(mapping(&candidate), json!({"p": {"location": "query"}}));
    assert_eq!(
        super::properties(&candidate)["p"],
        json!({"type": "string", "description": "A text of the type text/csv."})
    );
}

#[test]
fn collection_formats_of_swagger_are_styles() {
    let list = json!({"type": "array", "items": {"type": "string"}});
    for (location, format, expected) in [
        ("query", None, json!({"location": "query", "style": "form", "explode": false})),
        ("query", Some("csv"), json!({"location": "query", "style": "form", "explode": false})),
        ("query", Some("ssv"), json!({"location": "query", "style": "spaceDelimited", "explode": false})),
        ("query", Some("tsv"), json!({"location": "query", "style": "tabDelimited", "explode": false})),
        ("query", Some("pipes"), json!({"location": "query", "style": "pipeDelimited", "explode": false})),
        ("query", Some("multi"), json!({"location": "query", "style": "form", "explode": true})),
        ("path", Some("csv"), json!({"location": "path", "style": "simple", "explode": false})),
        ("header", None, json!({"location": "header", "style": "simple", "explode": false})),
        // No style has these separators, so the argument is the joined text.
        ("path", Some("pipes"), json!({"location": "path"})),
        ("header", Some("ssv"), json!({"location": "header"})),
    ] {
        let mut parameter = list.clone();
        parameter["name"] = "p".into();
        parameter["in"] = location.into();
        parameter["required"] = true.into();
        if let Some(format) = format {
            parameter["collectionFormat"] = format.into();
        }
        let path = if location == "path" { "/x/{p}" } else { "/x" };
        let candidate = only_candidate(&swagger(&json!({path: {"get": {"parameters": [parameter]}}})));
        assert_eq!(mapping(&candidate)["p"], expected, "{location} {format:?}");
        let is_text = expected.get("style").is_none();
        assert_eq!(super::codes(&candidate).contains(&"list_as_text"), is_text, "{location} {format:?}");
        assert_eq!(super::properties(&candidate)["p"]["type"], if is_text { "string" } else { "array" });
    }
}
