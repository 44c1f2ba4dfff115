//! The arguments of a tool, and the JSON documents that describe them.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use toolgate_domain::closed_set;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use crate::draft;
use crate::naming::{self, UniqueNames};
use crate::shape::{self, Shape};
use crate::spelling;
use crate::tables::descriptions::{self, Purpose};

/// An argument of a tool, or a value that it always sends.
#[derive(Debug)]
pub(crate) struct ToolArgument {
    pub(crate) location: Location,
    /// The name that the upstream expects.
    pub(crate) upstream_name: String,
    /// The argument name, if it is not derived from `upstream_name`.
    pub(crate) name: Option<&'static str>,
    pub(crate) description: Option<String>,
    pub(crate) shape: Shape,
    /// The value in the first request.
    pub(crate) example: Option<Box<RawValue>>,
    pub(crate) presence: Presence,
}

/// Whether a caller must, may or cannot set a value.
#[derive(Debug)]
pub(crate) enum Presence {
    Required,
    Optional,
    /// Sent unless the caller sets another value.
    Default(Box<RawValue>),
    /// Always sent. The caller does not see it.
    Constant(Box<RawValue>),
}

closed_set! {
    /// The part of the request that an argument sets.
    pub(crate) enum Location {
        Path = "path",
        Query = "query",
        Header = "header",
        Body = "body",
        /// A member of the member `variables` of the body.
        Variables = "variables",
    }
}

/// In which of the merged requests a value occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) is_in_first: bool,
    pub(super) is_in_all: bool,
    /// Whether there are several requests and all of them have the same value.
    pub(super) is_same_in_all: bool,
}

/// The parts of a draft that describe its arguments.
pub(super) struct ArgumentDocuments {
    pub(super) input_schema: JsonObject,
    pub(super) parameter_mapping: JsonObject,
    /// The argument values of the first request.
    pub(super) body: JsonObject,
    /// Number of schemas in the `input_schema`.
    pub(super) schema_count: usize,
}

impl ToolArgument {
    /// An optional argument without a description.
    pub(super) fn new(location: Location, upstream_name: &str, shape: Shape, example: Option<Box<RawValue>>) -> Self {
        let upstream_name = upstream_name.to_owned();
        Self { location, upstream_name, name: None, description: None, shape, example, presence: Presence::Optional }
    }

    /// A value that is always sent.
    pub(super) fn constant(location: Location, upstream_name: &str, value: Box<RawValue>) -> Self {
        Self { presence: Presence::Constant(value), ..Self::new(location, upstream_name, Shape::Any, None) }
    }

    /// An argument in the path. It has no default, because neither a placeholder nor an id is a good one.
    pub(super) fn in_path(name: &str, shape: Shape, example: Box<RawValue>) -> Self {
        let description = descriptions::describe(&spelling::to_snake_case(name), Purpose::Identifying);
        Self {
            description: description.map(str::to_owned),
            presence: Presence::Required,
            ..Self::new(Location::Path, name, shape, Some(example))
        }
    }

    /// The argument name that is used unless it is taken.
    fn preferred_name(&self) -> String {
        self.name.map_or_else(|| naming::to_argument_name(&self.upstream_name), str::to_owned)
    }

    fn is_constant(&self) -> bool {
        matches!(self.presence, Presence::Constant(_))
    }

    fn schema(&self, includes_nested: bool) -> Box<RawValue> {
        let mut keywords = if includes_nested { self.shape.keywords() } else { self.shape.outermost().keywords() };
        if let Some(description) = &self.description {
            keywords.insert("description".to_owned(), json::raw_string(description));
        }
        if let Presence::Default(default) = &self.presence {
            keywords.insert("default".to_owned(), default.clone());
        }
        shape::to_raw_object(&keywords)
    }

    /// The rule of the `parameter_mapping`.
    fn mapping(&self, name: &str) -> Box<RawValue> {
        let (location, parent) = match self.location {
            Location::Variables => (Location::Body, Some(json::raw_string(Location::Variables.as_str()))),
            location => (location, None),
        };
        let mut rule = Members::from_iter([("location".to_owned(), json::raw_string(location.as_str()))]);
        rule.extend(parent.map(|parent| ("parent".to_owned(), parent)));
        if name != self.upstream_name {
            rule.insert("name".to_owned(), json::raw_string(&self.upstream_name));
        }
        if let Presence::Constant(value) = &self.presence {
            rule.insert("value".to_owned(), value.clone());
        }
        shape::to_raw_object(&rule)
    }
}

/// Describes arguments as JSON documents, in their order. No argument gets one of the `reserved` names.
pub(super) fn to_documents<'a>(
    arguments: &[ToolArgument],
    reserved: impl Iterator<Item = &'a str>,
) -> ArgumentDocuments {
    // The root schema and those of the arguments.
    let described = || arguments.iter().filter(|argument| !argument.is_constant());
    let count =
        |count_of: fn(&Shape) -> usize| 1 + described().map(|argument| count_of(&argument.shape)).sum::<usize>();
    // Nested schemas are left out if they would exceed the limit.
    let nested_count = count(Shape::schema_count);
    let includes_nested = nested_count <= SUBSCHEMAS_MAX;
    let (mut properties, mut mapping, mut body) = (Members::new(), Members::new(), Members::new());
    let mut required = Vec::new();
    for (name, argument) in assign_names(arguments, reserved).into_iter().zip(arguments) {
        mapping.insert(name.clone(), argument.mapping(&name));
        if argument.is_constant() {
            continue;
        }
        properties.insert(name.clone(), argument.schema(includes_nested));
        if let Some(example) = &argument.example {
            body.insert(name.clone(), example.clone());
        }
        if matches!(argument.presence, Presence::Required) {
            required.push(name);
        }
    }
    ArgumentDocuments {
        input_schema: draft::input_schema(&properties, &required),
        parameter_mapping: JsonObject::from_members(&mapping),
        body: JsonObject::from_members(&body),
        schema_count: if includes_nested { nested_count } else { count(|shape| shape.outermost().schema_count()) },
    }
}

