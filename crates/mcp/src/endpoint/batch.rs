//! Several messages in one array, as bare callers and revision 2025-03-26 may send them. Each counts for itself.

use std::sync::Arc;

use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use http::StatusCode;

use super::to_the_end::ToTheEnd;
use super::{answer, reply};
use crate::era::Era;
use crate::exchange::{Context, Exchange};
use crate::jsonrpc::{Message, Request, RpcError, error_reply};
use crate::methods;

/// Messages that are worked on at once.
const AT_ONCE: usize = 4;
/// Once the replies are this long together, what is left gets an error: one request must not fill the memory.
const REPLIES_MAX: usize = 16 * 1024 * 1024;

pub(super) async fn answer(
    exchange: Arc<Exchange>,
    messages: Vec<Result<Message, RpcError>>,
) -> Result<Response, RpcError> {
    let is_modern = |request: &Request| {
        let meta = request.params.meta();
        Era::of_request(exchange.era, &request.method, meta.as_ref()).is_ok_and(Era::is_modern)
    };
    if messages.iter().any(|message| matches!(message, Ok(Message::Request(request)) if is_modern(request))) {
        return Err(RpcError::invalid_request("Invalid request: revision 2026-07-28 has no batches"));
    }
    if exchange.era.is_some_and(Era::disconnect_cancels) {
        return Ok(all(&exchange, messages).await);
    }
    // Legacy calls run to their end, also when their client goes away.
    let gate = Arc::clone(&exchange.gate);
    Ok(ToTheEnd::new(gate, async move { all(&exchange, messages).await }).await)
}

async fn all(exchange: &Arc<Exchange>, messages: Vec<Result<Message, RpcError>>) -> Response {
    let mut body = b"[".to_vec();
    let mut replies = stream::iter(messages).map(|message| one(exchange, message)).buffered(AT_ONCE);
    while let Some(reply) = replies.next().await {
        let Some((request, reply)) = reply else { continue };
        if body.len() > 1 {
            body.push(b',');
        }
        if body.len() + reply.len() <= REPLIES_MAX {
            body.extend_from_slice(&reply);
        } else {
            let id = request.as_ref().map(|request| &request.id);
            body.extend_from_slice(&error_reply(id, &too_long(), true));
        }
    }
    if body.len() == 1 {
        return reply::empty(StatusCode::ACCEPTED);
    }
    body.push(b']');
    reply::json(StatusCode::OK, body)
}

fn too_long() -> RpcError {
    let remedy = "The replies of this batch are too long together; send this request by itself";
    RpcError::http(StatusCode::PAYLOAD_TOO_LARGE, remedy)
}

/// The reply to one message, with the request where it is one; `None` for a message that wants none.
async fn one(exchange: &Arc<Exchange>, message: Result<Message, RpcError>) -> Option<(Option<Request>, Vec<u8>)> {
    let request = match message {
        Ok(Message::Quiet) => return None,
        Ok(Message::Request(request)) => request,
        Err(error) => return Some((None, error_reply(None, &error, true))),
    };
    let reply = match run(exchange, &request).await {
        Ok(reply) => reply,
        Err(error) => error_reply(Some(&request.id), &error, true),
    };
    Some((Some(request), reply))
}

async fn run(exchange: &Arc<Exchange>, request: &Request) -> Result<Vec<u8>, RpcError> {
    if request.method == "initialize" {
        return Err(RpcError::invalid_request("Invalid request: initialize must not be part of a batch"));
    }
    let context = Context::new(exchange, request).map_err(|(_, error)| error)?;
    methods::admit(&context, request).await?;
    let outcome = methods::run(&context, request).await?;
    Ok(answer::write(&context, request, &outcome))
}
