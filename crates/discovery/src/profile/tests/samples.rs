//! An adapted schema accepts the arguments that the stored schema accepts.

use jsonschema::is_valid;
use serde_json::{Value, json};
use toolgate_domain::client_profile::ClientProfile;

use super::adapted;

/// Schemas with arguments that they accept.
fn samples() -> Vec<(Value, Vec<Value>)> {
    let contact = json!({
        "oneOf": [
            {"properties": {"type": {"const": "mail"}, "address": {"type": "string"}}, "required": ["type", "address"], "additionalProperties": false},
            {"properties": {"type": {"const": "phone"}, "number": {"type": "integer"}}, "required": ["type", "number"], "additionalProperties": false},
        ],
    });
    let by_id_or_name = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "mode": {"type": "string"}},
        "anyOf": [{"required": ["id"]}, {"required": ["name"], "properties": {"mode": {"const": "exact"}}}],
    });
    let parts = json!({
        "allOf": [{"$ref": "#/$defs/page"}, {"properties": {"q": {"type": "string"}}, "required": ["q"]}],
        "$defs": {"page": {"type": "object", "properties": {"page": {"type": "integer", "exclusiveMinimum": 0}}}},
    });
    let tree = json!({
        "type": "object",
        "properties": {"root": {"$ref": "#/definitions/node"}},
        "definitions": {"node": {"type": "object", "properties": {"v": {"type": ["integer", "null"]}, "next": {"$ref": "#/definitions/node"}}, "required": ["v"]}},
    });
    let values = json!({
        "type": "object",
        "properties": {
            "level": {"enum": [1, 2, "high"]},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "count": {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 2},
            "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "either": {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "array", "items": {"type": "string"}}]},
            "both": {"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 4, "minLength": 1}]},
        },
    });
    vec![
        (contact, vec![json!({"type": "mail", "address": "a"}), json!({"type": "phone", "number": 1})]),
        (
            by_id_or_name,
            vec![
                json!({"id": 1, "mode": "any"}),
                json!({"name": "x", "mode": "exact"}),
                json!({"id": 1, "name": "x"}),
                json!({"id": 2, "z": 1}),
            ],
        ),
        (parts, vec![json!({"q": "x"}), json!({"q": "x", "page": 1, "other": true})]),
        (tree, vec![json!({"root": {"v": 1, "next": {"v": 2, "next": {"v": 3, "next": {"v": 4}}}}}), json!({})]),
        (
            values,
            vec![
                json!({"level": 1, "ratio": 0.5, "count": 2}),
                json!({"level": "high", "tuple": ["a", 1, true], "map": {"a": "b"}}),
                json!({"either": "abc", "both": "ab"}),
                json!({"either": ["abcdef"], "both": "abcd"}),
            ],
        ),
    ]
}

#[test]
fn accepted_arguments_stay_accepted() {
    for (schema, accepted) in samples() {
        for profile in ClientProfile::ALL {
            let adapted = adapted(profile, &schema);
            for arguments in &accepted {
                assert!(is_valid(&schema, arguments), "the sample {arguments} is wrong");
                assert!(is_valid(&adapted, arguments), "{profile:?}: {adapted} refuses {arguments}");
            }
        }
    }
}

#[test]
fn arguments_that_every_variant_requires_stay_required() {
    let (schema, _) = samples().swap_remove(0);
    for profile in ClientProfile::ALL {
        assert!(!is_valid(&adapted(profile, &schema), &json!({})), "{profile:?}");
    }
}
