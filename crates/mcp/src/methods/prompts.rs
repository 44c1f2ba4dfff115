//! `prompts/get`: fills in a prompt.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct GetParams {
    name: String,
    arguments: Option<IndexMap<String, String>>,
}

pub(super) fn get(context: &MessageContext, params: &RpcParams) -> Result<MethodOutcome, RpcError> {
    let params: GetParams = params.read()?;
    let prompt = context.snapshot().prompts.get(&params.name);
    let prompt = prompt.ok_or_else(|| RpcError::unknown_name("prompt", &params.name))?;
    context.span.set_prompt(&params.name);
    let messages = prompt.spec.render(&params.arguments.unwrap_or_default());
    let messages = messages.map_err(|missing| RpcError::invalid_params(missing.to_string()))?;
    let mut json = b"{\"description\":".to_vec();
    toolgate_execution::content::write_json_string(&prompt.spec.description, &mut json);
    json.extend_from_slice(b",\"messages\":");
    json.extend_from_slice(messages.as_str().as_bytes());
    json.push(b'}');
    Ok(MethodOutcome::object(json))
}
