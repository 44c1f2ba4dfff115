//! Event streams that announce changes of a server. A legacy client opens one per session with GET, a modern client
//! with `subscriptions/listen`.
//!
//! Changes are not queued: a stream compares its last snapshot with the current one, so a slow client misses
//! intermediate states but always gets the latest.

mod changes;

use std::ops::Not;
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
use crate::catalog::snapshot::ServerSnapshot;
use crate::era::{Era, Revision};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::{RpcId, RpcRequest};
use crate::jsonrpc::reply::{notification, result_reply};
use crate::mcp_request::{McpRequest, MessageContext};
use crate::session;
use crate::session::id::Session;
use crate::session::stream::SessionStream;
use crate::sse;
use changes::change_notifications;

/// A stream ends if its client leaves a full queue unread for this time.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// The most resources that one stream may subscribe to.
const SUBSCRIPTIONS_MAX: usize = 1000;

/// The changes that a stream announces.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[serde(expecting = "an object")]
struct ChangeFilter {
    #[serde(skip_serializing_if = "Not::not")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "Not::not")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "Not::not")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_subscriptions: Vec<String>,
}

/// The recipient of a stream: a legacy session or a modern request.
enum StreamListener {
    Session(SessionStream),
    Request { id: RpcId, subscriptions: ChangeFilter },
}

impl StreamListener {
    fn subscriptions(&self) -> ChangeFilter {
        match self {
            Self::Request { subscriptions, .. } => subscriptions.clone(),
            Self::Session(stream) => ChangeFilter {
                tools_list_changed: true,
                prompts_list_changed: true,
                resources_list_changed: true,
                resource_subscriptions: stream.resource_subscriptions(),
            },
        }
    }

    /// The era whose lists are compared to find changes.
    fn era(&self) -> Era {
        match self {
            Self::Session(_) => Era::Legacy(Revision::NEWEST_LEGACY),
            Self::Request { .. } => Era::Modern,
        }
    }

