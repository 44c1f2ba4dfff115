//! Shaping preserves validity: a value that is valid for the output schema is valid after both are shaped.

use jsonschema::validator_for;
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Map, Value, json};
use toolgate_domain::json::JsonObject;
use toolgate_shaping::{shape_output_schema, shape_structured};

use crate::helpers::rules;

const NAMES: [&str; 5] = ["id", "name", "url", "items", "user"];

/// A schema and a value that is valid for it.
fn schemas_with_values() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(|number| (json!({"type": "integer"}), json!(number))),
        "[a-z]{0,8}".prop_map(|text| (json!({"type": "string", "maxLength": 8}), json!(text))),
        "[a-z]{1,4}".prop_map(|text| (json!({"enum": [text, "x"]}), json!(text))),
        Just((json!({"type": ["object", "null"], "properties": {"id": {}}}), Value::Null)),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            (prop::collection::vec((prop::sample::select(NAMES.to_vec()), inner.clone()), 0..5), any::<bool>(), 0..3u8)
                .prop_map(|(members, is_closed, variant)| object(&members, is_closed, variant)),
            (inner, 0..6usize, any::<bool>()).prop_map(|((schema, value), count, is_exact)| {
                let items_min = if is_exact { count } else { 0 };
                (json!({"type": "array", "items": schema, "minItems": items_min}), Value::Array(vec![value; count]))
            }),
        ]
    })
}

/// `variant` selects how the schema is written: plain, within `allOf`, or within `oneOf`.
fn object(members: &[(&str, (Value, Value))], is_closed: bool, variant: u8) -> (Value, Value) {
    let (mut properties, mut value) = (Map::new(), Map::new());
    for (name, (schema, member)) in members {
        properties.insert((*name).to_owned(), schema.clone());
        value.insert((*name).to_owned(), member.clone());
    }
    let required: Vec<&String> = value.keys().collect();
    let schema = json!({"type": "object", "properties": properties, "required": required,
        "minProperties": value.len(), "additionalProperties": !is_closed});
    let schema = match variant {
        0 => schema,
        1 => json!({"allOf": [schema, {"not": {"required": ["absent"]}}]}),
        _ => json!({"oneOf": [schema, {"type": "object", "required": ["absent"]}]}),
    };
    (schema, Value::Object(value))
}

fn projections() -> impl Strategy<Value = String> {
    let path = prop::collection::vec(prop::sample::select(vec!["id", "name", "items", "user", "*", "u*"]), 1..4);
    let paths = prop::collection::vec(path.prop_map(|steps| steps.join(".")), 0..4);
    let tokens = prop::option::of(Just(200));
    (paths.clone(), paths, tokens).prop_map(|(fields, omit, max_tokens)| {
        json!({"fields": fields, "omit": omit, "max_tokens": max_tokens}).to_string()
    })
}

proptest! {
    #![proptest_config(Config { cases: 256, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_projected_value_is_valid_for_the_projected_schema((schema, value) in schemas_with_values(), shaping in projections()) {
        let shaping = rules(&shaping);
        prop_assert!(validator_for(&schema).unwrap().is_valid(&value), "{} {}", schema, value);
        let projected = shape_output_schema(&JsonObject::from_stored(schema.to_string()), &shaping).to_value();
        let validator = validator_for(&projected).unwrap();
        let shaped = shape_structured(&value, &shaping, |value| validator.is_valid(value));
        prop_assert!(validator.is_valid(&shaped), "{} {}", projected, shaped);
        // Without a budget, the projection itself is valid; no validation chooses between values.
        let mut without_budget = shaping;
        without_budget.max_tokens = None;
        let projection = shape_structured(&value, &without_budget, |_| true);
        prop_assert!(validator.is_valid(&projection), "{} {}", projected, projection);
    }
}
