//! Merges the URLs of requests into one URL with placeholders, and arguments.

use std::collections::{HashMap, HashSet};

use toolgate_domain::json;

use super::body::text_argument;
use super::named_values::group_by_name;
use crate::infer::argument::{Location, Occurrence, ToolArgument};
use crate::infer::example::Example;
use crate::infer::query::{self, QueryPiece};
use crate::naming::{self, UniqueNames};
use crate::request::body::Field;
use crate::request::path::{self, UrlPath};
use crate::request::url::ImportedUrl;
use crate::sensitivity;
use crate::shape::Shape;
use crate::shape::text_values;
use crate::spelling;
use crate::warnings::Warnings;

/// Maximum length of the segment that a placeholder is named after, in bytes.
const SEGMENT_NAME_MAX: usize = 50;

/// The merged URL of a tool.
pub(super) struct MergedUrl {
    pub(super) path: UrlPath,
    /// The path with the fixed part of the query.
    pub(super) url: ImportedUrl,
    /// The arguments for the placeholders, then those for the query.
    pub(super) arguments: Vec<ToolArgument>,
}

impl MergedUrl {
    pub(super) fn merge(examples: &[Example], first: &Example, warnings: &mut Warnings) -> Self {
        let (fixed_query, query_arguments) = merge_query(examples, first, warnings);
        let are_differing: Vec<bool> = (0..first.path.segments.len())
            .map(|index| examples.iter().any(|example| segment(example, index) != segment(first, index)))
            .collect();
        let equal_segments = first.path.segments.iter().zip(&are_differing).filter(|(_, is_differing)| !**is_differing);
        let equal_segments: Vec<&str> = equal_segments.map(|(segment, _)| segment.as_str()).collect();
        // Placeholders that stay in the URL reserve their names before new ones are chosen.
        let fixed_parts = ImportedUrl { base: equal_segments.join("/"), query: fixed_query.clone() };
        let mut names = UniqueNames::default();
        for name in fixed_parts.placeholders() {
            names.take(name);
        }
        let mut id_arguments: HashMap<String, ToolArgument> = HashMap::new();
        let segments = are_differing.iter().enumerate().map(|(index, is_differing)| {
            if !is_differing {
                return segment(first, index).to_owned();
            }
            let name = names.take(&id_name(examples, first, index));
            let placeholder = format!("{{{name}}}");
            id_arguments.insert(name.clone(), id_argument(&name, examples, index));
            placeholder
        });
        let path = first.path.with_segments(segments.collect());
        let url = ImportedUrl { base: path.base(), query: fixed_query };
        let placeholders = url.placeholders().into_iter().map(|name| {
            let argument = || ToolArgument::placeholder(name, Shape::String(None), json::raw_string(name));
            id_arguments.remove(name).unwrap_or_else(argument)
        });
        Self { arguments: placeholders.chain(query_arguments).collect(), path, url }
    }
}

/// The fixed part of the query, and the arguments for the rest.
fn merge_query(examples: &[Example], first: &Example, warnings: &mut Warnings) -> (Option<String>, Vec<ToolArgument>) {
    let fixed_names: HashSet<&str> =
        examples.iter().flat_map(|example| &example.query.fixed).filter_map(|piece| piece.name.as_deref()).collect();
    let mut pieces: Vec<&QueryPiece> = first.query.fixed.iter().collect();
    let parameters = group_by_name(examples.iter().map(|example| &example.query.parameters));
    let mut arguments = Vec::new();
    for (name, group) in parameters {
        let fields: Vec<&Field> = group.values.iter().map(|parameter| &parameter.field).collect();
        let occurrence = group.occurrence(examples.len(), |one, other| one.field == other.field);
        if fixed_names.contains(name) || (occurrence.is_same_in_all && !sensitivity::is_secret_name(name)) {
            pieces.extend(group.first.pieces.iter().filter(|_| occurrence.is_in_first));
        } else {
            // Parameters with equal values are part of the URL, except secrets, which must not become constants.
            let occurrence = Occurrence { is_same_in_all: false, ..occurrence };
            arguments.push(text_argument(Location::Query, name, &fields, occurrence));
        }
    }
    let imported = fixed_part(first, &fixed_names);
    if examples.iter().any(|example| fixed_part(example, &fixed_names) != imported) {
        warnings.add(
            "The commands differ in a part of the query that cannot be an argument. The part of the first command was imported.",
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

/// The segment at `index`; empty if the path is shorter.
fn segment(example: &Example, index: usize) -> &str {
    example.path.segments.get(index).map_or("", String::as_str)
}

/// The placeholder name for an id: the one that a request uses, or else one derived from the preceding segment.
fn id_name(examples: &[Example], first: &Example, index: usize) -> String {
    let placeholder = examples.iter().find_map(|example| path::placeholder_name(segment(example, index)));
    let previous = index.checked_sub(1).map(|index| segment(first, index));
    let previous = previous.filter(|segment| !path::is_id(segment) && !path::is_api_prefix(segment));
    let noun = previous.map(|segment| {
        spelling::singular_snake_case(&naming::truncate(&spelling::to_snake_case(segment), SEGMENT_NAME_MAX))
    });
    let noun = noun.filter(|noun| noun.starts_with(|c: char| c.is_ascii_lowercase()));
    match (placeholder, noun) {
        (Some(placeholder), _) => placeholder.to_owned(),
        (None, Some(noun)) => format!("{noun}_id"),
        (None, None) => "id".to_owned(),
    }
}

/// The argument for an id in which requests differ. For a request with a placeholder, the value is the placeholder
/// name.
fn id_argument(name: &str, examples: &[Example], index: usize) -> ToolArgument {
    let texts = examples.iter().map(|example| segment(example, index));
    let fields: Vec<Field> = texts
        .map(|text| Field { values: vec![path::placeholder_name(text).unwrap_or(text).to_owned()], ..Field::default() })
        .collect();
    let shape = text_values::shape(&fields.iter().collect::<Vec<_>>());
    let value = fields.first().map_or_else(|| json::raw_string(name), |first| text_values::value(first, &shape));
    ToolArgument::placeholder(name, shape, value)
}
