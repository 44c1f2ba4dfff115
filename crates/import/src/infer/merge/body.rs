//! Merges the bodies of requests into arguments.

use toolgate_domain::json;

use super::named_values::group_by_name;
use crate::infer::argument::{Location, Occurrence, ToolArgument};
use crate::infer::example::Example;
use crate::infer::payload::PayloadKind;
use crate::request::body::{Field, WHOLE_BODY_ARGUMENT};
use crate::shape::Shape;
use crate::shape::text_values;

/// Merges bodies of this kind into arguments.
pub(super) fn body_arguments(examples: &[Example], kind: PayloadKind) -> Vec<ToolArgument> {
    if kind == PayloadKind::EmptyObject {
        return vec![empty_object_argument()];
    }
    let text_fields = group_by_name(examples.iter().map(|example| &example.payload.texts));
    let text_arguments = text_fields.into_iter().map(|(name, group)| {
        let occurrence = group.occurrence(examples.len(), |one, other| one == other);
        let mut argument = text_argument(Location::Body, name, &group.values, occurrence);
        if group.values.iter().any(|field| field.has_file) {
            argument.mark_as_file(occurrence);
        }
        argument
    });
    let json_fields = group_by_name(examples.iter().map(|example| &example.payload.json));
    let json_arguments = json_fields.into_iter().map(|(name, group)| {
        let shape =
            group.values.iter().map(|value| Shape::from_value(value)).reduce(Shape::merge).unwrap_or(Shape::Any);
        let occurrence = group.occurrence(examples.len(), |one, other| one.get() == other.get());
        let mut argument = ToolArgument::new(Location::Body, name, shape, group.first.clone(), occurrence);
        if kind.is_whole_body() {
            argument.describe_whole_body();
        }
        if kind == PayloadKind::Files {
            argument.mark_as_file(occurrence);
        }
        argument
    });
    text_arguments.chain(json_arguments).collect()
}

/// An argument from text values.
pub(super) fn text_argument(location: Location, name: &str, fields: &[&Field], occurrence: Occurrence) -> ToolArgument {
    let shape = text_values::shape(fields);
    let value = fields.first().map_or_else(|| json::raw_string(""), |first| text_values::value(first, &shape));
    ToolArgument::new(location, name, shape, value, occurrence)
}

/// The argument for a body that is an empty object. A call without arguments sends the empty object; a call may also
/// pass an object with members.
fn empty_object_argument() -> ToolArgument {
    let value = json::raw("{}".to_owned());
    let occurrence = Occurrence { is_in_first: true, is_in_all: false, is_same_in_all: false };
    let mut argument =
        ToolArgument::new(Location::Body, WHOLE_BODY_ARGUMENT, Shape::from_value(&value), value.clone(), occurrence);
    argument.describe_whole_body();
    argument.default = Some(value);
    argument
}
