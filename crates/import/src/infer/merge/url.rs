//! Merges the URLs of requests into one URL with placeholders, and arguments.

use std::collections::HashSet;

use toolgate_domain::json;

use super::body::{argument, text_shape_and_value};
use super::named_values::group_by_name;
use crate::infer::argument::{Location, Occurrence, ToolArgument};
use crate::infer::argument_rules::ArgumentRules;
use crate::infer::example::Example;
use crate::infer::query::{self, QueryPiece};
use crate::path_pattern::PathArgument;
use crate::request::body::Field;
use crate::request::path::UrlPath;
use crate::request::url::ImportedUrl;
use crate::sensitivity;
use crate::shape::Shape;
use crate::warnings::Warnings;

/// The merged URL of a tool.
pub(super) struct MergedUrl {
    /// The path with the fixed part of the query.
    pub(super) url: ImportedUrl,
    /// The arguments for the placeholders, then those for the query.
    pub(super) arguments: Vec<ToolArgument>,
}

impl MergedUrl {
    pub(super) fn merge(
        examples: &[Example],
        path: &UrlPath,
        first: &Example,
        rules: &ArgumentRules,
        warnings: &mut Warnings,
    ) -> Self {
        let (fixed_query, query_arguments) = merge_query(examples, first, rules, warnings);
        let query_part = ImportedUrl { base: String::new(), query: fixed_query };
        let path_names = || example_with_names(examples, first).pattern.arguments.iter();
        let path_arguments = path_names().enumerate().map(|(index, argument)| path_argument(argument, examples, index));
        let query_names = query_part.placeholders().into_iter();
        let query_placeholders = query_names
            .filter(|name| !path_names().any(|argument| argument.name == *name))
            .map(|name| ToolArgument::in_path(name, Shape::String(None), json::raw_string(name)));
        let arguments = path_arguments.chain(query_placeholders).chain(query_arguments).collect();
        Self { url: ImportedUrl { base: path.base(), query: query_part.query }, arguments }
    }
}

/// The path of a tool: that of the first request with a placeholder, whose name is better than an inferred one, or else
/// of the first request.
pub(super) fn merged_path(examples: &[Example], first: &Example) -> UrlPath {
    first.path.with_segments(example_with_names(examples, first).pattern.segments.clone())
}

fn example_with_names<'a>(examples: &'a [Example], first: &'a Example) -> &'a Example {
    let has_placeholder = |example: &&Example| example.pattern.arguments.iter().any(|argument| argument.is_placeholder);
    examples.iter().find(has_placeholder).unwrap_or(first)
}

/// The argument for a part of the path.
fn path_argument(argument: &PathArgument, examples: &[Example], index: usize) -> ToolArgument {
    let same_position: Vec<&PathArgument> =
        examples.iter().filter_map(|example| example.pattern.arguments.get(index)).collect();
    let fields: Vec<Field> = same_position
        .iter()
        .map(|argument| Field { values: vec![argument.text.clone()], ..Field::default() })
        .collect();
    let (shape, value) = text_shape_and_value(&fields.iter().collect::<Vec<_>>());
    ToolArgument::in_path(&argument.name, shape, value)
}

/// The fixed part of the query, and the arguments for the rest.
fn merge_query(
    examples: &[Example],
    first: &Example,
    rules: &ArgumentRules,
    warnings: &mut Warnings,
) -> (Option<String>, Vec<ToolArgument>) {
    let fixed_names: HashSet<&str> =
        examples.iter().flat_map(|example| &example.query.fixed).filter_map(|piece| piece.name.as_deref()).collect();
    let mut pieces: Vec<&QueryPiece> = first.query.fixed.iter().collect();
    let parameters = group_by_name(examples.iter().map(|example| &example.query.parameters));
    let mut arguments = Vec::new();
    for (name, group) in parameters {
        let fields: Vec<&Field> = group.values.iter().map(|parameter| &parameter.field).collect();
        let occurrence = group.occurrence(examples.len(), |one, other| one.field == other.field);
        let has_placeholder = fields.iter().flat_map(|field| &field.values).any(|value| value.contains(['{', '}']));
        let is_same = occurrence.is_same_in_all && !has_placeholder && !sensitivity::is_secret_name(name);
        if fixed_names.contains(name) || is_same {
            pieces.extend(group.first.pieces.iter().filter(|_| occurrence.is_in_first));
        } else {
            // Parameters with equal values are part of the URL, except secrets, which must not become constants.
            let occurrence = Occurrence { is_same_in_all: false, ..occurrence };
            let (shape, value) = text_shape_and_value(&fields);
            arguments.push(argument(Location::Query, name, shape, &value, occurrence, rules));
        }
    }
    let imported = fixed_part(first, &fixed_names);
    if examples.iter().any(|example| fixed_part(example, &fixed_names) != imported) {
        warnings.add(
            "The requests differ in a part of the query that cannot be an argument. The part of the first request was imported.",
        );
    }
    (query::to_query_string(pieces), arguments)
}

/// The part of a request's query that cannot become an argument.
fn fixed_part(example: &Example, fixed_names: &HashSet<&str>) -> Option<String> {
    let parameters = example.query.parameters.iter().filter(|(name, _)| fixed_names.contains(name.as_str()));
    let pieces = parameters.flat_map(|(_, parameter)| &parameter.pieces);
    query::to_query_string(pieces.chain(&example.query.fixed).collect())
}
