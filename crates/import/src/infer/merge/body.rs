//! Merges the bodies of requests into arguments.

use serde_json::value::RawValue;
use toolgate_domain::json;

use super::graphql_body;
use super::named_values::{NamedValues, group_by_name};
use crate::infer::argument::{Location, Occurrence, Presence, ToolArgument};
use crate::infer::argument_rules::{ArgumentRules, BodyFacts};
use crate::infer::example::Example;
use crate::infer::operation::JSON_RPC_MEMBER;
use crate::infer::payload::{Payload, PayloadKind};
use crate::request::body::{Field, WHOLE_BODY_ARGUMENT};
use crate::sensitivity;
use crate::shape::Shape;
use crate::shape::text_values;
use crate::spelling;
use crate::tables::FIXED_IN_BODY;
use crate::warnings::Warnings;

const FILE_DESCRIPTION: &str = "Content of the file";
const WHOLE_BODY_DESCRIPTION: &str = "The whole body of the request";

/// The properties of the first body on which the argument rules depend.
pub(in crate::infer) fn facts(payload: &Payload) -> BodyFacts {
    let names = || payload.json.keys().chain(payload.texts.keys());
    BodyFacts {
        // The parameters are the only member of a JSON-RPC body that is not fixed.
        member_count: if payload.json.contains_key(JSON_RPC_MEMBER) { 1 } else { names().count() },
        has_secret: names().any(|name| sensitivity::is_secret_name(name)),
    }
}

/// Merges bodies into arguments.
pub(in crate::infer) fn body_arguments(
    examples: &[Example],
    first: &Example,
    rules: &ArgumentRules,
    warnings: &mut Warnings,
) -> Vec<ToolArgument> {
    let kind = first.payload.kind;
    let graphql = first.operation.as_ref().and_then(|operation| operation.graphql.as_ref());
    let arguments = match graphql {
        Some(operation) => graphql_body::arguments(examples, operation, rules, warnings),
        None if kind.is_whole_body() => whole_body_argument(examples, kind).into_iter().collect(),
        None => member_arguments(examples, rules),
    };
    warn_of_secrets(&arguments, warnings);
    arguments
}

/// The arguments for the members of bodies.
fn member_arguments(examples: &[Example], rules: &ArgumentRules) -> Vec<ToolArgument> {
    let text_fields = group_by_name(examples.iter().map(|example| &example.payload.texts));
    let text_arguments = text_fields.into_iter().map(|(name, group)| {
        let occurrence = group.occurrence(examples.len(), |one, other| one == other);
        let has_file = group.values.iter().any(|field| field.has_file);
        let (shape, value) = text_shape_and_value(&group.values);
        if has_file {
            return file_argument(name, shape, &value, occurrence);
        }
        member_argument(name, shape, &value, occurrence, rules)
    });
    let json_fields = group_by_name(examples.iter().map(|example| &example.payload.json));
    let is_rpc = json_fields.contains_key(JSON_RPC_MEMBER);
    let json_arguments = json_fields.into_iter().map(|(name, group)| {
        let occurrence = group.occurrence(examples.len(), |one, other| one.get() == other.get());
        if is_rpc && matches!(name, "method" | "id") {
            return ToolArgument::constant(Location::Body, name, group.first.clone());
        }
        member_argument(name, json_shape(&group), group.first, occurrence, rules)
    });
    text_arguments.chain(json_arguments).collect()
}

/// The argument for a member of the body, or a constant.
fn member_argument(
    name: &str,
    shape: Shape,
    value: &RawValue,
    occurrence: Occurrence,
    rules: &ArgumentRules,
) -> ToolArgument {
    let is_constant = FIXED_IN_BODY.contains(name) || occurrence.is_same_in_all;
    if is_constant && sensitivity::may_be_constant(name, value) {
        return ToolArgument::constant(Location::Body, name, value.to_owned());
    }
    argument(Location::Body, name, shape, value, occurrence, rules)
}

/// An argument whose presence and description follow from the rules.
pub(super) fn argument(
    location: Location,
    name: &str,
    shape: Shape,
    value: &RawValue,
    occurrence: Occurrence,
    rules: &ArgumentRules,
) -> ToolArgument {
    let mut argument = ToolArgument::new(location, name, shape, occurrence.is_in_first.then(|| value.to_owned()));
    argument.presence = rules.presence(&argument, value, occurrence);
    rules.describe(&mut argument, value);
    argument
}

/// The argument for a file that was not read. Its value is the file name, which must not become a default.
fn file_argument(name: &str, shape: Shape, value: &RawValue, occurrence: Occurrence) -> ToolArgument {
    let example = occurrence.is_in_first.then(|| value.to_owned());
    ToolArgument {
        description: Some(FILE_DESCRIPTION.to_owned()),
        presence: if occurrence.is_in_all { Presence::Required } else { Presence::Optional },
        ..ToolArgument::new(Location::Body, name, shape, example)
    }
}

/// The argument for a body that has no members.
fn whole_body_argument(examples: &[Example], kind: PayloadKind) -> Option<ToolArgument> {
    let bodies = group_by_name(examples.iter().map(|example| &example.payload.json));
    let group = bodies.get(WHOLE_BODY_ARGUMENT)?;
    let value = group.first;
    let occurrence = group.occurrence(examples.len(), |one, other| one.get() == other.get());
    let is_constant = occurrence.is_same_in_all && !matches!(kind, PayloadKind::EmptyObject | PayloadKind::Files);
    if is_constant && sensitivity::may_be_constant(WHOLE_BODY_ARGUMENT, value) {
        return Some(ToolArgument::constant(Location::Body, WHOLE_BODY_ARGUMENT, value.clone()));
    }
    let description = if kind == PayloadKind::Files { FILE_DESCRIPTION } else { WHOLE_BODY_DESCRIPTION };
    // A call without arguments sends an empty object; a call may also pass an object with members.
    let is_empty = kind == PayloadKind::EmptyObject;
    Some(ToolArgument {
        description: Some(description.to_owned()),
        presence: if is_empty { Presence::Default(value.clone()) } else { Presence::Required },
        ..ToolArgument::new(Location::Body, WHOLE_BODY_ARGUMENT, json_shape(group), Some(value.clone()))
    })
}

fn json_shape(group: &NamedValues<'_, Box<RawValue>>) -> Shape {
    group.values.iter().map(|value| Shape::from_value(value)).reduce(Shape::merge).unwrap_or(Shape::Any)
}

/// The common shape of text values, and the first one as JSON.
pub(super) fn text_shape_and_value(fields: &[&Field]) -> (Shape, Box<RawValue>) {
    let shape = text_values::shape(fields);
    let value = fields.first().map_or_else(|| json::raw_string(""), |first| text_values::value(first, &shape));
    (shape, value)
}

/// Warns of secret arguments, which every caller has to pass. They do not become constants, because everyone with read
/// access to the tool could see them.
fn warn_of_secrets(arguments: &[ToolArgument], warnings: &mut Warnings) {
    let is_scalar = |value: &RawValue| value.get().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '-'));
    for ToolArgument { upstream_name: name, example, .. } in arguments {
        // An idempotency key is unique, not secret.
        let is_secret = sensitivity::is_secret_name(name) && spelling::to_snake_case(name) != "idempotency_key";
        if is_secret && example.as_ref().is_some_and(|example| is_scalar(example)) {
            warnings.add(format!(
                "{name} in the body looks like a secret. Its value is not part of the tool, so each caller must send it."
            ));
        }
    }
}
