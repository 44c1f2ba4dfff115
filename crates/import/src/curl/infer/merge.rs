//! Merges the commands of one endpoint into one tool: equal values are fixed, different values become arguments. If
//! there is only one command, all of its values become arguments.

mod body;
mod headers;
mod named_values;
mod url;

use super::InferredTool;
use super::argument;
use super::example::Example;
use super::{description, tool_name};
use crate::curl::draft::Draft;
use crate::request::credentials;
use crate::warnings::Warnings;
use headers::MergedHeaders;
use url::MergedUrl;

/// Merges commands of one endpoint into a tool; `None` if there are no commands.
pub(super) fn merge_commands(commands: &[Example]) -> Option<InferredTool> {
    let first = commands.first()?;
    let mut warnings = Warnings::default();
    for command in commands {
        warnings.extend(&command.request.warnings);
    }
    let credentials = credentials_text(first);
    if commands.iter().any(|command| credentials_text(command) != credentials) {
        warnings.add("The commands have different credentials. Those of the first command were imported.");
    }
    let url = MergedUrl::merge(commands, first, &mut warnings);
    let headers = MergedHeaders::merge(commands, first, &mut warnings);
    let body = body::body_arguments(commands, first.payload.kind);
    let parts = tool_name::ToolNameParts::new(first, commands, &url.path);
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
        timeout: commands.iter().filter_map(|command| command.request.timeout_secs).max(),
        warnings,
    };
    Some(InferredTool { name, description, draft: draft.with_validation_warnings(documents.schema_count) })
}

/// The credentials as text, for comparison.
fn credentials_text(command: &Example) -> String {
    credentials::to_json(command.request.credentials.as_ref()).get().to_owned()
}
