//! Turns an edit of an imported tool into changes of its document's overlay.

use serde_json::{Map, Value, json};
use toolgate_domain::json::JsonObject;
use toolgate_domain::overlay_edit::OverlayEdit;

use crate::api::argument::WHOLE_BODY;
use crate::api::drift::ToolState;
use crate::api::overlay::Overlay;

/// Fields of a tool that are members of an overlay with the same names.
const OVERLAY_FIELDS: [&str; 5] = ["name", "description", "tags", "status", "timeout"];

/// An argument or a constant of a tool.
struct ArgumentState<'a> {
    name: &'a str,
    /// Location and name in the request, as in an overlay.
    key: String,
    /// The mapping rule without `name` and `value`.
    rule: Map<String, Value>,
    constant: Option<&'a Value>,
    schema: Map<String, Value>,
    is_required: bool,
}

/// The changes to the overlay with which the next import produces the fields of `after`. Fields and arguments that an
/// overlay cannot describe are left out.
pub fn overlay_edit(operation: &str, before: &ToolState, after: &ToolState) -> OverlayEdit {
    let changed = OVERLAY_FIELDS.into_iter().filter(|field| before.field(field) != after.field(field));
    let mut members: Map<String, Value> = changed.map(|field| (field.to_owned(), after.field(field).clone())).collect();
    let arguments = argument_edits(&argument_states(before), &argument_states(after));
    if !arguments.is_empty() && is_valid(operation, &arguments) {
        members.insert("arguments".to_owned(), Value::Object(arguments));
    }
    OverlayEdit { operation: operation.to_owned(), members }
}

/// Whether the next import accepts these changes.
fn is_valid(operation: &str, arguments: &Map<String, Value>) -> bool {
    let edit = OverlayEdit {
        operation: operation.to_owned(),
        members: Map::from_iter([("arguments".to_owned(), Value::Object(arguments.clone()))]),
    };
    let overlay = edit.apply_to(&JsonObject::empty()).to_value();
    overlay.as_object().is_some_and(|overlay| Overlay::parse(overlay).is_ok())
}

fn argument_edits(before: &[ArgumentState<'_>], after: &[ArgumentState<'_>]) -> Map<String, Value> {
    let mut edits = Map::new();
    for old in before {
        let edit = match after.iter().find(|new| new.key == old.key) {
            Some(new) => argument_edit(old, new),
            None if old.is_required && old.constant.is_none() => Map::new(),
            None => Map::from_iter([("hidden".to_owned(), json!(true))]),
        };
        if !edit.is_empty() {
            edits.insert(old.key.clone(), Value::Object(edit));
        }
    }
    // An argument that was added again is no longer hidden.
    for new in after.iter().filter(|new| before.iter().all(|old| old.key != new.key)) {
        edits.insert(new.key.clone(), json!({"hidden": null}));
    }
    edits
}

/// The changes to one argument; null removes an earlier change from the overlay.
fn argument_edit(old: &ArgumentState<'_>, new: &ArgumentState<'_>) -> Map<String, Value> {
    let mut edit = Map::new();
    if old.rule != new.rule {
        return edit;
    }
    if old.name != new.name {
        edit.insert("rename".to_owned(), new.name.into());
    }
    if old.constant != new.constant {
        edit.insert("fixed".to_owned(), new.constant.cloned().unwrap_or_default());
    }
    if old.constant.is_some() || new.constant.is_some() {
        return edit;
    }
    let mut schema = Map::new();
    for keyword in old.schema.keys().chain(new.schema.keys()) {
        let now = new.schema.get(keyword);
        if old.schema.get(keyword) == now {
            continue;
        }
        let value = now.cloned().unwrap_or_default();
        match keyword.as_str() {
            "default" | "description" => edit.insert(keyword.clone(), value),
            _ => schema.insert(keyword.clone(), value),
        };
    }
    if !schema.is_empty() {
        edit.insert("schema".to_owned(), Value::Object(schema));
    }
    edit
}

fn argument_states(tool: &ToolState) -> Vec<ArgumentState<'_>> {
    let schema = tool.field("input_schema");
    let required = schema.get("required").and_then(Value::as_array);
    let mapping = tool.field("parameter_mapping").as_object();
    let states = mapping.into_iter().flatten().filter_map(|(name, rule)| {
        let (key, own_rule) = key_and_rule(name, rule)?;
        let properties = schema.get("properties").and_then(|properties| properties.get(name));
        Some(ArgumentState {
            name,
            key,
            rule: own_rule,
            constant: rule.get("value"),
            schema: properties.and_then(Value::as_object).cloned().unwrap_or_default(),
            is_required: required.is_some_and(|names| names.iter().any(|required| required == name.as_str())),
        })
    });
    states.collect()
}

