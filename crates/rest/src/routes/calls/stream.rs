//! `GET /calls/stream`: live events.
//!
//! There is no background task: events are read when the connection can send them, and a reader that is too slow gets a
//! `missed` event. The key is revalidated during the stream, because the stream may outlast the key.

mod event_filter;
mod feed;

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::HeaderName;
use serde_json::json;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;
use toolgate_domain::ids::UserId;

use crate::concurrency_limit::ConcurrencyPermit;
use crate::error::RestError;
use crate::key_revalidation::KeyRevalidation;
use crate::params::arguments;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Format, Operation, ReplyDoc, Route};
use crate::routes::call_filter::CallFilter;
use crate::routes::origin_filter::OriginArgs;
use event_filter::EventFilter;
use feed::Feed;

/// Interval of keep-alive comments, and of key revalidation without a change notification.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

pub(super) fn route() -> Route {
    let events = "Server-sent events: `call` (as in the log, but its id and names are null), `client_connected` (time, \
        server_id, client_type, client_name, protocol_version, method), `missed` (events that a slow reader missed: \
        their number for callers with access to every server, else null).";
    Operation::new("streamCalls", "Stream calls as they end, and clients as they connect.")
        .read("/calls/stream", open)
        .reply(ReplyDoc::json(200, json!({"type": "string", "description": events})).format(Format::Events))
}

arguments! {
    struct StreamCallsArgs {
        ..calls: CallFilter,
        ..origin: OriginArgs,
    }
}

async fn open(request: ApiRequest, args: StreamCallsArgs) -> Result<ApiReply, RestError> {
    let origin = args.origin.filter()?;
    let context = &request.context;
    let permit =
        context.stream_limit.try_acquire(request.principal()?.user_id()).ok_or_else(RestError::too_many_streams)?;
    let shared = request.storage().memberships(request.principal()?.user_id()).await?;
    let filter = EventFilter { visibility: request.visibility(), shared, calls: args.calls, origin };
    let state = CallStream {
        feed: Feed { events: context.services.recorder.subscribe(), filter },
        key: request.key_revalidation(KEEP_ALIVE_INTERVAL)?,
        user: request.principal()?.user_id(),
        stopping: context.services.stopping.clone(),
        keep_alive: keep_alive_ticks(),
        is_first_chunk: true,
        _permit: permit,
    };
    let chunks = stream::unfold(state, |mut state| async move {
        let chunk = state.next().await?;
        Some((Ok::<_, Infallible>(chunk), state))
    });
    let mut reply = ApiReply::stream("text/event-stream", Body::from_stream(chunks));
    // Turns off response buffering in nginx, which would delay the events.
    reply.set_header(HeaderName::from_static("x-accel-buffering"), "no");
    Ok(reply)
}

/// Ticks for the keep-alive comments.
fn keep_alive_ticks() -> Interval {
    let mut ticks = interval_at(Instant::now() + KEEP_ALIVE_INTERVAL, KEEP_ALIVE_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// The state of one open stream.
struct CallStream {
    feed: Feed,
    key: KeyRevalidation,
    user: UserId,
    stopping: CancellationToken,
    keep_alive: Interval,
    is_first_chunk: bool,
    _permit: ConcurrencyPermit,
}

impl CallStream {
    /// Updates which events the caller may see; `None` if the key is no longer valid. If the database is unavailable,
    /// the shared servers stay unchanged.
    async fn revalidate(&mut self) -> Option<()> {
        let filter = &mut self.feed.filter;
        filter.visibility = self.key.visibility(filter.visibility).await?;
        if let Ok(shared) = self.key.context.services.storage.memberships(self.user).await {
            filter.shared = shared;
        }
        Some(())
    }

    /// The next chunk to send; `None` ends the stream.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_first_chunk) {
            return Some(Bytes::from_static(b": connected\n\n"));
        }
        loop {
            // Biased: a due revalidation runs before any event is sent.
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => return None,
                () = self.key.wait_until_due() => self.revalidate().await?,
                _ = self.keep_alive.tick() => return Some(Bytes::from_static(b": keep-alive\n\n")),
                text = self.feed.next() => return text.map(Bytes::from),
            }
        }
    }
}
