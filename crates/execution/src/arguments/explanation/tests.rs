//! Tests of explanations: their texts, and their limits with hostile schemas.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn explain_call(schema: &Value, arguments: &Value) -> FailureText {
    let compiled = InputSchema::compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let violations = compiled.validate(arguments).expect_err("the arguments are refused");
    compiled.explain("list_tickets", arguments, &violations)
}

fn message(schema: &Value, arguments: &Value) -> String {
    let text = explain_call(schema, arguments);
    let tokens = estimate(&text.message) + estimate(&text.advice);
    assert!(tokens <= TOKENS_MAX, "{tokens} tokens: {text:?}");
    text.message
}

fn tickets() -> Value {
    json!({"type": "object", "required": ["state"], "properties": {
        "state": {"type": "string", "enum": ["new", "solved", "closed"]},
        "per_page": {"type": "integer", "minimum": 1, "maximum": 50},
        "agent_id": {"type": "string", "pattern": "^agt_[a-f0-9]+$", "description": "Id of the agent, such as agt_31c0"},
        "pin": {"type": "string", "writeOnly": true, "maxLength": 4},
        "due": {"type": "string", "format": "date"},
        "lines": {"type": "array", "items": {"type": "object", "required": ["project", "minutes"], "properties": {
            "project": {"type": "string", "description": "Name of the project. Case matters."},
            "minutes": {"type": "integer", "minimum": 1}}}},
        "contact": {"oneOf": [
            {"type": "object", "required": ["type", "address"], "properties": {"type": {"const": "mail"}, "address": {"type": "string"}}},
            {"type": "object", "required": ["type", "number"], "properties": {"type": {"const": "phone"}, "number": {"type": "string"}}}]},
    }})
}

