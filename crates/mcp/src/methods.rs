//! The rate limit and the execution of the MCP methods.

mod built_in;
mod cached_call;
mod calls;
mod completion;
mod initialize;
mod logging;
mod mcp_result;
pub(crate) mod progress;
mod prompts;
mod resources;
pub(crate) mod scope_check;
mod shaped_call;
pub(crate) mod tools;

use std::sync::Arc;

use axum::response::Response;
use serde::Deserialize;
use tokio::task::spawn_blocking;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::trace::TraceSpan;
use toolgate_execution::limiter::{LimitScope, RequestKind};

use crate::access;
use crate::catalog::lists::ListsByEra;
use crate::catalog::snapshot::Freshness;
use crate::change_streams;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcRequest;
use crate::jsonrpc::params::RpcParams;
use crate::mcp_request::{McpRequest, MessageContext};
use crate::method::McpMethod;
use crate::outcome::MethodOutcome;
use tools::PreparedCall;

/// Counts a request towards the rate limits of the server and of the key. `ping` and the methods of the handshake are
/// not counted. Calls are counted separately from other requests, so that the latter do not use up the limit of calls.
async fn check_rate_limit(context: &MessageContext, request: &RpcRequest) -> Result<(), RpcError> {
    let kind = match request.method {
        Some(McpMethod::Initialize | McpMethod::Ping | McpMethod::ServerDiscover) => return Ok(()),
        Some(McpMethod::ToolsCall) => RequestKind::Call,
        _ => RequestKind::Other,
    };
    let span = TraceSpan::step(context.span.0.scope(), "rate limit");
    let counted = count_request(&context.mcp_request, kind).await;
    if counted.is_err() {
        span.fail("rate_limited");
    }
    counted
}

/// Counts a request of this kind. Returns an error if the rate limit of the server or of the caller's key is exceeded.
pub(crate) async fn count_request(mcp_request: &McpRequest, kind: RequestKind) -> Result<(), RpcError> {
    let McpRequest { service, snapshot, caller, .. } = mcp_request;
    let (server, limiter) = (&snapshot.server, &service.rate_limiter);
    // The key's limit is checked first, so that a busy key does not use up the limit of the server.
    let key_limit = access::endpoint_key(snapshot, caller).and_then(|key| Some((key.id, key.rate_limit_per_min?)));
    if let Some((key, limit)) = key_limit {
        let admitted = limiter.admit(LimitScope::Key(key), kind, limit).await;
        admitted.map_err(|wait| {
            snapshot.refusals.record(RefusalReason::KeyRateLimit);
            RpcError::key_rate_limited(limit, wait.0.as_secs())
        })?;
    }
    let limit = u32::try_from(server.spec.rate_limit_per_min).unwrap_or(0);
    let Err(wait) = limiter.admit(LimitScope::Server(server.id), kind, limit).await else { return Ok(()) };
    if let Some((key, _)) = key_limit {
        limiter.uncount(LimitScope::Key(key), kind).await;
    }
    snapshot.refusals.record(RefusalReason::RateLimit);
    Err(RpcError::rate_limited(server.spec.rate_limit_per_min, wait.0.as_secs()))
}

/// The state of a method after [`start`].
#[expect(clippy::large_enum_variant, reason = "a box would add an allocation to every call")]
pub(crate) enum MethodStart {
    /// A call that is still to be run.
    Call(PreparedCall),
    /// The response is an event stream of changes.
    Stream(Response),
    Finished(MethodOutcome),
}

/// Checks the scopes and the rate limit, and starts a method.
pub(crate) async fn start(context: &MessageContext, request: &RpcRequest) -> Result<MethodStart, RpcError> {
    scope_check::check(context, request)?;
    check_rate_limit(context, request).await?;
    let (snapshot, params, era) = (context.snapshot(), &request.params, context.era);
    let list = |lists: &ListsByEra| {
        check_cursor(params)?;
        Ok(MethodOutcome::cacheable(lists.for_era(era).clone(), snapshot.list_freshness()))
    };
    let method = request.method.filter(|method| method.exists_in(era));
    let outcome = match method.ok_or_else(|| RpcError::method_not_found(&request.method_name))? {
        McpMethod::ToolsCall => return calls::start(context, params).await,
        McpMethod::SubscriptionsListen => return change_streams::listen(context, request).map(MethodStart::Stream),
        McpMethod::ToolsList => {
            context.client_connected(McpMethod::ToolsList, None);
            check_cursor(params)?;
            Ok(tool_list(context).await)
        }
        McpMethod::PromptsList => list(&snapshot.prompts.lists),
        McpMethod::PromptsGet => prompts::get(context, params),
        McpMethod::ResourcesList => list(&snapshot.resources.lists),
        McpMethod::ResourcesTemplatesList => list(&snapshot.resources.template_lists),
        McpMethod::ResourcesRead => resources::read(context, params).await,
        McpMethod::ResourcesSubscribe => resources::subscribe(context, params).await,
        McpMethod::ResourcesUnsubscribe => resources::unsubscribe(context, params).await,
        McpMethod::CompletionComplete => completion::complete(context, params),
        McpMethod::LoggingSetLevel => logging::set_level(context, params).await,
        McpMethod::Initialize => initialize::initialize(context, params),
        McpMethod::ServerDiscover => Ok(initialize::discover(context)),
        McpMethod::Ping => Ok(MethodOutcome::object("{}")),
    };
    outcome.map(MethodStart::Finished)
}

/// The list of tools for this caller.
async fn tool_list(context: &MessageContext) -> MethodOutcome {
    let snapshot = &context.mcp_request.snapshot;
    let viewer = context.list_viewer();
    let whole = snapshot.tools.lists.for_era(viewer.era);
    let list = if let Some(list) = snapshot.tools.ready_list(&viewer) {
        list
    } else {
        let shared = Arc::clone(snapshot);
        let derived = spawn_blocking(move || shared.tools.derive_list(viewer)).await;
        derived.unwrap_or_else(|panic| {
            tracing::error!(%panic, "cannot derive a list of tools");
            whole.clone()
        })
    };
    let freshness = snapshot.list_freshness();
    // A derived list depends on the client, so it must not be cached for others.
    let is_private = freshness.is_private || list.as_ptr() != whole.as_ptr();
    MethodOutcome::cacheable(list, Freshness { is_private, ..freshness })
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
