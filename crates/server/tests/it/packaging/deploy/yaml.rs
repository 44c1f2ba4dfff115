//! YAML documents as JSON values. All scalars are strings, which is enough to compare files.

use std::collections::HashMap;

use granit_parser::{Event, Parser};
use serde_json::{Map, Value, json};

/// The documents of a file, without empty ones. Panics if the text is not YAML.
pub(super) fn parse(text: &str) -> Vec<Value> {
    let mut events = Parser::new_from_str(text).map(|event| event.unwrap_or_else(|error| panic!("{error}: {text}")).0);
    let mut documents = Vec::new();
    while let Some(event) = events.next() {
        if let Event::DocumentStart(..) = event {
            let first = events.next().unwrap();
            documents.push(node(first, &mut events, &mut HashMap::new()));
        }
    }
    documents.retain(Value::is_object);
    documents
}

/// The value that begins with `event`; aliases and merge keys are replaced by their values.
fn node<'i>(
    event: Event<'i>,
    events: &mut impl Iterator<Item = Event<'i>>,
    anchors: &mut HashMap<usize, Value>,
) -> Value {
    let (value, anchor) = match event {
        Event::Scalar(text, _, anchor, _) => (Value::String(text.into_owned()), anchor),
        Event::SequenceStart(_, anchor, _) => (sequence(events, anchors), anchor),
        Event::MappingStart(_, anchor, _) => (mapping(events, anchors), anchor),
        Event::Alias(anchor) => return anchors.get(&anchor).unwrap().clone(),
        other => panic!("unexpected {other:?}"),
    };
    anchors.insert(anchor, value.clone());
    value
}

fn sequence<'i>(events: &mut impl Iterator<Item = Event<'i>>, anchors: &mut HashMap<usize, Value>) -> Value {
    let mut items = Vec::new();
    loop {
        match events.next().unwrap() {
            Event::SequenceEnd => return Value::Array(items),
            event => items.push(node(event, events, anchors)),
        }
    }
}

fn mapping<'i>(events: &mut impl Iterator<Item = Event<'i>>, anchors: &mut HashMap<usize, Value>) -> Value {
    let (mut members, mut merged) = (Map::new(), Map::new());
    loop {
        let key = match events.next().unwrap() {
            Event::MappingEnd => break,
            event => node(event, events, anchors),
        };
        let first = events.next().unwrap();
        let value = node(first, events, anchors);
        match (key.as_str().unwrap(), value) {
            ("<<", Value::Object(value)) => merged.extend(value),
            (key, value) => assert!(members.insert(key.to_owned(), value).is_none(), "{key} occurs twice"),
        }
    }
    merged.extend(members);
    Value::Object(merged)
}

#[test]
fn documents_aliases_and_merge_keys_are_read() {
    let text = "a: &x {b: 1, c: [t, \"2\"]}\nd:\n  <<: *x\n  b: 3\n---\n# empty\n---\ne: f\n";
    let first = json!({"a": {"b": "1", "c": ["t", "2"]}, "d": {"b": "3", "c": ["t", "2"]}});
    assert_eq!(parse(text), [first, json!({"e": "f"})]);
}
