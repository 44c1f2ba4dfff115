//! `GET /calls/stream`: what happens, as it happens.
//!
//! Nothing runs beside the connection: events are taken when it can carry them, and whoever reads too slowly is told
//! that some were missed. The key is looked at again and again, for a stream may outlast it.

mod feed;
mod wanted;

use std::convert::Infallible;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::HeaderName;
use serde_json::json;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use crate::call::Call;
use crate::credential::{AGAIN, Lasting};
use crate::error::RestError;
use crate::reply::Reply;
use crate::room::Place;
use crate::route::{Format, ReplyDoc, Route, handler};
use crate::routes::call_filter::CallFilter;
use feed::Feed;
use wanted::Wanted;

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
        key: call.lasting()?,
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

/// When to look at the key, and to say that the stream is alive.
fn ticks() -> Interval {
    let mut ticks = interval_at(Instant::now() + AGAIN, AGAIN);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Somebody who watches.
struct Watch {
    feed: Feed,
    key: Lasting,
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
        tokio::select! {
            () = self.key.context.stopping.cancelled() => None,
            _ = self.ticks.tick() => {
                let wanted = &mut self.feed.wanted;
                wanted.visibility = self.key.visibility(wanted.visibility).await?;
                Some(Bytes::from_static(b": keep-alive\n\n"))
            }
            text = self.feed.next() => text.map(Bytes::from),
        }
    }
}
