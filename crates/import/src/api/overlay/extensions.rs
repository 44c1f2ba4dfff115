//! Reads the overlay in a document: extensions of operations, parameters and properties.

use serde_json::{Map, Value};
use toolgate_domain::text;

use crate::api::overlay::{ArgumentOverlay, OperationOverlay};
use crate::naming::to_argument_name;

/// Extensions of other programs, in order of precedence.
const FOREIGN_EXTENSIONS: [&str; 2] = ["x-speakeasy-mcp", "x-mcp"];
/// The hints of MCP annotations.
const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/// The changes from the extensions of an operation.
pub(crate) fn operation_extensions(operation: &Value) -> OperationOverlay {
    let foreign = FOREIGN_EXTENSIONS.into_iter().filter_map(|key| operation.get(key)).map(foreign_extension);
    let foreign = foreign.reduce(OperationOverlay::over).unwrap_or_default();
    let own = OperationOverlay {
        name: text_member(operation, "x-toolgate-name").map(tool_name),
        description: text_member(operation, "x-toolgate-description").map(str::to_owned),
        hidden: operation.get("x-toolgate-hidden").and_then(Value::as_bool),
        ..OperationOverlay::default()
    };
    own.over(foreign)
}

fn foreign_extension(extension: &Value) -> OperationOverlay {
    let is_disabled = extension.get("disabled").and_then(Value::as_bool);
    let is_enabled = extension.get("enabled").and_then(Value::as_bool);
    OperationOverlay {
        name: text_member(extension, "name").map(tool_name),
        description: text_member(extension, "description").map(str::to_owned),
        // `x-mcp: false` disables the operation as well.
        hidden: is_disabled.or(is_enabled.map(|is_enabled| !is_enabled)).or(extension.as_bool().map(|on| !on)),
        hints: hints(extension),
        ..OperationOverlay::default()
    }
}

fn hints(extension: &Value) -> Map<String, Value> {
    let nested = extension.get("annotations");
    let hint = |name: &str| extension.get(name).or_else(|| nested?.get(name)).filter(|value| value.is_boolean());
    HINTS.into_iter().filter_map(|name| Some((name.to_owned(), hint(name)?.clone()))).collect()
}

/// The changes from the extensions of a parameter or property.
pub(crate) fn argument_extensions(source: &Value) -> ArgumentOverlay {
    let value = |key: &str| source.get(key).filter(|value| !value.is_null()).cloned();
    ArgumentOverlay {
        rename: text_member(source, "x-toolgate-name").map(to_argument_name),
        description: text_member(source, "x-toolgate-description").map(str::to_owned),
        default: value("x-toolgate-default"),
        fixed: value("x-toolgate-fixed"),
        hidden: source.get("x-toolgate-hidden").and_then(Value::as_bool),
        schema: Map::new(),
    }
}

fn tool_name(name: &str) -> String {
    text::identifier("name", name).unwrap_or_else(|_| to_argument_name(name))
}

fn text_member<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn toolgate_extensions_take_precedence_over_those_of_other_programs() {
        let overlay = operation_extensions(&json!({
            "x-toolgate-name": "find pet",
            "x-speakeasy-mcp": {"name": "b", "description": "d", "destructiveHint": false},
            "x-mcp": {"disabled": true, "description": "e", "annotations": {"readOnlyHint": true, "destructiveHint": true}},
        }));
        assert_eq!(overlay.name.as_deref(), Some("find_pet"));
        assert_eq!(overlay.description.as_deref(), Some("d"));
        assert_eq!(overlay.hidden, Some(true));
        assert_eq!(Value::from(overlay.hints), json!({"destructiveHint": false, "readOnlyHint": true}));
        assert_eq!(operation_extensions(&json!({"x-mcp": {"enabled": true}})).hidden, Some(false));
        assert_eq!(operation_extensions(&json!({"x-mcp": false})).hidden, Some(true));
    }

    #[test]
    fn arguments_can_be_fixed_hidden_and_renamed() {
        let overlay = argument_extensions(&json!({
            "x-toolgate-name": "max items", "x-toolgate-fixed": 5, "x-toolgate-hidden": true,
            "x-toolgate-default": null,
        }));
        assert_eq!(overlay.rename.as_deref(), Some("max_items"));
        assert_eq!((overlay.fixed, overlay.hidden, overlay.default), (Some(json!(5)), Some(true), None));
    }
}
