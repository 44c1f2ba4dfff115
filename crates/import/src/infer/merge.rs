//! Merges the requests of one endpoint into one tool: equal values are fixed, different values become arguments. If
//! there is only one request, all of its values become arguments.

mod body;
mod headers;
mod named_values;
mod url;

use super::InferredTool;
use super::argument;
use super::example::Example;
use super::graphql;
use crate::draft::Draft;
use crate::naming::description;
use crate::naming::tool_name::ToolNameParts;
use crate::request::credentials;
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
    let credentials = credentials_text(first);
    if examples.iter().any(|example| credentials_text(example) != credentials) {
        warnings.add("The commands have different credentials. Those of the first command were imported.");
    }
    let url = MergedUrl::merge(examples, first, &mut warnings);
    let headers = MergedHeaders::merge(examples, first, &mut warnings);
    let body = body::body_arguments(examples, first.payload.kind);
    let parts = ToolNameParts::new(&first.request.method, &url.path, graphql::verb(examples, &url.path));
    let (name, description) = (parts.name(), description::describe(&parts, &url.path));
    let arguments: Vec<_> = url.arguments.into_iter().chain(headers.arguments).chain(body).collect();
    let documents = argument::to_documents(&arguments);
    let draft = Draft {
        endpoint_url: url.url.to_string(),
        http_method: first.request.method.clone(),
        headers: headers.fixed,
        auth_type: credentials::auth_type(first.request.credentials.as_ref()),
        auth_credentials: credentials::to_json(first.request.credentials.as_ref()),
        body: documents.body,
        input_schema: documents.input_schema,
        parameter_mapping: documents.parameter_mapping,
        body_type: first.payload.kind.body_type(),
        timeout: examples.iter().filter_map(|example| example.request.timeout_secs).max(),
        warnings,
    };
    Some(InferredTool { name, description, draft: draft.with_validation_warnings(documents.schema_count) })
}

/// The credentials as text, for comparison.
fn credentials_text(example: &Example) -> String {
    credentials::to_json(example.request.credentials.as_ref()).get().to_owned()
}
