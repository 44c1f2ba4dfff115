//! The response to one request: JSON, or an event stream if notifications precede the result.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::reply;
use super::run_detached::RunDetached;
use super::spliced_body::SplicedBody;
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::RpcRequest;
use crate::jsonrpc::reply::{ErrorReplyId, error_reply, result_reply, spliced_reply};
use crate::mcp_request::{McpRequest, MessageContext};
use crate::methods::progress::{ProgressSender, ProgressSubscription};
use crate::methods::tools::PreparedCall;
use crate::methods::{self, MethodStart};
use crate::outcome::MethodOutcome;
use crate::sse;

pub(super) async fn respond(mcp_request: Arc<McpRequest>, request: RpcRequest) -> Response {
    let context = match MessageContext::new(&mcp_request, &request) {
        Ok(context) => context,
        Err((era, error)) => return reply::error_response(Some(&request.id), &error, era),
    };
    let call = match methods::start(&context, &request).await {
        Ok(MethodStart::Call(call)) => call,
        Ok(MethodStart::Stream(response)) => return response,
        Ok(MethodStart::Finished(outcome)) => return json_response(&context, &request, Ok(outcome)),
        Err(error) => {
            context.span.set_error(&error);
            return reply::error_response(Some(&request.id), &error, context.era);
        }
    };
    match ProgressSubscription::from_context(&context) {
        Some(progress) => stream_response(context, request, call, progress),
        None if context.era.disconnect_cancels() => {
            let outcome = call.run(&context, &()).await;
            json_response(&context, &request, outcome)
        }
        // Legacy revisions require a call to finish even if its client disconnects.
        None => {
            let service = Arc::clone(&context.mcp_request.service);
            let response = async move {
                let outcome = call.run(&context, &()).await;
                json_response(&context, &request, outcome)
            };
            RunDetached::new(service, response).await
        }
    }
}

/// The result as JSON.
fn json_response(context: &MessageContext, request: &RpcRequest, outcome: Result<MethodOutcome, RpcError>) -> Response {
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return reply::error_response(Some(&request.id), &error, context.era),
    };
    let body = match outcome.split(context.era, context.snapshot()) {
        Some((result, end)) => Body::new(SplicedBody::new(spliced_reply(&request.id, result, end))),
        None => Body::from(write(context, request, &outcome)),
    };
    let mut response = reply::json(StatusCode::OK, body);
    if let MethodOutcome::Object { session_id: Some(id), .. } = &outcome
        && let Ok(value) = HeaderValue::try_from(id)
    {
        response.headers_mut().insert(super::SESSION_HEADER, value);
    }
    response
}

pub(super) fn write(context: &MessageContext, request: &RpcRequest, outcome: &MethodOutcome) -> Vec<u8> {
    let snapshot = context.snapshot();
    result_reply(&request.id, outcome.len_hint(), |out| outcome.write(context.era, snapshot, out))
}

/// The result as the last event of a stream, after progress and log messages.
fn stream_response(
    context: MessageContext,
    request: RpcRequest,
    call: PreparedCall,
    progress: ProgressSubscription,
) -> Response {
    let (events, receiver) = mpsc::channel::<Bytes>(sse::QUEUE_CAPACITY);
    let cancelled = CancellationToken::new();
    let guard = context.era.disconnect_cancels().then(|| cancelled.clone().drop_guard());
    let service = Arc::clone(&context.mcp_request.service);
    let response = async move {
        let progress = ProgressSender { progress, events: events.clone() };
        let outcome = tokio::select! {
            outcome = call.run(&context, &progress) => outcome,
            () = cancelled.cancelled() => return,
            never = sse::keep_alive(&events) => match never {},
        };
        let message = match outcome {
            Ok(outcome) => write(&context, &request, &outcome),
            Err(error) => error_reply(ErrorReplyId::Request(&request.id), &error),
        };
        // Fails if the client has disconnected.
        let _ = events.send(sse::event(&message)).await;
    };
    service.spawn(response.in_current_span());
    sse::response(receiver, guard)
}
