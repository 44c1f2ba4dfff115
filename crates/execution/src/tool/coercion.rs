//! Coerces arguments that the schema refuses into valid ones, if possible.

use serde_json::value::RawValue;

use super::argument_text::{self, ArgumentTexts};
use crate::arguments::InputSchema;
use crate::arguments::coercion::{ArgumentChange, NewValue};

/// Maximum number of rounds of changes: a list that was sent as text may contain numbers that were sent as text.
const ROUNDS_MAX: usize = 4;

/// The arguments after the changes that make them valid; `None` if there are no such changes.
pub(super) fn coerce(schema: &InputSchema, refused: &ArgumentTexts) -> Option<ArgumentTexts> {
    let mut texts = refused.clone();
    for _ in 0..ROUNDS_MAX {
        let (value, _) = argument_text::parse(&argument_text::to_json(&texts))?;
        let changes = schema.coercions(&value);
        if changes.is_empty() {
            return None;
        }
        for ArgumentChange { pointer, new } in &changes {
            let mut steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
            change_member(&mut texts, &steps.next()?, &mut steps, new);
        }
        let (value, _) = argument_text::parse(&argument_text::to_json(&texts))?;
        if schema.accepts(&value) {
            return Some(texts);
        }
    }
    None
}

/// Changes a part of one member; `None` if there is no such part.
fn change_member(
    members: &mut ArgumentTexts,
    name: &str,
    steps: &mut dyn Iterator<Item = String>,
    new: &NewValue,
) -> Option<()> {
    match (steps.next(), new) {
        (None, NewValue::Text(new)) => *members.get_mut(name)? = new.as_str().into(),
        (None, NewValue::Removed) => drop(members.shift_remove(name)?),
        (Some(step), _) => {
            let member = members.get_mut(name)?;
            *member = changed(member, &step, steps, new)?.into();
        }
    }
    Some(())
}