/// The key of an argument in an overlay, and its rule without the name and the value.
fn key_and_rule(name: &str, rule: &Value) -> Option<(String, Map<String, Value>)> {
    let mut rule = rule.as_object()?.clone();
    let wire_name = rule.shift_remove("name");
    rule.shift_remove("value");
    let wire_name = wire_name.as_ref().and_then(Value::as_str).unwrap_or(name);
    let wire_name = if rule.contains_key("whole") { WHOLE_BODY } else { wire_name };
    let key = format!("{}:{wire_name}", rule.get("location")?.as_str()?);
    Some((key, rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(fields: &Value) -> ToolState {
        ToolState::from_tool("GET /a", fields.as_object().unwrap().clone())
    }

    fn edit(before: &Value, after: &Value) -> Value {
        overlay_edit("GET /a", &tool(before), &tool(after)).members.into()
    }

    #[test]
    fn fields_of_the_overlay_are_taken_over_and_others_are_not() {
        let before = json!({"name": "a", "description": "x", "timeout": 30, "endpoint_url": "https://a.test"});
        let after = json!({"name": "b", "description": "x", "timeout": 5, "endpoint_url": "https://b.test"});
        assert_eq!(edit(&before, &after), json!({"name": "b", "timeout": 5}));
        assert_eq!(edit(&before, &before), json!({}));
    }

    #[test]
    fn arguments_are_described_renamed_fixed_hidden_and_restricted() {
        let before = json!({
            "parameter_mapping": {
                "limit": {"location": "query"}, "q": {"location": "query"}, "v": {"location": "header", "name": "X-V"},
                "o": {"location": "query", "style": "form"}, "body": {"location": "body", "whole": true}},
            "input_schema": {"required": [], "properties": {
                "limit": {"type": "integer", "minimum": 1}, "q": {"type": "string"}, "v": {"type": "string"},
                "o": {"type": "string"}, "body": {"type": "object"}}}});
        let after = json!({
            "parameter_mapping": {
                "max": {"location": "query", "name": "limit"}, "v": {"location": "header", "name": "X-V", "value": "1"},
                "o": {"location": "query", "style": "form"}, "body": {"location": "body", "whole": true}},
            "input_schema": {"required": [], "properties": {
                "max": {"type": "integer", "maximum": 9, "default": 3}, "o": {"type": "string", "description": "O"},
                "body": {"type": "object", "description": "B"}}}});
        let expected = json!({"arguments": {
            "query:limit": {"rename": "max", "default": 3, "schema": {"minimum": null, "maximum": 9}},
            "query:q": {"hidden": true},
            "header:X-V": {"fixed": "1"},
            "query:o": {"description": "O"},
            "body:body": {"description": "B"},
        }});
        assert_eq!(edit(&before, &after), expected);
        let back = json!({"arguments": {
            "query:limit": {"rename": "limit", "default": null, "schema": {"minimum": 1, "maximum": null}},
            "header:X-V": {"fixed": null},
            "query:o": {"description": null},
            "body:body": {"description": null},
            "query:q": {"hidden": null},
        }});
        assert_eq!(edit(&after, &before), back);
    }

    #[test]
    fn changes_that_an_overlay_cannot_describe_are_left_out() {
        let mapped = |style: &str| {
            json!({"parameter_mapping": {"a": {"location": "query", "style": style}},
                "input_schema": {"properties": {"a": {"type": "array"}}}})
        };
        assert_eq!(edit(&mapped("form"), &mapped("pipeDelimited")), json!({}));
        let named = |name: &str| {
            json!({"parameter_mapping": {name: {"location": "query", "name": "a"}},
                "input_schema": {"properties": {name: {}}}})
        };
        assert_eq!(edit(&named("a"), &named("not an identifier")), json!({}));
        let required = json!({"parameter_mapping": {"a": {"location": "query"}},
            "input_schema": {"properties": {"a": {}}, "required": ["a"]}});
        assert_eq!(edit(&required, &json!({"parameter_mapping": {}, "input_schema": {}})), json!({}));
    }
}
