//! Edits of imported tools, which are stored in the overlay of their document.

use serde_json::{Map, Value};

use crate::json::JsonObject;

/// Changes to the overlay of a document, for one operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayEdit {
    /// The operation, such as `GET /pets/{id}`.
    pub operation: String,
    /// The members to set; null removes a member.
    pub members: Map<String, Value>,
}

/// A part of an overlay whose members are changed one by one.
#[derive(Clone, Copy)]
enum OverlayPart {
    Operation,
    Arguments,
    Argument,
    Schema,
}

impl OverlayPart {
    /// The part that a member is; `None` if the member is replaced as a whole.
    fn member(self, key: &str) -> Option<Self> {
        match (self, key) {
            (Self::Operation, "arguments") => Some(Self::Arguments),
            (Self::Arguments, _) => Some(Self::Argument),
            (Self::Argument, "schema") => Some(Self::Schema),
            _ => None,
        }
    }
}

impl OverlayEdit {
    /// The overlay with these changes. Parts without members are removed.
    pub fn apply_to(&self, overlay: &JsonObject) -> JsonObject {
        let Value::Object(mut operations) = overlay.to_value() else { return overlay.clone() };
        let key = operations.keys().find(|key| is_same_operation(key, &self.operation)).cloned();
        let key = key.unwrap_or_else(|| self.operation.clone());
        let mut members = match operations.get(&key) {
            Some(Value::Object(members)) => members.clone(),
            _ => Map::new(),
        };
        merge(&mut members, &self.members, OverlayPart::Operation);
        if members.is_empty() {
            operations.shift_remove(&key);
        } else {
            operations.insert(key, Value::Object(members));
        }
        JsonObject::from_stored(Value::Object(operations).to_string())
    }
}

/// Whether a key of an overlay names `operation`. The method in the key may be in lower case.
fn is_same_operation(key: &str, operation: &str) -> bool {
    match (key.trim().split_once(' '), operation.split_once(' ')) {
        (Some((method, path)), Some((other_method, other_path))) => {
            method.eq_ignore_ascii_case(other_method) && path.trim() == other_path
        }
        _ => key == operation,
    }
}

fn merge(members: &mut Map<String, Value>, edit: &Map<String, Value>, part: OverlayPart) {
    for (key, value) in edit {
        match (value, part.member(key)) {
            (Value::Object(edit), Some(part)) => {
                let mut inner = match members.get(key) {
                    Some(Value::Object(inner)) => inner.clone(),
                    _ => Map::new(),
                };
                merge(&mut inner, edit, part);
                if inner.is_empty() {
                    members.shift_remove(key);
                } else {
                    members.insert(key.clone(), Value::Object(inner));
                }
            }
            (Value::Null, _) => drop(members.shift_remove(key)),
            _ => drop(members.insert(key.clone(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn apply(overlay: &Value, edit: &Value) -> Value {
        let members = edit.as_object().unwrap().clone();
        let edit = OverlayEdit { operation: "GET /a".to_owned(), members };
        edit.apply_to(&JsonObject::from_stored(overlay.to_string())).to_value()
    }

    #[test]
    fn members_are_set_replaced_and_removed() {
        let overlay = json!({"get /a": {"name": "a", "arguments": {
            "query:b": {"default": {"x": 1}, "schema": {"maximum": 1, "minimum": 0}}, "query:c": {"hidden": true}}}});
        let edit = json!({"name": "b", "timeout": null, "arguments": {
            "query:b": {"default": {"y": 2}, "schema": {"maximum": 2, "minimum": null}},
            "query:c": {"hidden": null},
            "query:d": {"fixed": 1}}});
        assert_eq!(
            apply(&overlay, &edit),
            json!({"get /a": {"name": "b", "arguments": {
                "query:b": {"default": {"y": 2}, "schema": {"maximum": 2}}, "query:d": {"fixed": 1}}}})
        );
    }

    #[test]
    fn an_operation_without_changes_is_removed_and_others_stay() {
        let overlay = json!({"*": {"timeout": 5}, "GET /a": {"name": "a"}});
        assert_eq!(apply(&overlay, &json!({"name": null})), json!({"*": {"timeout": 5}}));
        assert_eq!(apply(&json!({}), &json!({"name": "x"})), json!({"GET /a": {"name": "x"}}));
    }
}
