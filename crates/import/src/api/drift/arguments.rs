//! Differences in the arguments of a tool that break clients.

use serde_json::{Value, json};

use crate::api::drift::DriftChange;
use crate::api::drift::narrowing::SchemaComparison;
use crate::api::drift::tool_state::{ToolState, member};
use crate::api::pointer::escape;

/// An argument of a tool; constants of the mapping are not arguments.
struct ComparedArgument<'a> {
    name: &'a str,
    location: &'a str,
    /// The name in the request.
    wire_name: &'a str,
    schema: &'a Value,
}

/// The differences that can make calls fail with `new` although they were valid for `old`.
pub(super) fn breaking_changes(old: &ToolState, new: &ToolState) -> Vec<DriftChange> {
    let (old_schema, new_schema) = (old.field("input_schema"), new.field("input_schema"));
    let (old_arguments, new_arguments) = (arguments(old), arguments(new));
    let mut schemas = SchemaComparison::new(old_schema, new_schema);
    let mut changes = Vec::new();
    for argument in &old_arguments {
        let pointer = format!("/input_schema/properties/{}", escape(argument.name));
        let same_name = new_arguments.iter().find(|other| other.name == argument.name);
        let renamed = || new_arguments.iter().find(|other| other.is_same_parameter(argument));
        let Some(other) = same_name.or_else(renamed) else {
            changes.push(DriftChange { pointer, was: argument.schema.clone(), now: Value::Null });
            continue;
        };
        if other.name != argument.name {
            changes.push(DriftChange { pointer: pointer.clone(), was: argument.name.into(), now: other.name.into() });
        } else if other.location != argument.location {
            let pointer = format!("/parameter_mapping/{}/location", escape(argument.name));
            changes.push(DriftChange { pointer, was: argument.location.into(), now: other.location.into() });
        }
        schemas.compare(argument.schema, other.schema, &pointer);
    }
    changes.extend(schemas.into_changes());
    changes.extend(newly_required(old_schema, new_schema));
    changes
}

impl ComparedArgument<'_> {
    fn is_same_parameter(&self, other: &Self) -> bool {
        self.location == other.location && self.wire_name == other.wire_name
    }
}

fn arguments(tool: &ToolState) -> Vec<ComparedArgument<'_>> {
    let properties = member(tool.field("input_schema"), "properties").as_object();
    let mapping = tool.field("parameter_mapping");
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let rule = member(mapping, name);
            let text = |key: &str| member(rule, key).as_str();
            ComparedArgument {
                name,
                location: text("location").unwrap_or_default(),
                wire_name: text("name").unwrap_or(name),
                schema,
            }
        })
        .collect()
}

/// Arguments that are required only in the new version.
fn newly_required(old: &Value, new: &Value) -> Option<DriftChange> {
    let list = |schema| member(schema, "required").as_array().cloned().unwrap_or_default();
    let (was, now) = (list(old), list(new));
    let is_new = now.iter().any(|name| !was.contains(name));
    is_new.then(|| DriftChange { pointer: "/input_schema/required".to_owned(), was: json!(was), now: json!(now) })
}
