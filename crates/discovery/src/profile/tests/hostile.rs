//! Schemas that break careless code: recursive, wide, deep, and with keywords of the wrong type.

use proptest::prelude::{Just, Strategy, any, prop};
use proptest::strategy::Union;
use serde_json::{Map, Value, json};

/// Schemas written by hand.
pub(super) fn schemas() -> Vec<Value> {
    let wide = |keyword: &str| {
        let variants: Vec<Value> = (0..1000)
            .map(|n| json!({"properties": {format!("p{n}"): {"maxLength": n}, "shared": {"multipleOf": n + 1}}, "required": ["shared"]}))
            .collect();
        json!({keyword: variants})
    };
    let deep =
        (0..100).fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"a": inner}}));
    let deep_variants =
        (0..60).fold(json!({"required": ["x"]}), |inner, n| json!({"oneOf": [inner, {"required": [format!("r{n}")]}]}));
    let definitions: Map<String, Value> = (0..30)
        .map(|n| {
            let next = format!("#/definitions/d{}", n + 1);
            (format!("d{n}"), json!({"properties": {"a": {"$ref": next}, "b": {"$ref": next}}}))
        })
        .collect();
    let large: String = "x".repeat(100_000);
    vec![
        json!({}),
        json!({"$ref": "#"}),
        json!({"oneOf": [{"$ref": "#"}, {"$ref": "#/oneOf/0"}]}),
        json!({"anyOf": [true, false, {"type": "null"}, {"type": "string"}]}),
        json!({"allOf": [], "oneOf": {}, "anyOf": 7, "type": "string"}),
        json!({"type": ["object", "null"], "properties": []}),
        json!({"properties": {"a": true, "b": false, "c": 7, "d": null}, "required": "a"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a"}, "b": {"$ref": "#/properties/b/items", "items": {"$ref": "#/properties/b"}}}}),
        json!({"type": "object", "properties": {"a": {"$dynamicRef": "#x"}, "b": {"$recursiveRef": "#"}}, "$defs": {"x": {"$dynamicAnchor": "x"}}}),
        json!({"type": "object", "properties": {"a": {"$id": "https://a.example/s", "$defs": {"q": {"type": "string"}}, "$ref": "#/$defs/q"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a~1b"}, "b": {"$ref": "#/$defs/a/properties/c"}}, "$defs": {"a/b": {}, "a": {"properties": {"c": {"$ref": "#/$defs/a"}}}}}),
        json!({"type": "object", "properties": {"a": {"$ref": 7}, "b": {"$ref": "#/$defs/none"}, "c": {"$ref": "other.json"}}}),
        json!({"type": "object", "properties": {"a": {"allOf": [{"oneOf": [{"const": 1}, {"enum": ["", "b"]}]}, {"type": "string"}]}}}),
        json!({"type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}, {"const": null}], "additionalItems": false}}}),
        json!({"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{"enum": [1, 2]}, {"enum": [3]}], "items": false}}}),
        json!({"type": "object", "properties": {"a": {"type": ["string", "integer", "array", "object", "null"], "exclusiveMinimum": true, "minimum": "x"}}}),
        json!({"type": "object", "properties": {"a": {"if": {"$ref": "#"}, "then": {"$ref": "#/x"}, "not": {"$ref": "#"}, "dependentSchemas": {"x": {"$ref": "#"}}, "dependencies": {"y": ["a"], "z": {"$ref": "#"}}}}}),
        json!({"type": "object", "oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {"a": {"oneOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"oneOf": (0..1000).map(|_| json!({"$ref": "#/$defs/big"})).collect::<Vec<_>>(), "$defs": {"big": {"properties": {"a": {"description": large}}}}}),
        json!({"definitions": definitions, "$ref": "#/definitions/d0"}),
        json!({"$defs": definitions, "properties": {"a": {"enum": [{"$ref": "x"}]}}, "patternProperties": {"^x": {"$ref": "#/$defs/d0"}}}),
        wide("oneOf"),
        wide("anyOf"),
        wide("allOf"),
        json!({"type": "object", "properties": {"nested": wide("oneOf")}}),
        deep,
        deep_variants.clone(),
        json!({"type": "object", "properties": {"nested": deep_variants}}),
    ]
}

/// Schemas of random keywords, with references to each other.
pub(super) fn random_schema() -> impl Strategy<Value = Value> {
    let reference = prop::sample::select(vec![
        "#",
        "#/$defs/a",
        "#/definitions/b",
        "#/properties/a",
        "#/$defs/none",
        "x.json",
        "#c",
    ]);
    let leaf = Union::new([
        reference.prop_map(|reference| json!({"$ref": reference})).boxed(),
        any::<bool>().prop_map(Value::Bool).boxed(),
        prop::sample::select(vec!["string", "integer", "null", "array", "object", "number"])
            .prop_map(|kind| json!({"type": kind}))
            .boxed(),
        prop::sample::select(vec![
            json!({"const": 1}),
            json!({"enum": ["a", null]}),
            json!({"enum": [1, "a"]}),
            json!({"exclusiveMinimum": 3, "multipleOf": 2, "type": ["integer", "null"]}),
            json!({"format": "email", "type": "string", "examples": ["a"], "$comment": "c"}),
            json!({"required": ["a", "b", "a"], "minProperties": 1}),
            json!({"$id": "urn:x", "$anchor": "c", "additionalProperties": false}),
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": false}),
            json!(7),
        ])
        .boxed(),
    ]);
    leaf.prop_recursive(4, 40, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        let member = Union::new([
            (
                prop::sample::select(vec!["oneOf", "anyOf", "allOf", "prefixItems", "items"]),
                list.prop_map(Value::Array),
            )
                .boxed(),
            (prop::sample::select(vec!["items", "not", "if", "additionalProperties", "contains"]), inner.clone())
                .boxed(),
            (
                prop::sample::select(vec!["properties", "$defs", "definitions", "patternProperties"]),
                prop::collection::vec((prop::sample::select(vec!["a", "b", "c"]), inner.clone()), 0..3).prop_map(
                    |members| {
                        members
                            .into_iter()
                            .map(|(name, schema)| (name.to_owned(), schema))
                            .collect::<Map<_, _>>()
                            .into()
                    },
                ),
            )
                .boxed(),
            (Just("type"), prop::sample::select(vec![json!("object"), json!(["object", "string"]), json!("array")]))
                .boxed(),
            (Just("$ref"), prop::sample::select(vec![json!("#"), json!("#/$defs/a"), json!("#/definitions/b")]))
                .boxed(),
            (Just("description"), Just(json!("text"))).boxed(),
        ]);
        prop::collection::vec(member, 1..5).prop_map(|members| {
            members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
        })
    })
}
