//! Combines several schemas of one argument.

use serde_json::{Map, Value, json};

/// Maximum number of alternatives of one argument; if there are more, only their common type remains.
const ALTERNATIVES_MAX: usize = 16;
/// Keywords that describe a value without restricting it. If both schemas have one, the first is used.
const ANNOTATIONS: [&str; 6] = ["default", "description", "example", "examples", "title", "deprecated"];

/// A schema that accepts every value that one of the alternatives accepts.
pub(super) fn any_of(alternatives: Vec<Value>) -> Value {
    let mut distinct: Vec<Value> = Vec::new();
    for alternative in alternatives.into_iter().filter(|schema| *schema != Value::Bool(false)) {
        if distinct.len() <= ALTERNATIVES_MAX * 64 && !distinct.contains(&alternative) {
            distinct.push(alternative);
        }
    }
    if let Some(values) = closed_values(&distinct) {
        let is_text = values.iter().all(Value::is_string);
        return if is_text { json!({"type": "string", "enum": values}) } else { json!({"enum": values}) };
    }
    match distinct.as_slice() {
        [] => Map::new().into(),
        [_] => distinct.swap_remove(0),
        many if many.iter().any(accepts_anything) => Map::new().into(),
        many if many.len() > ALTERNATIVES_MAX => common_type(many),
        _ => json!({"anyOf": distinct}),
    }
}

/// A schema that accepts every value that both accept. If their keywords conflict, both are listed in `allOf`.
pub(super) fn all_of(first: &Value, second: &Value) -> Value {
    let (Value::Object(a), Value::Object(b)) = (first, second) else {
        return if accepts_anything(first) { second.clone() } else { first.clone() };
    };
    let conflicts = |(keyword, value): (&String, &Value)| {
        !ANNOTATIONS.contains(&keyword.as_str()) && a.get(keyword).is_some_and(|other| other != value)
    };
    if own_parts(first).is_some() || b.iter().any(conflicts) {
        return json!({"allOf": parts(first, second)});
    }
    let mut merged = a.clone();
    for (keyword, value) in b {
        merged.entry(keyword.clone()).or_insert_with(|| value.clone());
    }
    merged.into()
}

/// Both schemas as parts of one `allOf`. If the first is already an `allOf`, its parts are used. Parts beyond the limit
/// are left out.
fn parts(first: &Value, second: &Value) -> Vec<Value> {
    let mut parts = own_parts(first).cloned().unwrap_or_else(|| vec![first.clone()]);
    if parts.len() < ALTERNATIVES_MAX {
        parts.push(second.clone());
    }
    parts
}

/// The parts of a schema that consists only of `allOf`.
fn own_parts(schema: &Value) -> Option<&Vec<Value>> {
    let members = schema.as_object().filter(|members| members.len() == 1)?;
    members.get("allOf")?.as_array()
}

fn accepts_anything(schema: &Value) -> bool {
    match schema {
        Value::Bool(accepts) => *accepts,
        Value::Object(members) => members.keys().all(|keyword| ANNOTATIONS.contains(&keyword.as_str())),
        _ => true,
    }
}

/// The values of all schemas if each accepts only a closed set of scalars; `None` for fewer than two schemas.
fn closed_values(schemas: &[Value]) -> Option<Vec<Value>> {
    if schemas.len() < 2 {
        return None;
    }
    let mut values: Vec<Value> = Vec::new();
    for schema in schemas {
        let members = schema.as_object()?;
        let is_closed = |keyword: &String| {
            ["const", "enum", "type"].contains(&keyword.as_str()) || ANNOTATIONS.contains(&keyword.as_str())
        };
        if !members.keys().all(is_closed) || members.contains_key("const") && members.contains_key("enum") {
            return None;
        }
        let listed = members.get("enum").and_then(Value::as_array).cloned();
        for value in members.get("const").map(|value| vec![value.clone()]).or(listed)? {
            if value.is_array() || value.is_object() {
                return None;
            }
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    Some(values)
}

/// The type that all schemas share, without their other keywords.
fn common_type(schemas: &[Value]) -> Value {
    let first = schemas.first().and_then(|schema| schema.get("type")).filter(|kind| kind.is_string());
    match first {
        Some(kind) if schemas.iter().all(|schema| schema.get("type") == Some(kind)) => json!({"type": kind}),
        _ => Map::new().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_become_one_schema() {
        let text = json!({"type": "string"});
        for (alternatives, expected) in [
            (json!([text, text]), text.clone()),
            (json!([text, false]), text.clone()),
            (json!([text, {"description": "any"}]), json!({})),
            (
                json!([{"const": "a"}, {"enum": ["b", "a"], "type": "string"}]),
                json!({"type": "string", "enum": ["a", "b"]}),
            ),
            (json!([{"const": "a"}, {"const": 1}]), json!({"enum": ["a", 1]})),
            (json!([text, {"type": "null"}]), json!({"anyOf": [text, {"type": "null"}]})),
            ((0..20).map(|n| json!({"type": "string", "maxLength": n})).collect(), text.clone()),
            ((0..20).map(|n| json!({"multipleOf": n})).collect(), json!({})),
            (json!([]), json!({})),
        ] {
            let Value::Array(list) = alternatives.clone() else { panic!() };
            assert_eq!(any_of(list), expected, "{alternatives}");
        }
    }

    #[test]
    fn parts_that_do_not_conflict_become_one_schema() {
        let merged =
            all_of(&json!({"type": "string", "description": "a"}), &json!({"enum": ["x"], "description": "b"}));
        assert_eq!(merged, json!({"type": "string", "description": "a", "enum": ["x"]}));
        let (a, b) = (json!({"maxLength": 5}), json!({"maxLength": 6}));
        assert_eq!(all_of(&a, &b), json!({"allOf": [a, b]}));
        assert_eq!(all_of(&json!(true), &a), a);
        let nested = all_of(&all_of(&a, &b), &json!({"maxLength": 7, "allOf": []}));
        assert_eq!(nested, json!({"allOf": [a, b, {"maxLength": 7, "allOf": []}]}));
    }
}
