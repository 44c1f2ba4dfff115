//! One request to its answer: as JSON, or as a stream where something precedes the result.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::reply;
use super::to_the_end::ToTheEnd;
use crate::exchange::{Context, Exchange};
use crate::jsonrpc::{Request, RpcError, error_reply, result_reply};
use crate::methods::{self, Follower, Prepared};
use crate::outcome::Outcome;
use crate::{stream, streams};

pub(super) async fn answer(exchange: Arc<Exchange>, request: Request) -> Response {
    let context = match Context::new(&exchange, &request) {
        Ok(context) => context,
        Err((era, error)) => return reply::error_of(Some(&request.id), &error, era),
    };
    if let Err(error) = methods::admit(&context, &request).await {
        return reply::error_of(Some(&request.id), &error, context.era);
    }
    if context.era.is_modern() && request.method == "subscriptions/listen" {
        return streams::listen(&context, &request)
            .unwrap_or_else(|error| reply::error_of(Some(&request.id), &error, context.era));
    }
    if request.method != "tools/call" {
        let outcome = methods::run(&context, &request).await;
        return plain(&context, &request, outcome);
    }
    let prepared = match methods::prepare(&context, &request.params) {
        Ok(prepared) => prepared,
        Err(error) => return reply::error_of(Some(&request.id), &error, context.era),
    };
    match Follower::wanted(&context) {
        Some(follower) => streamed(context, request, prepared, follower),
        None if context.era.disconnect_cancels() => {
            let outcome = prepared.run(&context, &()).await;
            plain(&context, &request, outcome)
        }
        // Its revision wants it to run to its end, also when its client goes away.
        None => {
            let gate = Arc::clone(&context.exchange.gate);
            let call = async move {
                let outcome = prepared.run(&context, &()).await;
                plain(&context, &request, outcome)
            };
            ToTheEnd::new(gate, call).await
        }
    }
}

/// The answer as JSON.
fn plain(context: &Context, request: &Request, outcome: Result<Outcome, RpcError>) -> Response {
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return reply::error_of(Some(&request.id), &error, context.era),
    };
    let mut response = reply::json(StatusCode::OK, write(context, request, &outcome));
    if let Outcome::Initialized { session_id: Some(id), .. } = &outcome
        && let Ok(value) = HeaderValue::try_from(id)
    {
        response.headers_mut().insert(super::SESSION_HEADER, value);
    }
    response
}

pub(super) fn write(context: &Context, request: &Request, outcome: &Outcome) -> Vec<u8> {
    let published = context.published();
    result_reply(&request.id, outcome.len_hint(), |out| outcome.write(context.era, published, out))
}

/// The answer after what its client wants to follow.
fn streamed(context: Context, request: Request, prepared: Prepared, follower: Follower) -> Response {
    let (events, receiver) = mpsc::channel::<Bytes>(stream::QUEUE);
    let cancelled = CancellationToken::new();
    let guard = context.era.disconnect_cancels().then(|| cancelled.clone().drop_guard());
    let gate = Arc::clone(&context.exchange.gate);
    let call = async move {
        let follower = follower.through(events.clone());
        let outcome = tokio::select! {
            outcome = prepared.run(&context, &follower) => outcome,
            () = cancelled.cancelled() => return,
            never = stream::keep_alive(&events) => match never {},
        };
        let message = match outcome {
            Ok(outcome) => write(&context, &request, &outcome),
            Err(error) => error_reply(Some(&request.id), &error, false),
        };
        // Nobody may be there any more to read it.
        let _ = events.send(stream::event(&message)).await;
    };
    gate.spawn(call.in_current_span());
    stream::response(receiver, guard)
}
