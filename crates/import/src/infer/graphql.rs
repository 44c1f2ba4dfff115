//! Recognises GraphQL requests by their path and body.

use toolgate_domain::json;

use super::example::Example;
use super::payload::PayloadKind;
use crate::naming::tool_name::Verb;
use crate::request::path::UrlPath;
use crate::spelling::to_snake_case;

/// The verb of a GraphQL operation; `None` if the examples are other requests.
pub(super) fn verb(examples: &[Example], path: &UrlPath) -> Option<Verb> {
    is_graphql(examples, path).then(|| Verb::GraphQl(operation_name(examples)))
}

fn is_graphql(examples: &[Example], path: &UrlPath) -> bool {
    let last = path.segments.iter().rfind(|segment| !segment.is_empty());
    last.is_some_and(|last| last.to_ascii_lowercase().ends_with("graphql"))
        && examples
            .iter()
            .all(|example| example.payload.kind == PayloadKind::Json && example.payload.json.contains_key("query"))
}

/// The operation name, if all examples have the same.
fn operation_name(examples: &[Example]) -> Option<String> {
    let name_of = |example: &Example| json::as_string(example.payload.json.get("operationName")?);
    let name = name_of(examples.first()?)?;
    let name = Some(name).filter(|name| examples.iter().all(|example| name_of(example).as_ref() == Some(name)));
    let name = to_snake_case(&name?);
    Some(name.trim_start_matches(|c: char| !c.is_ascii_lowercase()).to_owned()).filter(|name| !name.is_empty())
}
