//! The methods, and who may use which.

mod completion;
mod follower;
mod initialize;
mod logging;
mod prompts;
mod resources;
mod rich;
mod tools;

use serde::Deserialize;
use toolgate_execution::limiter::RequestKind;

pub(crate) use follower::Follower;
pub(crate) use tools::{Prepared, prepare};

use crate::exchange::{Context, Exchange};
use crate::jsonrpc::{Params, Request, RpcError};
use crate::outcome::Outcome;

/// Whether the server's calls of this minute leave room for one more. What a client needs to get to know a server at
/// all is free; discovery never eats the budget of calls.
pub(crate) async fn admit(context: &Context, request: &Request) -> Result<(), RpcError> {
    let kind = match request.method.as_str() {
        "initialize" | "ping" | "server/discover" => return Ok(()),
        "tools/call" => RequestKind::Call,
        _ => RequestKind::Other,
    };
    count(&context.exchange, kind).await
}

/// Counts one request of this kind, where there is room for it.
pub(crate) async fn count(exchange: &Exchange, kind: RequestKind) -> Result<(), RpcError> {
    let server = &exchange.published.server;
    let limit = u32::try_from(server.spec.rate_limit_per_min).unwrap_or(0);
    let admitted = exchange.gate.limits.admit(server.id, kind, limit).await;
    admitted.map_err(|wait| RpcError::rate_limited(server.spec.rate_limit_per_min, wait.0.as_secs()))
}

/// Runs a method.
pub(crate) async fn run(context: &Context, request: &Request) -> Result<Outcome, RpcError> {
    let (published, params) = (context.published(), &request.params);
    let (era, fresh) = (context.era, published.list_freshness());
    let list = |lists: &crate::catalog::Lists| {
        check_cursor(params)?;
        Ok(Outcome::fresh(lists.of(era).clone(), fresh))
    };
    match request.method.as_str() {
        "tools/call" => tools::prepare(context, params)?.run(context, &()).await,
        "tools/list" => {
            context.client_connected("tools/list", None);
            list(&published.tools.lists)
        }
        "prompts/list" => list(&published.prompts.lists),
        "prompts/get" => prompts::get(context, params),
        "resources/list" => list(&published.resources.lists),
        "resources/templates/list" => list(&published.resources.template_lists),
        "resources/read" => resources::read(context, params).await,
        "completion/complete" => completion::complete(context, params),
        "server/discover" => Ok(initialize::discover(context)),
        "initialize" if !era.is_modern() => initialize::initialize(context, params),
        "ping" if !era.is_modern() => Ok(Outcome::object("{}")),
        "logging/setLevel" if !era.is_modern() => logging::set_level(context, params),
        "resources/subscribe" if !era.is_modern() => resources::subscribe(context, params),
        "resources/unsubscribe" if !era.is_modern() => resources::unsubscribe(context, params),
        method => Err(RpcError::method_not_found(method)),
    }
}

/// Lists come in one page: there is no cursor that we gave out.
fn check_cursor(params: &Params) -> Result<(), RpcError> {
    #[derive(Deserialize)]
    struct Paged {
        cursor: Option<serde_json::Value>,
    }
    match params.read::<Paged>()?.cursor {
        None => Ok(()),
        Some(_) => Err(RpcError::invalid_params("Invalid params: unknown cursor; lists come in one page")),
    }
}
