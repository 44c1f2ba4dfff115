//! Merges the requests of one endpoint into one tool: equal values are fixed, different values become arguments. If
//! there is only one request, all of its values become arguments.

pub(super) mod body;
mod graphql_body;
mod headers;
mod named_values;
mod url;

use toolgate_domain::json;

use super::InferredTool;
use super::annotations::InferredAnnotations;
use super::argument;
use super::argument_rules::ArgumentRules;
use super::example::Example;
use super::payload::PayloadKind;
use super::tool_description;
use super::tool_name::{self, NameSources, ToolNameParts};
use crate::draft::Draft;
use crate::warnings::Warnings;
use headers::MergedHeaders;
use url::MergedUrl;

/// Merges requests of one endpoint into a tool; `None` if there are no requests.
pub(super) fn merge_examples(examples: &[Example]) -> Option<InferredTool> {
    let first = examples.first()?;
    let mut warnings = Warnings::default();
    for example in examples {
        warnings.extend(&example.request.warnings);
    }
    let auth_credentials = first.credentials.to_json();
    if examples.iter().any(|example| example.credentials.to_json() != auth_credentials) {
        warnings.add("The requests have different credentials. Those of the first request were imported.");
    }
    let parts = name_parts(first);
    let rules = ArgumentRules::new(&parts, body::facts(&first.payload));
    let path = url::merged_path(examples, first);
    let url = MergedUrl::merge(examples, &path, first, &rules, &mut warnings);
    let headers = MergedHeaders::merge(examples, &rules, &mut warnings);
    let body = body::body_arguments(examples, first, &rules, &mut warnings);
    let arguments: Vec<_> = url.arguments.into_iter().chain(headers.arguments).chain(body).collect();
    let documents = argument::to_documents(&arguments, first.credentials.placeholders());
    let draft = Draft {
        endpoint_url: url.url.to_string(),
        http_method: first.request.method.clone(),
        headers: headers.fixed,
        auth_type: first.credentials.auth_type(),
        auth_credentials: json::raw(auth_credentials),
        body: documents.body,
        input_schema: documents.input_schema,
        parameter_mapping: documents.parameter_mapping,
        body_type: first.payload.kind.body_type(),
        timeout: examples.iter().filter_map(|example| example.request.timeout_secs).max(),
        warnings,
    };
    let graphql = first.operation.as_ref().and_then(|operation| operation.graphql.as_ref());
    Some(InferredTool {
        name: parts.name(),
        description: tool_description::describe(&parts, &path),
        draft: draft.with_validation_warnings(documents.schema_count),
        annotations: InferredAnnotations::new(&first.request.method, graphql.is_some_and(|graphql| graphql.is_query)),
        // Credentials and headers are those of the first request.
        variables: first.variables.clone(),
    })
}

pub(super) fn name_parts(example: &Example) -> ToolNameParts {
    let members = &example.payload.json;
    let only_member = members.iter().next().filter(|_| members.len() == 1 && example.payload.kind == PayloadKind::Json);
    let only_member = only_member.filter(|(_, value)| value.get().starts_with(['{', '[']));
    let operation = example.operation.as_ref().map(|operation| operation.name.as_str());
    let sources = NameSources {
        operation: example.known_name.as_deref().or(operation),
        domain_label: &example.path.domain_label(),
        only_member: only_member.map(|(name, _)| name.as_str()),
        limited_items: example.query.parameters.keys().find_map(|name| tool_name::limited_items(name)),
    };
    ToolNameParts::new(&example.request.method, &example.pattern, &sources)
}
