//! MCP annotations: the title of a tool, and hints for clients. Clients check their types, and some refuse a whole list
//! in which one is wrong.

use serde_json::value::RawValue;

use crate::fault::{Fault, Faults};
use crate::json::{self, JsonObject};
use crate::lenient;
use crate::text;

/// The annotation that says that a tool only reads.
const READ_ONLY_HINT: &str = "readOnlyHint";
/// The annotations that are booleans.
const HINTS: [&str; 4] = [READ_ONLY_HINT, "destructiveHint", "idempotentHint", "openWorldHint"];
/// The annotation that is a text.
const TITLE: &str = "title";

/// Parses annotations. Hints may be written as text, as forms do; null means that there is no hint or title. Other
/// members stay as they are.
pub fn parse_annotations(field: &str, sent: &JsonObject) -> Result<JsonObject, Faults> {
    let (mut members, mut faults) = (sent.members(), Faults::default());
    faults.ok_or_record(text::document(field, &sent.to_value()));
    members.retain(|name, value| !(is_typed(name) && json::is_null(value)));
    for (name, value) in &mut members {
        let path = format!("{field}[{name}]");
        if HINTS.contains(&name.as_str()) {
            if let Some(hint) = faults.ok_or_record(parse_hint(&path, value)) {
                *value = json::raw(hint.to_string());
            }
        } else if name == TITLE && json::as_string(value).is_none() {
            faults.push(Fault::invalid_type(&path, "string"));
        }
    }
    faults.into_result(JsonObject::from_members(&members))
}

/// Stored annotations in the form of [`parse_annotations`], without members of the wrong type: earlier versions stored
/// any.
pub fn valid_annotations(stored: &JsonObject) -> JsonObject {
    let mut members = stored.members();
    members.retain(|name, value| match name.as_str() {
        TITLE => json::as_string(value).is_some(),
        name if HINTS.contains(&name) => read_hint(value).is_some_and(|hint| {
            *value = json::raw(hint.to_string());
            true
        }),
        _ => true,
    });
    JsonObject::from_members(&members)
}

/// The annotation `readOnlyHint`, if it is stored.
pub(super) fn read_only_hint(annotations: &JsonObject) -> Option<bool> {
    annotations.members().get(READ_ONLY_HINT).and_then(|value| read_hint(value))
}

fn is_typed(name: &str) -> bool {
    name == TITLE || HINTS.contains(&name)
}

fn parse_hint(path: &str, value: &RawValue) -> Result<bool, Fault> {
    read_hint(value).ok_or_else(|| Fault::invalid_type(path, "boolean"))
}

fn read_hint(value: &RawValue) -> Option<bool> {
    lenient::boolean(&json::as_string(value).unwrap_or_else(|| value.get().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, Vec<String>> {
        let parsed = parse_annotations("annotations", &JsonObject::from_stored(text.to_owned()));
        let messages = |faults: Faults| faults.iter().map(|fault| fault.message.clone()).collect();
        parsed.map(|annotations| annotations.as_str().to_owned()).map_err(messages)
    }

    #[test]
    fn hints_may_be_written_as_text() {
        let sent = r#"{"title":"T","readOnlyHint":"false","openWorldHint":1,"idempotentHint":true,"x":{"y":1.50}}"#;
        let parsed = r#"{"title":"T","readOnlyHint":false,"openWorldHint":true,"idempotentHint":true,"x":{"y":1.50}}"#;
        assert_eq!(parse(sent), Ok(parsed.to_owned()));
        assert_eq!(parse(r#"{"title":null,"readOnlyHint":null,"x":null}"#), Ok(r#"{"x":null}"#.to_owned()));
    }

    #[test]
    fn stored_annotations_of_the_wrong_type_are_left_out() {
        let stored = r#"{"title":5,"readOnlyHint":"false","destructiveHint":"x","idempotentHint":null,"x":1.50}"#;
        let stored = JsonObject::from_stored(stored.to_owned());
        assert_eq!(valid_annotations(&stored).as_str(), r#"{"readOnlyHint":false,"x":1.50}"#);
        assert_eq!(read_only_hint(&stored), Some(false));
        assert_eq!(read_only_hint(&JsonObject::empty()), None);
    }

    #[test]
    fn annotations_of_the_wrong_type_are_refused() {
        let faults = parse(r#"{"title":5,"readOnlyHint":"yes","destructiveHint":[],"idempotentHint":{}}"#);
        let expected = [
            "annotations[title] is not of type string.",
            "annotations[readOnlyHint] is not of type boolean.",
            "annotations[destructiveHint] is not of type boolean.",
            "annotations[idempotentHint] is not of type boolean.",
        ];
        assert_eq!(faults, Err(expected.map(str::to_owned).to_vec()));
    }
}
