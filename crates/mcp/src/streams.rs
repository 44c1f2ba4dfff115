//! Long streams: what changes is told to whoever listens, within moments of the change. A legacy client opens one per
//! session with GET, a modern one asks for what it wants with `subscriptions/listen`.
//!
//! Nothing is queued for them: a stream compares what it last saw with what is published now, so a client that reads
//! slowly misses steps but never the state.

mod changes;

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::server::ServerStatus;

use crate::access;
use crate::catalog::Published;
use crate::era::{Era, Revision};
use crate::exchange::{Context, Exchange};
use crate::jsonrpc::{Id, Request, RpcError, notification, result_reply};
use crate::session::{self, Session, SessionState};
use crate::stream;
use changes::changes;

/// How long a client may leave a full queue unread.
const PATIENCE: Duration = Duration::from_secs(30);
/// Most resources one stream may watch.
const WATCHED_MAX: usize = 1000;

/// What somebody wants to be told of.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[serde(expecting = "an object")]
struct Wanted {
    #[serde(skip_serializing_if = "is_false")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "is_false")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_subscriptions: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Who listens.
enum Listener {
    Session(Arc<SessionState>),
    Request { id: Id, wanted: Wanted },
}

impl Listener {
    fn wanted(&self) -> Wanted {
        match self {
            Self::Request { wanted, .. } => wanted.clone(),
            Self::Session(state) => Wanted {
                tools_list_changed: true,
                prompts_list_changed: true,
                resources_list_changed: true,
                resource_subscriptions: state.subscriptions(),
            },
        }
    }

    /// As which kind of caller it sees the lists.
    fn era(&self) -> Era {
        match self {
            Self::Session(_) => Era::Legacy(Revision::NEWEST_LEGACY),
            Self::Request { .. } => Era::Modern,
        }
    }

    /// `_meta` of every message, where the stream is named after a request.
    fn meta(&self) -> Option<String> {
        match self {
            Self::Session(_) => None,
            Self::Request { id, .. } => {
                Some(format!(r#"{{"io.modelcontextprotocol/subscriptionId":{}}}"#, id.as_json()))
            }
        }
    }

    /// The last message of a stream that ends well.
    fn farewell(&self) -> Option<Bytes> {
        let (Self::Request { id, .. }, Some(meta)) = (self, self.meta()) else { return None };
        let result = format!(r#"{{"resultType":"complete","_meta":{meta}}}"#);
        Some(stream::event(&result_reply(id, result.len(), |out| out.extend_from_slice(result.as_bytes()))))
    }
}

/// The stream of a legacy session.
pub(crate) fn of_session(exchange: &Arc<Exchange>, session: &Session) -> Result<Response, RpcError> {
    let state = exchange.gate.sessions.state(session);
    let ended = state.open_stream().ok_or_else(session::ended)?;
    open(exchange, Listener::Session(state), ended, Bytes::from_static(b": connected\n\n"))
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ListenParams {
    /// An object: read as [`Wanted`] at once, an array would pass for one.
    notifications: serde_json::Map<String, Value>,
}

/// The stream of a modern request: first what will be told, then that.
pub(crate) fn listen(context: &Context, request: &Request) -> Result<Response, RpcError> {
    let wanted = Value::Object(request.params.read::<ListenParams>()?.notifications);
    let mut wanted = serde_json::from_value::<Wanted>(wanted)
        .map_err(|error| RpcError::invalid_params(format!("Invalid params: notifications: {error}")))?;
    if wanted.resource_subscriptions.len() > WATCHED_MAX {
        return Err(RpcError::invalid_params(format!(
            "Invalid params: at most {WATCHED_MAX} resources can be watched"
        )));
    }
    // No resource has a longer address; one that is not there yet may be made later.
    wanted.resource_subscriptions.retain(|uri| uri.len() <= URL_MAX);
    let listener = Listener::Request { id: request.id.clone(), wanted: wanted.clone() };
    let honoured = json!(wanted).to_string();
    let meta = listener.meta().unwrap_or_default();
    let params = format!(r#"{{"notifications":{honoured},"_meta":{meta}}}"#);
    let first = stream::event(&notification("notifications/subscriptions/acknowledged", &params));
    open(&context.exchange, listener, CancellationToken::new(), first)
}

fn open(
    exchange: &Arc<Exchange>,
    listener: Listener,
    ended: CancellationToken,
    first: Bytes,
) -> Result<Response, RpcError> {
    let gate = &exchange.gate;
    let room = Arc::clone(&gate.streams).try_acquire_owned().map_err(|_| no_room())?;
    let watch = gate.catalog.watch(exchange.published.server.public_id.as_str()).ok_or_else(no_room)?;
    let (events, receiver) = mpsc::channel(stream::QUEUE);
    let _ = events.try_send(first);
    let followed = Arc::clone(exchange);
    gate.spawn(async move {
        follow(&followed, &listener, watch, &ended, &events).await;
        drop(room);
    });
    Ok(stream::response(receiver, None))
}

fn no_room() -> RpcError {
    RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Too many streams are open; close some, or try again later")
}

/// Tells what changes until the client goes, may no longer be here, or the service stops.
async fn follow(
    exchange: &Exchange,
    listener: &Listener,
    mut watch: watch::Receiver<()>,
    ended: &CancellationToken,
    events: &mpsc::Sender<Bytes>,
) {
    let gate = &exchange.gate;
    let id = exchange.published.server.public_id.as_str();
    let mut seen = Arc::clone(&exchange.published);
    loop {
        // Noted before the state is read, so that no change falls in between.
        watch.mark_unchanged();
        let Some(now) = admitted(exchange, id).await else { return };
        for message in changes(&seen, &now, &listener.wanted(), listener.era(), listener.meta().as_deref()) {
            if !tell(gate.stopping.clone(), events, stream::event(&message)).await {
                return;
            }
        }
        seen = now;
        tokio::select! {
            _ = watch.changed() => {}
            () = tokio::time::sleep(stream::SILENCE) => if !tell(gate.stopping.clone(), events, stream::KEEP_ALIVE).await {
                return;
            },
            () = events.closed() => return,
            () = ended.cancelled() => return,
            () = gate.stopping.cancelled() => {
                if let Some(farewell) = listener.farewell() {
                    let _ = events.try_send(farewell);
                }
                return;
            }
        }
    }
}

/// The server, while it is there and the caller may use it.
async fn admitted(exchange: &Exchange, id: &str) -> Option<Arc<Published>> {
    let gate = &exchange.gate;
    let published = gate.catalog.server(id).await.ok()??;
    let presented = match &exchange.caller {
        access::Caller::Anonymous => vec![],
        access::Caller::Key(hash) => vec![*hash],
    };
    let may = access::admit(gate, &published, &presented).await.is_ok();
    (may && published.server.spec.status == ServerStatus::Active).then_some(published)
}

/// Whether somebody is there to read it, and reads.
async fn tell(stopping: CancellationToken, events: &mpsc::Sender<Bytes>, event: Bytes) -> bool {
    tokio::select! {
        sent = events.send(event) => sent.is_ok(),
        () = tokio::time::sleep(PATIENCE) => false,
        () = stopping.cancelled() => false,
    }
}