    /// `_meta` of every message, if the stream belongs to a request.
    fn meta(&self) -> Option<String> {
        match self {
            Self::Session(_) => None,
            Self::Request { id, .. } => {
                Some(format!(r#"{{"io.modelcontextprotocol/subscriptionId":{}}}"#, id.as_json()))
            }
        }
    }

    /// The last message when the service stops.
    fn final_message(&self) -> Option<Bytes> {
        let (Self::Request { id, .. }, Some(meta)) = (self, self.meta()) else { return None };
        let result = format!(r#"{{"resultType":"complete","_meta":{meta}}}"#);
        Some(sse::event(&result_reply(id, result.len(), |out| out.extend_from_slice(result.as_bytes()))))
    }
}

/// Opens the stream of a legacy session.
pub(crate) async fn open_session_stream(
    mcp_request: &Arc<McpRequest>,
    session: &Session,
) -> Result<Response, RpcError> {
    let opened = mcp_request.service.sessions.open_stream(session).await;
    let stream = opened.ok_or_else(session::ended_error)?;
    let ended = stream.ended();
    open(mcp_request, StreamListener::Session(stream), ended, Bytes::from_static(b": connected\n\n"))
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ListenParams {
    /// Parsed as an object first, because serde would accept an array for [`ChangeFilter`].
    notifications: serde_json::Map<String, Value>,
}

/// Opens the stream of a modern request. Its first message acknowledges the subscriptions.
pub(crate) fn listen(context: &MessageContext, request: &RpcRequest) -> Result<Response, RpcError> {
    let subscriptions = Value::Object(request.params.read::<ListenParams>()?.notifications);
    let mut subscriptions = serde_json::from_value::<ChangeFilter>(subscriptions)
        .map_err(|error| RpcError::invalid_params(format!("Invalid params: notifications: {error}")))?;
    if subscriptions.resource_subscriptions.len() > SUBSCRIPTIONS_MAX {
        return Err(RpcError::invalid_params(format!(
            "Invalid params: a stream can subscribe to at most {SUBSCRIPTIONS_MAX} resources"
        )));
    }
    // No resource can have a longer URI. A URI without a resource stays, because one may be created later.
    subscriptions.resource_subscriptions.retain(|uri| uri.len() <= URL_MAX);
    let listener = StreamListener::Request { id: request.id.clone(), subscriptions: subscriptions.clone() };
    let accepted = json!(subscriptions).to_string();
    let meta = listener.meta().unwrap_or_default();
    let params = format!(r#"{{"notifications":{accepted},"_meta":{meta}}}"#);
    let first_event = sse::event(&notification("notifications/subscriptions/acknowledged", &params));
    open(&context.mcp_request, listener, CancellationToken::new(), first_event)
}

/// Opens a stream, which ends when `ended` is cancelled.
fn open(
    mcp_request: &Arc<McpRequest>,
    listener: StreamListener,
    ended: CancellationToken,
    first_event: Bytes,
) -> Result<Response, RpcError> {
    let service = &mcp_request.service;
    let permit = Arc::clone(&service.stream_permits).try_acquire_owned().map_err(|_| too_many_streams())?;
    let watch = service.catalog.watchers.watch(mcp_request.snapshot.server.public_id.as_str());
    let watch = watch.ok_or_else(too_many_streams)?;
    let (events, receiver) = mpsc::channel(sse::QUEUE_CAPACITY);
    let _ = events.try_send(first_event);
    let task_request = Arc::clone(mcp_request);
    service.spawn(async move {
        run_stream(&task_request, &listener, watch, &ended, &events).await;
        drop(permit);
    });
    Ok(sse::response(receiver, None))
}

fn too_many_streams() -> RpcError {
    RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Too many streams are open; close some, or try again later")
}

/// Sends changes until the client disconnects or loses access, the server is no longer active, `ended` is cancelled, or
/// the service stops.
async fn run_stream(
    mcp_request: &McpRequest,
    listener: &StreamListener,
    mut watch: watch::Receiver<()>,
    ended: &CancellationToken,
    events: &mpsc::Sender<Bytes>,
) {
    let service = &mcp_request.service;
    let public_id = mcp_request.snapshot.server.public_id.as_str();
    let mut last = Arc::clone(&mcp_request.snapshot);
    let mut ended_grants = service.access_tokens.watch_ended();
    loop {
        // Marked before the snapshot is read, so that a change in between is not missed.
        watch.mark_unchanged();
        ended_grants.mark_unchanged();
        let Some(current) = current_snapshot(mcp_request, public_id).await else { return };
        let (subscriptions, meta) = (listener.subscriptions(), listener.meta());
        for message in change_notifications(&last, &current, &subscriptions, listener.era(), meta.as_deref()) {
            if !send(&service.stopping, events, sse::event(&message)).await {
                return;
            }
        }
        last = current;
        tokio::select! {
            _ = watch.changed() => {}
            () = token_change(mcp_request, &mut ended_grants) => {}
            () = tokio::time::sleep(sse::KEEP_ALIVE_INTERVAL) => if !send(&service.stopping, events, sse::KEEP_ALIVE).await {
                return;
            },
            () = events.closed() => return,
            () = ended.cancelled() => return,
            () = service.stopping.cancelled() => {
                if let Some(final_message) = listener.final_message() {
                    let _ = events.try_send(final_message);
                }
                return;
            }
        }
    }
}

/// Waits until the caller's token expires or a grant ends, after which access is checked again. Never returns for other
/// callers.
async fn token_change(mcp_request: &McpRequest, ended_grants: &mut watch::Receiver<()>) {
    let now = mcp_request.service.clock.now();
    let Some(expires_at) = mcp_request.caller.token_expires_at() else { return std::future::pending().await };
    let remaining_ms = expires_at.as_millis().saturating_sub(now.as_millis()).max(1);
    tokio::select! {
        _ = ended_grants.changed() => {}
        () = tokio::time::sleep(Duration::from_millis(remaining_ms.unsigned_abs())) => {}
    }
}

/// The current snapshot, if the server is active and the caller still has access.
async fn current_snapshot(mcp_request: &McpRequest, public_id: &str) -> Option<Arc<ServerSnapshot>> {
    let service = &mcp_request.service;
    let snapshot = service.catalog.server(public_id).await.ok()??;
    let has_access = access::admit_again(service, &snapshot, &mcp_request.caller).await.is_ok();
    (has_access && snapshot.server.spec.status == ServerStatus::Active).then_some(snapshot)
}

/// Sends an event; returns false if the stream must end.
async fn send(stopping: &CancellationToken, events: &mpsc::Sender<Bytes>, event: Bytes) -> bool {
    tokio::select! {
        // An event that fits into the queue is sent even while the service stops.
        biased;
        sent = events.send_timeout(event, SEND_TIMEOUT) => sent.is_ok(),
        () = stopping.cancelled() => false,
    }
}
