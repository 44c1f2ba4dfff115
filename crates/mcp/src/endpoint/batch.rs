//! JSON-RPC batches, for bare callers and revision 2025-03-26. Each message counts towards the rate limit.

use std::sync::Arc;

use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use http::StatusCode;

use super::run_detached::RunDetached;
use super::{reply, respond};
use crate::era::Era;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::{Message, RpcRequest};
use crate::jsonrpc::reply::{ErrorReplyId, error_reply};
use crate::mcp_request::{McpRequest, MessageContext};
use crate::method::McpMethod;
use crate::methods::{self, MethodStart, scope_check};

/// Messages of one batch that run concurrently.
const CONCURRENT_MESSAGES_MAX: usize = 4;
/// Maximum total size of the replies, in bytes; bounds memory. A reply that would exceed it is replaced by an error.
const REPLIES_MAX: usize = 16 * 1024 * 1024;

pub(super) async fn respond(
    mcp_request: Arc<McpRequest>,
    messages: Vec<Result<Message, RpcError>>,
) -> Result<Response, RpcError> {
    let is_modern = |request: &RpcRequest| {
        mcp_request.message_era(request, request.params.meta.as_deref()).is_ok_and(Era::is_modern)
    };
    if messages.iter().any(|message| matches!(message, Ok(Message::Request(request)) if is_modern(request))) {
        return Err(no_modern_batches());
    }
    check_scopes(&mcp_request, &messages)?;
    if mcp_request.era.is_some_and(Era::disconnect_cancels) {
        return Ok(respond_to_all(&mcp_request, messages).await);
    }
    // Legacy calls finish even if their client disconnects.
    let service = Arc::clone(&mcp_request.service);
    Ok(RunDetached::new(service, async move { respond_to_all(&mcp_request, messages).await }).await)
}

/// Refuses the whole batch if the caller's token does not allow one of its calls, because a batch has one HTTP status.
fn check_scopes(mcp_request: &Arc<McpRequest>, messages: &[Result<Message, RpcError>]) -> Result<(), RpcError> {
    if scope_check::may_write(mcp_request) {
        return Ok(());
    }
    for message in messages {
        if let Ok(Message::Request(request)) = message
            && let Ok(context) = MessageContext::new(mcp_request, request)
        {
            scope_check::check(&context, request)?;
        }
    }
    Ok(())
}

async fn respond_to_all(mcp_request: &Arc<McpRequest>, messages: Vec<Result<Message, RpcError>>) -> Response {
    let mut body = b"[".to_vec();
    let mut replies =
        stream::iter(messages).map(|message| respond_to_one(mcp_request, message)).buffered(CONCURRENT_MESSAGES_MAX);
    while let Some(reply) = replies.next().await {
        let Some((request, reply)) = reply else { continue };
        if body.len() > 1 {
            body.push(b',');
        }
        if body.len() + reply.len() <= REPLIES_MAX {
            body.extend_from_slice(&reply);
        } else {
            let id = request.as_ref().map_or(ErrorReplyId::Null, |request| ErrorReplyId::Request(&request.id));
            body.extend_from_slice(&error_reply(id, &reply_too_large()));
        }
    }
    if body.len() == 1 {
        return StatusCode::ACCEPTED.into_response();
    }
    body.push(b']');
    reply::json(StatusCode::OK, body)
}

fn no_modern_batches() -> RpcError {
    RpcError::invalid_request("Invalid request: revision 2026-07-28 does not support batches")
}

fn reply_too_large() -> RpcError {
    let message = "The replies to this batch are too large; send this request on its own";
    RpcError::http(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// The reply to one message, with the parsed request unless the message is invalid. Returns `None` for a message that
/// gets no reply.
async fn respond_to_one(
    mcp_request: &Arc<McpRequest>,
    message: Result<Message, RpcError>,
) -> Option<(Option<RpcRequest>, Vec<u8>)> {
    let request = match message {
        Ok(Message::NoReply) => return None,
        Ok(Message::Request(request)) => request,
        Err(error) => return Some((None, error_reply(ErrorReplyId::Null, &error))),
    };
    let reply = run(mcp_request, &request).await;
    let reply = reply.unwrap_or_else(|error| error_reply(ErrorReplyId::Request(&request.id), &error));
    Some((Some(request), reply))
}

async fn run(mcp_request: &Arc<McpRequest>, request: &RpcRequest) -> Result<Vec<u8>, RpcError> {
    if request.method == Some(McpMethod::Initialize) {
        return Err(RpcError::invalid_request("Invalid request: initialize must not be part of a batch"));
    }
    let context = MessageContext::new(mcp_request, request).map_err(|(_, error)| error)?;
    let started = methods::start(&context, request).await.inspect_err(|error| context.span.set_error(error))?;
    let outcome = match started {
        MethodStart::Call(call) => call.run(&context, &()).await?,
        // Only modern callers can open a stream of changes.
        MethodStart::Stream(_) => return Err(no_modern_batches()),
        MethodStart::Finished(outcome) => outcome,
    };
    Ok(respond::write(&context, request, &outcome))
}
