//! Commands of one endpoint as one tool: what they agree on is fixed, what they differ in is an argument. A command of
//! its own agrees with nobody, so all of it is arguments.

mod address;
mod body;
mod headers;
mod seen;

use super::InferredTool;
use super::argument;
use super::example::Example;
use super::{description, tool_name};
use crate::curl::draft::{self, Draft};
use crate::curl::warnings::Warnings;
use address::Address;
use headers::Headers;

/// The tool of commands of one endpoint; `None` of none.
pub(super) fn tool(commands: &[Example]) -> Option<InferredTool> {
    let first = commands.first()?;
    let mut warnings = Warnings::default();
    for command in commands {
        warnings.extend(&command.request.warnings);
    }
    let secret = secret_of(first);
    if commands.iter().any(|command| secret_of(command) != secret) {
        warnings.add("The commands have different credentials; those of the first were kept.");
    }
    let address = Address::of(commands, first, &mut warnings);
    let headers = Headers::of(commands, first, &mut warnings);
    let body = body::arguments(commands, first.payload.kind);
    let parts = tool_name::Parts::of(first, commands, &address.path);
    let (name, description) = (parts.name(), description::of(&parts, &address.path));
    let arguments: Vec<_> = address.arguments.into_iter().chain(headers.arguments).chain(body).collect();
    let written = argument::write(&arguments);
    let draft = Draft {
        endpoint_url: address.url.to_string(),
        http_method: first.request.method.clone(),
        headers: headers.fixed,
        auth_type: draft::auth_type(first.request.credentials.as_ref()),
        auth_credentials: draft::exposed(first.request.credentials.as_ref()),
        body: written.body,
        input_schema: written.input_schema,
        parameter_mapping: written.parameter_mapping,
        body_type: first.payload.kind.body_type(),
        timeout: commands.iter().filter_map(|command| command.request.timeout).max(),
        warnings,
    };
    Some(InferredTool { name, description, draft: draft.checked(written.schemas) })
}

/// For comparing.
fn secret_of(command: &Example) -> String {
    draft::exposed(command.request.credentials.as_ref()).get().to_owned()
}