#[test]
fn unknown_arguments_are_named_next_to_refused_ones() {
    let text = message(&tickets(), &json!({"state": "close", "perpage": 5}));
    assert!(text.ends_with(r#""perpage" is not an argument of list_tickets: did you mean "per_page"?"#), "{text}");
    // A misspelt name is a problem once.
    let text = message(&tickets(), &json!({"sate": "new", "per_page": 0}));
    assert_eq!(text.matches("\"sate\"").count(), 1, "{text}");
    let mut open = tickets();
    open["additionalProperties"] = json!({"type": "string"});
    let text = message(&open, &json!({"state": "close", "colour": "red"}));
    assert!(!text.contains("colour"), "{text}");
    assert!(!message(&json!({"required": ["a"]}), &json!({"b": 1})).contains("not an argument"));
}

#[test]
fn violated_rules_for_members_and_items_are_explained() {
    let schema = json!({"properties": {
        "a": {"minProperties": 1, "propertyNames": {"pattern": "^[a-z]+$"}},
        "b": {"contains": {"const": 7}}, "c": {"not": {"const": 7}}, "d": {"const": 7},
        "e": {"prefixItems": [{}], "items": false},
        "f": {"anyOf": [{"required": ["id"]}, {"required": ["name", "city"]}]},
    }});
    for (arguments, expected) in [
        (json!({"a": {}}), r#""a" must have at least 1 member."#),
        (json!({"a": {"B": 1}}), r#""a" has a member "B" whose name is not allowed: names match ^[a-z]+$."#),
        (json!({"b": [1]}), r#""b" must have an item that is 7."#),
        (json!({"c": 7}), r#""c" must not be 7."#),
        (json!({"d": 8}), r#""d" must be 7, not 8."#),
        (json!({"e": [1, 2]}), "e[1] is not allowed."),
        (json!({"f": {}}), r#""f" needs "id" or "name" and "city"."#),
    ] {
        assert_eq!(message(&schema, &arguments), expected);
    }
}

#[test]
fn each_kind_of_problem_is_explained() {
    let cases = [
        (json!({}), r#""state" is missing (required). It takes "new", "solved" or "closed"."#),
        (json!({"state": "new", "per_page": "all"}), r#""per_page" must be an integer from 1 to 50, not "all"."#),
        (json!({"state": "new", "per_page": 500}), r#""per_page" must be from 1 to 50, not 500."#),
        (
            json!({"sate": "new"}),
            r#""sate" is not an argument of list_tickets: did you mean "state" (required: "new", "solved" or "closed")?"#,
        ),
        (
            json!({"state": "close"}),
            r#""state" cannot be "close": did you mean "closed"? It takes "new", "solved" or "closed"."#,
        ),
        (
            json!({"state": "new", "agent_id": "Kim"}),
            r#""agent_id" cannot be "Kim": it looks like agt_31c0 (^agt_[a-f0-9]+$)."#,
        ),
        (
            json!({"state": "new", "lines": [{"project": "a", "minutes": 1}, {"project": "a", "minutes": 1}, {"project": "b", "minutes": "an hour"}]}),
            r#"lines[2].minutes must be an integer of at least 1, not "an hour"."#,
        ),
        (
            json!({"state": "new", "lines": [{"minutes": 5}]}),
            "lines[0].project is missing (required). It takes text: Name of the project.",
        ),
        (
            json!({"state": "new", "lines": "a, b"}),
            r#""lines" must be a list of objects {project, minutes}, not a string."#,
        ),
        (
            json!({"state": "new", "contact": {"type": "mail", "number": "1"}}),
            r#"contact with "type":"mail" needs "address"; "number" belongs to "type":"phone"."#,
        ),
        (
            json!({"state": "new", "contact": {"type": "post"}}),
            r#"contact.type cannot be "post". It takes "mail" or "phone"."#,
        ),
        (
            json!({"state": "new", "contact": 5}),
            r#""contact" must be an object {type, address} or an object {type, number}, not 5."#,
        ),
        (json!({"state": "new", "pin": "secret-12345"}), r#""pin" must be text of at most 4 characters."#),
    ];
    for (arguments, expected) in cases {
        assert_eq!(message(&tickets(), &arguments), expected, "{arguments}");
    }
}

#[test]
fn the_advice_says_what_to_send() {
    let advice = |arguments: Value| explain_call(&tickets(), &arguments).advice;
    assert_eq!(advice(json!({})), r#"Call list_tickets again with it, for example {"state":"new"}."#);
    assert_eq!(advice(json!({"state": "new", "per_page": "all"})), "Call list_tickets again with a whole number.");
    assert_eq!(advice(json!({"state": "new", "lines": "a"})), "Send it as JSON, not quoted.");
    let two = explain_call(&tickets(), &json!({"per_page": 0, "state": "x"}));
    assert_eq!(two.advice, r#"Correct them and call list_tickets again. Example: {"state":"new"}"#);
    assert!(two.message.contains("per_page") && two.message.contains("\"x\""), "{two:?}");
}

#[test]
fn unknown_arguments_are_refused_with_the_closest_name() {
    let mut schema = tickets();
    schema["additionalProperties"] = json!(false);
    let text = message(&schema, &json!({"state": "new", "perpage": 5}));
    assert_eq!(text, r#""perpage" is not an argument of list_tickets: did you mean "per_page"?"#);
    let text = message(&json!({"additionalProperties": false, "properties": {"a": {}}}), &json!({"colour": 1}));
    assert_eq!(text, r#""colour" is not an argument of list_tickets. It takes "a"."#);
}

#[test]
fn of_many_values_the_closest_are_shown() {
    let values: Vec<String> = (0..42).map(|index| format!("region-{index}")).collect();
    let text = message(&json!({"properties": {"region": {"enum": values}}}), &json!({"region": "regoin-7"}));
    assert!(
        text.starts_with(r#""region" cannot be "regoin-7": did you mean "region-7"? It takes "region-7", "#),
        "{text}"
    );
    assert!(text.ends_with("… 37 more."), "{text}");
}

#[test]
fn examples_are_valid_calls() {
    let schema = json!({"type": "object", "required": ["a", "b", "c", "d", "e"], "properties": {
        "a": {"type": "string", "format": "date"}, "b": {"type": "integer", "minimum": 3},
        "c": {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
        "d": {"type": "object", "required": ["x"], "properties": {"x": {"default": 7}}},
        "e": {"$ref": "#/$defs/e"}}, "$defs": {"e": {"type": "string", "examples": ["sample"]}}});
    let compiled = InputSchema::compile(&schema).unwrap();
    let example = example::smallest_call(&SchemaView::new(&schema, &compiled)).unwrap();
    assert_eq!(example, r#"{"a":"2026-01-31","b":3,"c":[true,true],"d":{"x":7},"e":"sample"}"#);
}

#[test]
fn secrets_are_not_shown() {
    let schema = json!({"required": ["key"], "properties": {
        "key": {"type": "string", "format": "password", "pattern": "^k", "default": "k-default"},
        "o": {"writeOnly": true, "properties": {"x": {"enum": ["a"]}}}}});
    for arguments in
        [json!({"key": "SECRET"}), json!({"key": "k", "o": {"x": "SECRET"}}), json!({"o": {"x": "SECRET"}})]
    {
        let text = explain_call(&schema, &arguments);
        assert!(!text.full_text().contains("SECRET") && !text.full_text().contains("k-default"), "{text:?}");
    }
}

#[test]
fn hostile_schemas_have_short_explanations() {
    let long = "n".repeat(5000);
    let many: serde_json::Map<String, Value> =
        (0..900).map(|index| (format!("argument_with_a_long_name_{index}"), json!({"enum": [index]}))).collect();
    let names: Vec<String> = many.keys().cloned().collect();
    let values: Vec<String> = (0..20_000).map(|index| format!("{index}-{}", "v".repeat(index % 90))).collect();
    let tree = json!({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "required": ["t"], "properties": {"t": {"$ref": "#/$defs/t"}}}}});
    let cases = [
        (
            json!({"properties": many.clone(), "required": names, "additionalProperties": false}),
            json!({"argument_with_a_long_name": 1}),
        ),
        (json!({"properties": many}), json!({"argument_with_a_long_name_1": "x", "argument_with_a_long_name_2": long})),
        (json!({"properties": {"e": {"enum": values}}}), json!({"e": "999-vv"})),
        (
            json!({"required": [long], "properties": {(long.clone()): {"description": long, "pattern": "^[a-z]{1,4000}$"}}}),
            json!({}),
        ),
        (
            json!({"properties": {"a": {"pattern": "^[a-z]{1,4000}$", "description": long}}}),
            json!({"a": long.to_uppercase()}),
        ),
        (tree, json!({"t": {"t": {"t": 5}}})),
        (json!({"anyOf": (0..300).map(|i| json!({"required": [format!("r{i}")]})).collect::<Vec<_>>()}), json!({})),
        (json!({"properties": {"\u{202e}\n\"": {"type": "integer"}}}), json!({"\u{202e}\n\"": "x\n\"y"})),
    ];
    for (schema, arguments) in cases {
        let text = message(&schema, &arguments);
        assert!(!text.is_empty() && text.chars().count() <= 400, "{text}");
    }
}

/// A schema for one argument.
fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "integer", "minimum": 1, "maximum": 5})),
        Just(json!({"type": "string", "pattern": "^[a-c]+$"})),
        Just(json!({"enum": ["red", "green", 3, null]})),
        Just(json!({"type": ["boolean", "null"]})),
        Just(json!({"const": "on"})),
        Just(json!({"type": "string", "format": "date", "writeOnly": true})),
        Just(json!({"not": {"type": "string"}})),
        Just(json!(false)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "minItems": 1})),
            (inner.clone(), any::<bool>()).prop_map(|(member, closed)| {
                json!({"type": "object", "properties": {"m": member}, "required": ["m"], "additionalProperties": !closed})
            }),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|variants| json!({"anyOf": variants})),
            prop::collection::vec(inner, 1..3).prop_map(|variants| json!({"oneOf": variants})),
        ]
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        (-2_i64..9).prop_map(|n| json!(n)),
        "[a-d\"\u{e9}\n]{0,50}".prop_map(Value::from),
        Just(json!("red")),
        Just(json!("on")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[mx]", inner, 0..3).prop_map(|members| json!(members)),
        ]
    })
}

proptest! {
    #[test]
    fn every_refusal_is_explained_within_the_limit(schema in any_schema(), value in any_json()) {
        let schema = json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
        let compiled = InputSchema::compile(&schema).unwrap();
        let arguments = json!({"a": value});
        if let Err(violations) = compiled.validate(&arguments) {
            let text = compiled.explain("tool", &arguments, &violations);
            prop_assert!(!text.message.is_empty() && !text.advice.is_empty());
            prop_assert!(estimate(&text.message) + estimate(&text.advice) <= TOKENS_MAX, "{:?}", text);
        }
    }
}
