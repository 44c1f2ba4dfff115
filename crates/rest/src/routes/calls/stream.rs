//! `GET /calls/stream`: what happens, as it happens.
//!
//! Nothing runs beside the connection: events are taken when it can carry them, and whoever reads too slowly is told how
//! many were missed. The key is looked at again and again, for a stream may outlast it.

mod feed;
mod wanted;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderName, StatusCode};
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

use crate::call::Call;
use crate::context::Context;
use crate::credential::Credential;
use crate::error::RestError;
use crate::reply::Reply;
use crate::route::{Format, ReplyDoc, Route, handler};
use crate::routes::call_filters;
use feed::Feed;
use wanted::Wanted;

/// How long a stream may be silent, and how long a key that is no longer one may go on watching.
const SILENCE: Duration = Duration::from_secs(15);
/// How long looking at the key may hold events up.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn route() -> Route {
    let events = "Server-sent events: `call` (as in the log, but its id and names are null), `client_connected` (time, \
        server_id, client_type, client_name, protocol_version, method), `missed` (how many events a slow reader missed).";
    Route::read("/calls/stream", "streamCalls", "Calls as they end, and clients as they come.", handler!(open))
        .args(call_filters().to_vec())
        .reply(ReplyDoc::json(200, json!({"type": "string", "description": events})).format(Format::Events))
}

async fn open(call: Call) -> Result<Reply, RestError> {
    let context = &call.context;
    let room = Arc::clone(&context.streams).try_acquire_owned().map_err(|_| RestError::too_many_streams())?;
    let watch = Watch {
        feed: Feed { events: context.recorder.watch(), wanted: Wanted::read(&call.args, call.visibility()) },
        credential: call.credential.ok_or_else(RestError::unauthorized)?,
        context: Arc::clone(context),
        ticks: ticks(),
        is_new: true,
        _room: room,
    };
    let pieces = stream::unfold(watch, |mut watch| async move {
        let piece = watch.next().await?;
        Some((Ok::<_, Infallible>(piece), watch))
    });
    let mut reply = Reply::stream("text/event-stream", Body::from_stream(pieces));
    // A proxy that collects the answer would hold the events back.
    reply.set(HeaderName::from_static("x-accel-buffering"), "no");
    Ok(reply)
}

fn ticks() -> Interval {
    let mut ticks = interval_at(Instant::now() + SILENCE, SILENCE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Somebody who watches.
struct Watch {
    feed: Feed,
    credential: Credential,
    context: Arc<Context>,
    ticks: Interval,
    is_new: bool,
    /// Given back when the connection ends.
    _room: OwnedSemaphorePermit,
}

impl Watch {
    /// What to send next; none when the stream is over.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_new) {
            return Some(Bytes::from_static(b": connected\n\n"));
        }
        tokio::select! {
            () = self.context.stopping.cancelled() => None,
            _ = self.ticks.tick() => {
                let is_welcome = self.is_welcome().await;
                is_welcome.then_some(Bytes::from_static(b": keep-alive\n\n"))
            }
            text = self.feed.next() => text.map(Bytes::from),
        }
    }

    /// Whether the key still opens this; a database that does not answer is no reason to leave.
    async fn is_welcome(&mut self) -> bool {
        match timeout(PATIENCE, self.credential.principal(&self.context)).await {
            Ok(Ok(principal)) => self.feed.wanted.visibility = principal.visibility(),
            Ok(Err(error)) => return !matches!(error.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN),
            Err(_) => {}
        }
        true
    }
}
