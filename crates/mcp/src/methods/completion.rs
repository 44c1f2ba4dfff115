//! `completion/complete`: the suggested values of a prompt argument.

use serde::Deserialize;
use serde_json::json;

use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;

/// The most values of one result, according to the specification.
const VALUES_MAX: usize = 100;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct CompleteParams {
    #[serde(rename = "ref")]
    reference: CompletionReference,
    argument: CompletionArgument,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct CompletionReference {
    #[serde(rename = "type")]
    kind: String,
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct CompletionArgument {
    name: String,
    value: String,
}

pub(super) fn complete(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let params: CompleteParams = params.read()?;
    let values = match params.reference.kind.as_str() {
        "ref/prompt" => prompt_values(context, &params)?,
        "ref/resource" => Vec::new(),
        _ => return Err(RpcError::invalid_params("Invalid params: ref.type must be ref/prompt or ref/resource")),
    };
    let total = values.len();
    let result = json!({"completion": {
        "values": values.iter().take(VALUES_MAX).collect::<Vec<_>>(),
        "total": total,
        "hasMore": total > VALUES_MAX,
    }});
    Ok(MethodOutcome::object(result.to_string()))
}

fn prompt_values(context: &MessageContext, params: &CompleteParams) -> Result<Vec<String>, RpcError> {
    let name = params.reference.name.as_deref().unwrap_or_default();
    let prompt = context.snapshot().prompts.get(name).ok_or_else(|| RpcError::unknown_name("prompt", name))?;
    let argument = prompt.spec.arguments.iter().find(|argument| argument.name == params.argument.name);
    let prefix = params.argument.value.to_lowercase();
    let values = argument.and_then(|argument| argument.values.as_ref()).into_iter().flatten();
    Ok(values.filter(|value| value.to_lowercase().starts_with(&prefix)).cloned().collect())
}
