//! Several messages in one array, as bare callers and revision 2025-03-26 may send them. Each counts for itself.

use std::sync::Arc;

use axum::response::Response;
use futures_util::future::join_all;
use http::StatusCode;

use super::{answer, reply};
use crate::exchange::{Context, Exchange};
use crate::jsonrpc::{Message, Request, RpcError, error_reply};
use crate::methods;

pub(super) async fn answer(
    exchange: Arc<Exchange>,
    messages: Vec<Result<Message, RpcError>>,
) -> Result<Response, RpcError> {
    let is_modern = |request: &Request| exchange.era.of_request(request).is_modern();
    if messages.iter().any(|message| matches!(message, Ok(Message::Request(request)) if is_modern(request))) {
        return Err(RpcError::invalid_request("Invalid request: revision 2026-07-28 has no batches"));
    }
    let replies = join_all(messages.into_iter().map(|message| one(&exchange, message))).await;
    let replies: Vec<Vec<u8>> = replies.into_iter().flatten().collect();
    if replies.is_empty() {
        return Ok(reply::empty(StatusCode::ACCEPTED));
    }
    let mut body = b"[".to_vec();
    body.extend_from_slice(&replies.join(&b','));
    body.push(b']');
    Ok(reply::json(StatusCode::OK, body))
}

/// The reply to one message; `None` for a message that wants none.
async fn one(exchange: &Arc<Exchange>, message: Result<Message, RpcError>) -> Option<Vec<u8>> {
    let request = match message {
        Ok(Message::Quiet) => return None,
        Ok(Message::Request(request)) => request,
        Err(error) => return Some(error_reply(None, &error, true)),
    };
    Some(match run(exchange, &request).await {
        Ok(reply) => reply,
        Err(error) => error_reply(Some(&request.id), &error, true),
    })
}

async fn run(exchange: &Arc<Exchange>, request: &Request) -> Result<Vec<u8>, RpcError> {
    if request.method == "initialize" {
        return Err(RpcError::invalid_request("Invalid request: initialize must not be part of a batch"));
    }
    let context = Context::new(exchange, request).map_err(|(_, error)| error)?;
    methods::admit(&context, request)?;
    let outcome = methods::run(&context, request).await?;
    Ok(answer::write(&context, request, &outcome))
}
