//! Merges the bodies of a GraphQL operation: its text is fixed, its variables are the arguments.

use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject, Members};

use super::named_values::group_by_name;
use crate::infer::argument::{Location, Presence, ToolArgument};
use crate::infer::argument_rules::ArgumentRules;
use crate::infer::example::Example;
use crate::infer::graphql::{GraphQlOperation, VARIABLES_MEMBER};
use crate::sensitivity;
use crate::shape::Shape;
use crate::warnings::Warnings;

/// The arguments of an operation, and the constants of its body.
pub(super) fn arguments(
    examples: &[Example],
    operation: &GraphQlOperation,
    rules: &ArgumentRules,
    warnings: &mut Warnings,
) -> Vec<ToolArgument> {
    let variables: Vec<Members> = examples.iter().map(|example| variables(example).unwrap_or_default()).collect();
    let has_variables = !operation.variables.is_empty() || variables.iter().any(|members| !members.is_empty());
    let mut arguments = variable_arguments(operation, &variables, rules);
    for (name, group) in group_by_name(examples.iter().map(|example| &example.payload.json)) {
        let value = group.first;
        if json::is_null(value) || (name == VARIABLES_MEMBER && has_variables) {
            continue;
        }
        if json::as_string(value).is_some_and(|text| sensitivity::is_opaque(&text)) {
            warnings.add(format!(
                "{name} in the body is fixed and may contain a secret. Everyone with read access to the tool can see it."
            ));
        }
        arguments.push(ToolArgument::constant(Location::Body, name, value.clone()));
    }
    arguments
}

fn variables(example: &Example) -> Option<Members> {
    JsonObject::from_raw(example.payload.json.get(VARIABLES_MEMBER)?).map(|variables| variables.members())
}

/// The declared variables in their order, then values without a declaration.
fn variable_arguments(operation: &GraphQlOperation, examples: &[Members], rules: &ArgumentRules) -> Vec<ToolArgument> {
    let mut values = group_by_name(examples.iter());
    let mut arguments = Vec::new();
    for variable in &operation.variables {
        let value = values.shift_remove(variable.name.as_str()).map(|group| group.first);
        let shape = variable.shape.clone().or_else(|| value.map(|value| Shape::from_value(value)));
        let example = value.filter(|value| !json::is_null(value)).cloned();
        let mut argument = ToolArgument::new(Location::Variables, &variable.name, shape.unwrap_or(Shape::Any), example);
        argument.presence = match &variable.default {
            Some(default) => Presence::Default(json::raw(default.clone())),
            None if variable.is_required => Presence::Required,
            None => Presence::Optional,
        };
        rules.describe(&mut argument, value.map_or(RawValue::NULL, |value| value));
        arguments.push(argument);
    }
    let undeclared = values.into_iter().map(|(name, group)| {
        let shape = Shape::from_value(group.first);
        let mut argument = ToolArgument::new(Location::Variables, name, shape, Some(group.first.clone()));
        rules.describe(&mut argument, group.first);
        argument
    });
    arguments.extend(undeclared);
    arguments
}
