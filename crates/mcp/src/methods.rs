//! The MCP methods of each era.

mod completion;
mod initialize;
mod logging;
mod mcp_result;
mod progress;
mod prompts;
mod resources;
mod tools;

use serde::Deserialize;
use toolgate_execution::limiter::RequestKind;

pub(crate) use progress::ProgressSubscription;
pub(crate) use tools::{PreparedCall, prepare_call};

use crate::jsonrpc::{RpcError, RpcParams, RpcRequest};
use crate::mcp_request::{McpRequest, MessageContext};
use crate::outcome::MethodOutcome;

/// Counts a request towards the rate limit of the server. `ping` and the methods of the handshake are not counted.
/// Calls are counted separately from other requests, so that the latter do not use up the limit of calls.
pub(crate) async fn check_rate_limit(context: &MessageContext, request: &RpcRequest) -> Result<(), RpcError> {
    let kind = match request.method.as_str() {
        "initialize" | "ping" | "server/discover" => return Ok(()),
        "tools/call" => RequestKind::Call,
        _ => RequestKind::Other,
    };
    count_request(&context.mcp_request, kind).await
}

/// Counts a request of this kind. Returns an error if the rate limit is exceeded.
pub(crate) async fn count_request(mcp_request: &McpRequest, kind: RequestKind) -> Result<(), RpcError> {
    let server = &mcp_request.snapshot.server;
    let limit = u32::try_from(server.spec.rate_limit_per_min).unwrap_or(0);
    let admitted = mcp_request.service.rate_limiter.admit(server.id, kind, limit).await;
    admitted.map_err(|wait| RpcError::rate_limited(server.spec.rate_limit_per_min, wait.0.as_secs()))
}

/// Runs a method.
pub(crate) async fn run(context: &MessageContext, request: &RpcRequest) -> Result<MethodOutcome, RpcError> {
    let (snapshot, params) = (context.snapshot(), &request.params);
    let (era, freshness) = (context.era, snapshot.list_freshness());
    let list = |lists: &crate::catalog::ListsByEra| {
        check_cursor(params)?;
        Ok(MethodOutcome::cacheable(lists.for_era(era).clone(), freshness))
    };
    match request.method.as_str() {
        "tools/call" => tools::prepare_call(context, params)?.run(context, &()).await,
        "tools/list" => {
            context.client_connected("tools/list", None);
            list(&snapshot.tools.lists)
        }
        "prompts/list" => list(&snapshot.prompts.lists),
        "prompts/get" => prompts::get(context, params),
        "resources/list" => list(&snapshot.resources.lists),
        "resources/templates/list" => list(&snapshot.resources.template_lists),
        "resources/read" => resources::read(context, params).await,
        "completion/complete" => completion::complete(context, params),
        "server/discover" => Ok(initialize::discover(context)),
        "initialize" if !era.is_modern() => initialize::initialize(context, params),
        "ping" if !era.is_modern() => Ok(MethodOutcome::object("{}")),
        "logging/setLevel" if !era.is_modern() => logging::set_level(context, params),
        "resources/subscribe" if !era.is_modern() => resources::subscribe(context, params),
        "resources/unsubscribe" if !era.is_modern() => resources::unsubscribe(context, params),
        method => Err(RpcError::method_not_found(method)),
    }
}

/// Refuses any cursor: every list has one page, so none was issued.
fn check_cursor(params: &RpcParams) -> Result<(), RpcError> {
    #[derive(Deserialize)]
    struct ListParams {
        cursor: Option<serde_json::Value>,
    }
    match params.read::<ListParams>()?.cursor {
        None => Ok(()),
        Some(_) => Err(RpcError::invalid_params("Invalid params: unknown cursor; every list has one page")),
    }
}
