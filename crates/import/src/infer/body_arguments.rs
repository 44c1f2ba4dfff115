//! The arguments of one body, for importers that read the rest of the request themselves.

use toolgate_domain::json;

use super::argument::ToolArgument;
use super::argument_rules::ArgumentRules;
use super::example::Example;
use super::graphql::{GraphQlOperation, QUERY_MEMBER};
use super::merge::{self, body};
use super::operation::NamedOperation;
use crate::request::ImportedRequest;
use crate::warnings::Warnings;

/// The arguments and constants of the body of a request. If `is_graphql`, the member `query` of the body is
/// the text of a GraphQL operation, even if neither the path nor the text shows it.
pub(crate) fn infer(request: ImportedRequest, is_graphql: bool) -> Vec<ToolArgument> {
    let mut example = Example::from_request(request);
    if is_graphql && example.operation.is_none() {
        let text = example.payload.json.get(QUERY_MEMBER).and_then(|text| json::as_string(text)).unwrap_or_default();
        let graphql = GraphQlOperation::parse(&text, None);
        example.operation = Some(NamedOperation { name: graphql.name.clone(), key: text, graphql: Some(graphql) });
    }
    let rules = ArgumentRules::new(&merge::name_parts(&example), body::facts(&example.payload));
    let examples = [example];
    let [first] = &examples;
    body::body_arguments(&examples, first, &rules, &mut Warnings::default())
}
