//! The arguments of a tool, and the JSON documents that describe them.

use std::collections::BTreeMap;

use serde_json::json;
use serde_json::value::RawValue;
use toolgate_domain::closed_set;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use crate::draft;
use crate::naming::{self, UniqueNames};
use crate::sensitivity;
use crate::shape::{self, Shape};
use crate::spelling;

/// Maximum length of a description derived from a name, in characters.
const DESCRIPTION_MAX: usize = 100;

/// An argument of a tool.
#[derive(Debug)]
pub(super) struct ToolArgument {
    pub(super) location: Location,
    /// The name that the upstream expects.
    pub(super) upstream_name: String,
    pub(super) description: String,
    pub(super) shape: Shape,
    /// The value in the first request.
    pub(super) example: Option<Box<RawValue>>,
    pub(super) default: Option<Box<RawValue>>,
    /// Whether the default is the only possible value.
    pub(super) is_constant: bool,
    pub(super) is_required: bool,
}

closed_set! {
    /// The part of the request that an argument sets.
    pub(super) enum Location {
        Path = "path",
        Query = "query",
        Header = "header",
        Body = "body",
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
    /// An argument with the value of the first request that has one.
    pub(super) fn new(
        location: Location,
        upstream_name: &str,
        shape: Shape,
        value: Box<RawValue>,
        occurrence: Occurrence,
    ) -> Self {
        let is_constant = occurrence.is_same_in_all && sensitivity::may_be_constant(upstream_name, &value);
        let has_default = is_constant || (occurrence.is_in_all && sensitivity::may_be_default(upstream_name, &value));
        Self {
            location,
            upstream_name: upstream_name.to_owned(),
            description: describe(upstream_name),
            shape,
            default: has_default.then(|| value.clone()),
            example: occurrence.is_in_first.then_some(value),
            is_constant,
            is_required: occurrence.is_in_all && !is_constant,
        }
    }

    /// The argument of a placeholder. It has no default, because its example is only the placeholder name or an id.
    pub(super) fn placeholder(name: &str, shape: Shape, example: Box<RawValue>) -> Self {
        let occurrence = Occurrence { is_in_first: true, is_in_all: true, is_same_in_all: false };
        Self { default: None, ..Self::new(Location::Path, name, shape, example, occurrence) }
    }

    /// Marks the argument as a file that was not read. Its value is the file name, which must not become a default.
    pub(super) fn mark_as_file(&mut self, occurrence: Occurrence) {
        self.description.push_str(" (a file that was not read; give its content as text)");
        self.default = None;
        self.is_constant = false;
        self.is_required = occurrence.is_in_all;
    }

    /// Describes the argument as the whole body.
    pub(super) fn describe_whole_body(&mut self) {
        "the whole body of the request".clone_into(&mut self.description);
    }

    fn schema(&self, includes_nested: bool) -> Box<RawValue> {
        let mut keywords = if includes_nested { self.shape.keywords() } else { self.shape.outermost().keywords() };
        keywords.insert("description".to_owned(), json::raw_string(&self.description));
        if let Some(default) = &self.default {
            keywords.insert("default".to_owned(), default.clone());
            if self.is_constant {
                keywords.insert("const".to_owned(), default.clone());
            }
        }
        shape::to_raw_object(&keywords)
    }

    fn mapping(&self, name: &str) -> Box<RawValue> {
        let mut mapping = json!({"location": self.location});
        if name != self.upstream_name {
            mapping["name"] = self.upstream_name.as_str().into();
        }
        json::raw(mapping.to_string())
    }
}

/// Describes arguments as JSON documents, in their order.
pub(super) fn to_documents(arguments: &[ToolArgument]) -> ArgumentDocuments {
    // The root schema and those of the arguments.
    let count =
        |count_of: fn(&Shape) -> usize| 1 + arguments.iter().map(|argument| count_of(&argument.shape)).sum::<usize>();
    // Nested schemas are left out if they would exceed the limit.
    let nested_count = count(Shape::schema_count);
    let includes_nested = nested_count <= SUBSCHEMAS_MAX;
    let (mut properties, mut mapping, mut body) = (Members::new(), Members::new(), Members::new());
    let mut required = Vec::new();
    for (name, argument) in assign_names(arguments).into_iter().zip(arguments) {
        properties.insert(name.clone(), argument.schema(includes_nested));
        mapping.insert(name.clone(), argument.mapping(&name));
        if let Some(example) = &argument.example {
            body.insert(name.clone(), example.clone());
        }
        if argument.is_required {
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
fn assign_names(arguments: &[ToolArgument]) -> Vec<String> {
    let mut assigned = BTreeMap::new();
    let mut names = UniqueNames::default();
    for location in [Location::Path, Location::Body, Location::Query, Location::Header] {
        let group = arguments.iter().enumerate().filter(|(_, argument)| argument.location == location);
        let (unchanged, renamed): (Vec<_>, Vec<_>) = group.partition(|(_, argument)| {
            !names.is_taken(&argument.upstream_name)
                && naming::to_argument_name(&argument.upstream_name) == argument.upstream_name
        });
        let is_taken: Vec<bool> = renamed
            .iter()
            .map(|(_, argument)| names.is_taken(&naming::to_argument_name(&argument.upstream_name)))
            .collect();
        for (index, argument) in unchanged {
            assigned.insert(index, names.take(&argument.upstream_name));
        }
        for ((index, argument), is_taken) in renamed.into_iter().zip(is_taken) {
            let name = naming::to_argument_name(&argument.upstream_name);
            // An argument of another location already has this name; the suffix makes this one unique.
            let name = if is_taken { naming::with_suffix(&name, location.as_str()) } else { name };
            assigned.insert(index, names.take(&name));
        }
    }
    assigned.into_values().collect()
}

/// The words of a name, or a valid argument name if it has none.
fn describe(name: &str) -> String {
    let words: String = spelling::words(name).join(" ").chars().take(DESCRIPTION_MAX).collect();
    if words.is_empty() { naming::to_argument_name(name) } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_ALL: Occurrence = Occurrence { is_in_first: true, is_in_all: true, is_same_in_all: false };

    fn argument(location: Location, upstream_name: &str) -> ToolArgument {
        ToolArgument::new(location, upstream_name, Shape::Integer, json::raw("1".into()), IN_ALL)
    }

    fn assigned_names(arguments: &[(Location, &str)]) -> Vec<String> {
        let arguments: Vec<ToolArgument> = arguments.iter().map(|(location, name)| argument(*location, name)).collect();
        assign_names(&arguments)
    }

    #[test]
    fn equal_upstream_names_become_distinct_argument_names() {
        use Location::{Body, Header, Path, Query};
        assert_eq!(assigned_names(&[(Path, "id"), (Query, "id"), (Body, "id")]), ["id", "id_query", "id_body"]);
        assert_eq!(assigned_names(&[(Query, "a"), (Header, "a"), (Body, "a")]), ["a_query", "a_header", "a"]);
        assert_eq!(assigned_names(&[(Path, "id"), (Body, "id"), (Body, "id_body")]), ["id", "id_body_2", "id_body"]);
        assert_eq!(assigned_names(&[(Query, "ids[]"), (Query, "ids"), (Query, "ids{}")]), ["ids_2", "ids", "ids_3"]);
        assert_eq!(assigned_names(&[(Query, "$top"), (Body, "top")]), ["top_query", "top"]);
        let long = "x".repeat(80);
        assert_eq!(
            assigned_names(&[(Body, &long), (Query, &long)]),
            ["x".repeat(64), format!("{}_query", "x".repeat(58))]
        );
    }

    #[test]
    fn the_mapping_contains_the_upstream_name_if_it_differs() {
        let documents = to_documents(&[argument(Location::Query, "ids[]"), argument(Location::Body, "b")]);
        assert_eq!(
            documents.parameter_mapping.as_str(),
            r#"{"ids":{"location":"query","name":"ids[]"},"b":{"location":"body"}}"#
        );
        assert_eq!(
            documents.input_schema.as_str(),
            r#"{"type":"object","properties":{"ids":{"type":"integer","description":"ids","default":1},"b":{"type":"integer","description":"b","default":1}},"required":["ids","b"]}"#
        );
        assert_eq!(documents.body.as_str(), r#"{"ids":1,"b":1}"#);
    }

    #[test]
    fn a_description_is_the_name_in_words() {
        assert_eq!(describe("createdAfter"), "created after");
        assert_eq!(describe("[]"), "argument");
        assert_eq!(describe(&"x".repeat(300)).len(), 100);
    }

    #[test]
    fn nested_schemas_are_left_out_if_there_are_too_many() {
        let members = (0..600).map(|n| format!("\"{n}\":[1]")).collect::<Vec<_>>().join(",");
        let value = json::raw(format!("{{{members}}}"));
        let large = ToolArgument::new(Location::Body, "a", Shape::from_value(&value), value, IN_ALL);
        let documents = to_documents(&[large]);
        assert_eq!(documents.input_schema.to_value()["properties"]["a"], json!({"type": "object", "description": "a"}));
        assert_eq!(documents.schema_count, 2);
        let arguments: Vec<ToolArgument> = (0..1000).map(|n| argument(Location::Body, &n.to_string())).collect();
        assert_eq!(to_documents(&arguments).schema_count, 1001);
    }
}