/// The text of an object or an array with one part changed. Texts are edited, so that long numbers keep their digits.
fn changed(text: &str, step: &str, steps: &mut dyn Iterator<Item = String>, new: &NewValue) -> Option<String> {
    if text.starts_with('{') {
        let (_, mut members) = argument_text::parse(text)?;
        change_member(&mut members, step, steps, new)?;
        return Some(argument_text::to_json(&members));
    }
    let mut items: Vec<Box<str>> =
        serde_json::from_str::<Vec<&RawValue>>(text).ok()?.into_iter().map(|item| item.get().into()).collect();
    let item = items.get_mut(step.parse::<usize>().ok()?)?;
    *item = match (steps.next(), new) {
        (None, NewValue::Text(new)) => new.as_str().into(),
        // Removing an item would change the indexes of the others.
        (None, NewValue::Removed) => return None,
        (Some(step), _) => changed(item, &step, steps, new)?.into(),
    };
    Some(format!("[{}]", items.join(",")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn coerced(schema: &Value, arguments: &str) -> Option<String> {
        let (value, texts) = argument_text::parse(arguments).unwrap();
        let schema = InputSchema::compile(schema).unwrap();
        assert!(!schema.accepts(&value), "{arguments} is valid");
        coerce(&schema, &texts).map(|texts| argument_text::to_json(&texts))
    }

    #[test]
    fn texts_and_nulls_become_values_that_the_schema_accepts() {
        let schema = json!({"properties": {
            "n": {"type": "integer"}, "f": {"type": ["number", "null"]}, "l": {"type": "array", "items": {"type": "integer"}},
            "o": {"type": "object"}, "e": {"enum": ["new", "Closed"]}, "s": {"type": "string"}, "c": {"const": "ON"},
            "u": {"anyOf": [{"type": "integer"}, {"type": "array"}]}, "p": {"enum": [10, 20]},
            "d": {"type": "object", "properties": {"x~/y": {"type": "integer"}}}}, "required": ["s"]});
        for (arguments, expected) in [
            (r#"{"s":"a","n":"10"}"#, r#"{"s":"a","n":10}"#),
            (r#"{"s":"a","n":" 12345678901234567890123 "}"#, r#"{"s":"a","n":12345678901234567890123}"#),
            (r#"{"s":"a","f":"-1.50"}"#, r#"{"s":"a","f":-1.50}"#),
            (r#"{"s":"a","n":null,"l":null}"#, r#"{"s":"a"}"#),
            (r#"{"s":"a","l":"[1, \"2\", 3]"}"#, r#"{"s":"a","l":[1,2,3]}"#),
            (r#"{"s":"a","o":"{\"k\": 1.0}"}"#, r#"{"s":"a","o":{"k":1.0}}"#),
            (r#"{"s":"a","e":"NEW"}"#, r#"{"s":"a","e":"new"}"#),
            (r#"{"s":"a","e":"closed","c":"on"}"#, r#"{"s":"a","e":"Closed","c":"ON"}"#),
            (r#"{"s":"a","u":"7"}"#, r#"{"s":"a","u":7}"#),
            (r#"{"s":"a","p":"20"}"#, r#"{"s":"a","p":20}"#),
            (r#"{"s":"a","d":{"k":[1.10],"x~/y":"5"}}"#, r#"{"s":"a","d":{"k":[1.10],"x~/y":5}}"#),
        ] {
            assert_eq!(coerced(&schema, arguments).as_deref(), Some(expected), "{arguments}");
        }
    }

    #[test]
    fn arguments_that_no_change_makes_valid_are_refused() {
        let schema = json!({"required": ["n"], "properties": {
            "n": {"type": "integer", "maximum": 50}, "l": {"type": "array", "items": {"type": "integer"}},
            "e": {"enum": ["a", "A"]}, "b": {"type": "boolean"}}});
        for arguments in [
            r#"{"n":null}"#,
            r#"{"n":"ten"}"#,
            r#"{"n":"0x1"}"#,
            r#"{"n":"10.5"}"#,
            r#"{"n":"500"}"#,
            r#"{"n":1,"l":"1,2"}"#,
            r#"{"n":1,"l":"{}"}"#,
            r#"{"n":1,"l":[null]}"#,
            r#"{"n":1,"l":"[\"x\"]"}"#,
            r#"{"n":1,"e":"á"}"#,
            r#"{"n":1,"b":"yes"}"#,
            r#"{"n":true}"#,
        ] {
            assert_eq!(coerced(&schema, arguments), None, "{arguments}");
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            Just(json!(true)),
            (-3_i64..60).prop_map(|number| json!(number)),
            (-3_i64..60).prop_map(|number| json!(number.to_string())),
            prop::sample::select(vec!["red", "RED", "[1]", "[\"2\"]", "{\"m\":\"3\"}", "x", ""]).prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[mk]", inner, 0..3).prop_map(|members| json!(members)),
            ]
        })
    }

    proptest! {
        #[test]
        fn coerced_arguments_are_valid(a in any_value(), b in any_value(), c in any_value()) {
            let schema = InputSchema::compile(&json!({"properties": {
                "a": {"type": "integer", "maximum": 50}, "b": {"enum": ["red", "blue", 5]},
                "c": {"anyOf": [{"type": "array", "items": {"type": "integer"}},
                    {"type": "object", "properties": {"m": {"type": "number"}}, "required": ["m"]}]}}})).unwrap();
            let arguments = json!({"a": a, "b": b, "c": c});
            let (_, texts) = argument_text::parse(&arguments.to_string()).unwrap();
            if schema.accepts(&arguments) {
                prop_assert!(schema.coercions(&arguments).is_empty(), "valid arguments have no changes");
            } else if let Some(texts) = coerce(&schema, &texts) {
                let (value, _) = argument_text::parse(&argument_text::to_json(&texts)).unwrap();
                prop_assert!(schema.accepts(&value));
            }
        }
    }
}