/// Assigns a unique name to each argument. Names are assigned in this order: placeholders (whose names are part of the
/// URL), body fields, query parameters, headers. In each group, arguments that can keep their upstream name come first.
fn assign_names<'a>(arguments: &[ToolArgument], reserved: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut assigned = BTreeMap::new();
    let mut names = UniqueNames::default();
    for name in reserved {
        names.take(name);
    }
    for location in [Location::Path, Location::Variables, Location::Body, Location::Query, Location::Header] {
        let group = arguments.iter().enumerate().filter(|(_, argument)| argument.location == location);
        let (unchanged, renamed): (Vec<_>, Vec<_>) = group.partition(|(_, argument)| {
            !names.is_taken(&argument.upstream_name) && argument.preferred_name() == argument.upstream_name
        });
        let is_taken: Vec<bool> =
            renamed.iter().map(|(_, argument)| names.is_taken(&argument.preferred_name())).collect();
        for (index, argument) in unchanged {
            assigned.insert(index, names.take(&argument.upstream_name));
        }
        for ((index, argument), is_taken) in renamed.into_iter().zip(is_taken) {
            let name = argument.preferred_name();
            // An argument of another location already has this name; the suffix makes this one unique.
            let name = if is_taken { naming::with_suffix(&name, location.as_str()) } else { name };
            assigned.insert(index, names.take(&name));
        }
    }
    assigned.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    fn argument(location: Location, upstream_name: &str) -> ToolArgument {
        ToolArgument::new(location, upstream_name, Shape::Integer, Some(json::raw("1".into())))
    }

    fn assigned_names(arguments: &[(Location, &str)]) -> Vec<String> {
        let arguments: Vec<ToolArgument> = arguments.iter().map(|(location, name)| argument(*location, name)).collect();
        assign_names(&arguments, ["token"].into_iter())
    }

    #[test]
    fn equal_upstream_names_become_distinct_argument_names() {
        use Location::{Body, Header, Path, Query};
        assert_eq!(assigned_names(&[(Path, "id"), (Query, "id"), (Body, "id")]), ["id", "id_query", "id_body"]);
        assert_eq!(assigned_names(&[(Query, "a"), (Header, "a"), (Body, "a")]), ["a_query", "a_header", "a"]);
        assert_eq!(assigned_names(&[(Path, "id"), (Body, "id"), (Body, "id_body")]), ["id", "id_body_2", "id_body"]);
        assert_eq!(assigned_names(&[(Query, "ids[]"), (Query, "ids"), (Query, "ids{}")]), ["ids_2", "ids", "ids_3"]);
        assert_eq!(assigned_names(&[(Query, "$top"), (Body, "top")]), ["top_query", "top"]);
        assert_eq!(assigned_names(&[(Query, "token"), (Body, "token")]), ["token_query", "token_body"]);
        let long = "x".repeat(80);
        assert_eq!(
            assigned_names(&[(Body, &long), (Query, &long)]),
            ["x".repeat(64), format!("{}_query", "x".repeat(58))]
        );
    }

    #[test]
    fn the_mapping_contains_the_upstream_name_if_it_differs() {
        let documents =
            to_documents(&[argument(Location::Query, "ids[]"), argument(Location::Body, "b")], std::iter::empty());
        assert_eq!(
            documents.parameter_mapping.as_str(),
            r#"{"ids":{"location":"query","name":"ids[]"},"b":{"location":"body"}}"#
        );
        assert_eq!(
            documents.input_schema.as_str(),
            r#"{"type":"object","properties":{"ids":{"type":"integer"},"b":{"type":"integer"}},"required":[]}"#
        );
        assert_eq!(documents.body.as_str(), r#"{"ids":1,"b":1}"#);
    }

    #[test]
    fn constants_have_a_value_and_variables_a_parent_in_the_mapping() {
        let arguments = [
            argument(Location::Variables, "id"),
            ToolArgument::constant(Location::Body, "query", json::raw_string("{a}")),
        ];
        let documents = to_documents(&arguments, std::iter::empty());
        assert_eq!(
            documents.parameter_mapping.as_str(),
            r#"{"id":{"location":"body","parent":"variables"},"query":{"location":"body","value":"{a}"}}"#
        );
        assert_eq!(documents.body.as_str(), r#"{"id":1}"#);
        assert_eq!(documents.schema_count, 2);
    }

    #[test]
    fn nested_schemas_are_left_out_if_there_are_too_many() {
        let members = (0..600).map(|n| format!("\"{n}\":[1]")).collect::<Vec<_>>().join(",");
        let value = json::raw(format!("{{{members}}}"));
        let large = ToolArgument::new(Location::Body, "a", Shape::from_value(&value), Some(value));
        let documents = to_documents(&[large], std::iter::empty());
        assert_eq!(documents.input_schema.to_value()["properties"]["a"], json!({"type": "object"}));
        assert_eq!(documents.schema_count, 2);
        let arguments: Vec<ToolArgument> = (0..1000).map(|n| argument(Location::Body, &n.to_string())).collect();
        assert_eq!(to_documents(&arguments, std::iter::empty()).schema_count, 1001);
    }
}
