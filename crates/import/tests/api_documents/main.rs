//! Property tests of the reader of API descriptions: any bytes, and documents composed of typical parts.

#[path = "../../../../fuzz/properties/api_document.rs"]
mod api_document;
#[path = "../../../../fuzz/properties/api_import.rs"]
mod api_import;

use proptest::prelude::*;
use serde_json::{Value, json};

/// Parts of YAML and JSON documents.
const FRAGMENTS: &[&str] = &[
    "openapi: 3.1.0\n",
    "swagger: '2.0'\n",
    "paths:\n",
    "  /a:\n",
    "    get:\n",
    "      parameters:\n",
    "      - ",
    "schema: ",
    "{type: object}",
    "&a ",
    "*a",
    "<<: *a\n",
    "<<",
    ": ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "'",
    "|\n",
    ">-\n",
    "---\n",
    "...\n",
    "!!str ",
    "!x ",
    "? ",
    "# c\n",
    "  ",
    "\t",
    "\u{FEFF}",
    "\u{0}",
    "\u{202E}",
    "\\u0000",
    "200: ",
    "$ref: '#/a'\n",
    "{\"openapi\": \"3.0.0\", \"paths\": {",
    "0x1F",
    "1e999",
    "-",
    "~",
    "%TAG ! x\n",
];

fn mixed_fragments() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(FRAGMENTS.to_vec()), 0..30).prop_map(|parts| parts.concat())
}

/// Any JSON value, composed of member names and texts that occur in documents.
fn any_value() -> impl Strategy<Value = Value> {
    let texts = vec![
        "#/components/schemas/A",
        "#/components/parameters/P",
        "#/paths",
        "#",
        "string",
        "object",
        "array",
        "query",
        "^a",
        "(?=x)",
        "x.yaml",
        "",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(texts).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let names = vec![
        "$ref",
        "type",
        "properties",
        "items",
        "allOf",
        "oneOf",
        "anyOf",
        "not",
        "enum",
        "required",
        "schema",
        "content",
        "parameters",
        "requestBody",
        "responses",
        "200",
        "application/json",
        "additionalProperties",
        "nullable",
        "discriminator",
        "mapping",
        "propertyName",
        "default",
        "example",
        "examples",
        "pattern",
        "$anchor",
        "$id",
        "$defs",
        "a",
        "b",
        "readOnly",
        "description",
        "patternProperties",
        "minimum",
        "exclusiveMinimum",
    ];
    leaf.prop_recursive(6, 80, 6, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => prop::collection::vec((prop::sample::select(names.clone()), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())),
        ]
    })
}

fn any_document() -> impl Strategy<Value = Value> {
    let version = prop::sample::select(vec!["3.0.3", "3.1.0", "3.2.0"]);
    (version, prop::collection::vec(any_value(), 6)).prop_map(|(version, values)| {
        let [operation, parameter, body, first, second, path_item] = &values[..] else { return Value::Null };
        json!({
            "openapi": version,
            "paths": {
                "/a": {"get": operation, "parameters": [parameter, {"$ref": "#/components/parameters/P"}]},
                "/b": {"post": {"requestBody": {"content": {"application/json": {"schema": body}}}}},
                "/c": path_item,
            },
            "components": {"schemas": {"A": first, "B": second}, "parameters": {"P": parameter}},
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        api_document::check(&bytes);
    }

    #[test]
    fn any_text_is_read_or_rejected(text in any::<String>()) {
        api_document::check(text.as_bytes());
    }

    #[test]
    fn any_mixture_of_fragments_is_read_or_rejected(text in mixed_fragments()) {
        api_document::check(text.as_bytes());
        api_document::check(format!("openapi: 3.1.0\npaths:\n  /a:\n    get:\n      {text}").as_bytes());
    }

    #[test]
    fn any_values_in_a_document_are_converted(document in any_document()) {
        api_document::check(document.to_string().as_bytes());
    }

    #[test]
    fn any_document_is_imported_or_rejected(document in any_document()) {
        api_import::check(document.to_string().as_bytes());
        let mut swagger = document;
        swagger["swagger"] = "2.0".into();
        swagger.as_object_mut().map(|members| members.shift_remove("openapi"));
        api_import::check(swagger.to_string().as_bytes());
    }

    #[test]
    fn any_fragments_are_imported_or_rejected(text in mixed_fragments()) {
        api_import::check(format!("openapi: 3.1.0\npaths:\n  /a:\n    get:\n      {text}").as_bytes());
    }
}
