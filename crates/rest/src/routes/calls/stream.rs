//! `GET /calls/stream`: what happens, as it happens.
//!
//! Nothing runs beside the connection: events are taken when it can carry them, and whoever reads too slowly is told
//! that some were missed. The key is looked at when it changes, for a stream may outlast it.

mod feed;
mod wanted;

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::HeaderName;
use serde_json::json;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use crate::call::Call;
use crate::error::RestError;
use crate::lasting::Lasting;
use crate::reply::Reply;
use crate::room::Place;
use crate::route::{Format, ReplyDoc, Route, handler};
use crate::routes::call_filter::CallFilter;
use feed::Feed;
use wanted::Wanted;

/// How often to say that the stream is alive, and to look at the key though nothing is said to have changed.
const BEAT: Duration = Duration::from_secs(15);

pub(super) fn route() -> Route {
    let events = "Server-sent events: `call` (as in the log, but its id and names are null), `client_connected` (time, \
        server_id, client_type, client_name, protocol_version, method), `missed` (a slow reader missed events: how many, for those \
        who see every server, else null).";
    Route::read("/calls/stream", "streamCalls", "Calls as they end, and clients as they come.", handler!(open))
        .args(CallFilter::args().to_vec())
        .reply(ReplyDoc::json(200, json!({"type": "string", "description": events})).format(Format::Events))
}

async fn open(call: Call) -> Result<Reply, RestError> {
    let context = &call.context;
    let place = context.streams.take(call.principal()?.user_id()).ok_or_else(RestError::too_many_streams)?;
    let wanted = Wanted { visibility: call.visibility(), filter: CallFilter::read(&call.args) };
    let watch = Watch {
        feed: Feed { events: context.recorder.watch(), wanted },
        key: call.lasting(BEAT)?,
        stopping: context.stopping.clone(),
        ticks: ticks(),
        is_new: true,
        _place: place,
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

/// When to say that the stream is alive.
fn ticks() -> Interval {
    let mut ticks = interval_at(Instant::now() + BEAT, BEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Somebody who watches.
struct Watch {
    feed: Feed,
    key: Lasting,
    stopping: CancellationToken,
    ticks: Interval,
    is_new: bool,
    _place: Place,
}

impl Watch {
    /// What to send next; none when the stream is over.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_new) {
            return Some(Bytes::from_static(b": connected\n\n"));
        }
        loop {
            // In this order: nothing is told to a key that has to be looked at first.
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => return None,
                () = self.key.due() => {
                    let wanted = &mut self.feed.wanted;
                    wanted.visibility = self.key.visibility(wanted.visibility).await?;
                }
                _ = self.ticks.tick() => return Some(Bytes::from_static(b": keep-alive\n\n")),
                text = self.feed.next() => return text.map(Bytes::from),
            }
        }
    }
}
