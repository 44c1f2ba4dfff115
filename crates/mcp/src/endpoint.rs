//! The endpoint `/mcp/{slug}/{server_id}`. The checks run in an order that reveals as little as possible to
//! unauthenticated callers: host, origin, server, key or token, and only then the body.

mod batch;
mod groups;
mod lazy_timeout;
mod reply;
mod respond;
mod run_detached;
mod spliced_body;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{ACCESS_CONTROL_REQUEST_HEADERS, ALLOW, CONNECTION, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body::Body as _;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use percent_encoding::percent_decode_str;
use tokio::time::timeout;
use toolgate_domain::ids::PublicId;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::server::ServerStatus;
use toolgate_domain::trace::TraceSpan;
use toolgate_execution::limiter::RequestKind;

use crate::access::{self, McpCaller};
use crate::catalog::snapshot::ServerSnapshot;
use crate::change_streams;
use crate::era::{Era, Revision};
use crate::jsonrpc::error::RpcError;
use crate::jsonrpc::message::{self, BodyMessages, Message};
use crate::mcp_request::{self, McpRequest};
use crate::methods;
use crate::origin;
use crate::service::McpService;
use crate::session::id::{Session, SessionScope};
use crate::session::{self, PresentedSession};
use lazy_timeout::{LazyOutput, lazy_timeout};

const SESSION_HEADER: HeaderName = HeaderName::from_static("mcp-session-id");
/// The largest request body, in bytes.
const BODY_MAX: usize = 4 * 1024 * 1024;
/// The time limit for the whole body, even if bytes keep arriving.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// After a refusal, the rest of the body is read up to this size in bytes and this time, so that the connection can be
/// reused.
const DRAIN_MAX: usize = 64 * 1024;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Slug and server id of an endpoint path; `None` for other paths.
fn parse_path(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/mcp/")?;
    let (slug, server_id) = rest.strip_suffix('/').unwrap_or(rest).split_once('/')?;
    (!slug.is_empty() && !server_id.is_empty() && !server_id.contains('/')).then_some((slug, server_id))
}

impl McpService {
    /// Whether a path is that of an endpoint: `/mcp/{slug}/{server_id}`.
    pub fn is_endpoint(path: &str) -> bool {
        parse_path(path).is_some()
    }

    /// Handles a request to an endpoint. The address of the client is recorded with its calls.
    pub async fn handle(self: &Arc<Self>, request: http::Request<Body>, client_address: Option<IpAddr>) -> Response {
        let (parts, mut body) = request.into_parts();
        let (slug, server_id) = parse_path(parts.uri.path()).unwrap_or_default();
        // A segment that is not UTF-8 becomes empty and therefore matches no server.
        let [slug, server_id] =
            [slug, server_id].map(|part| percent_decode_str(part).decode_utf8().unwrap_or_default());
        let (mut response, origin) = match find_server(self, &slug, &server_id, &parts.headers).await {
            Err(error) => (reply::error_response(None, &error, era_from_headers(&parts.headers)), None),
            Ok((snapshot, origin)) => {
                let handled = handle(self, snapshot, client_address, parts, &mut body).await;
                (handled.unwrap_or_else(|(era, error)| reply::error_response(None, &error, era)), origin)
            }
        };
        if !drain(body).await {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        origin::add_cors_headers(response.headers_mut(), origin);
        response
    }
}

/// Reads the rest of a short body. Returns false if some of it is left; then the connection must be closed.
async fn drain(body: Body) -> bool {
    body.is_end_stream() || matches!(timeout(DRAIN_TIMEOUT, Limited::new(body, DRAIN_MAX).collect()).await, Ok(Ok(_)))
}

/// The era for a refusal, before the body is read.
fn era_from_headers(headers: &HeaderMap) -> Era {
    Era::from_headers(headers, None).unwrap_or(Era::Bare)
}

/// Checks Host and Origin, and finds the server.
async fn find_server(
    service: &McpService,
    slug: &str,
    server_id: &str,
    headers: &HeaderMap,
) -> Result<(Arc<ServerSnapshot>, Option<HeaderValue>), RpcError> {
    let unknown_servers = service.access_counters.unknown_servers();
    service.host_names.check_host(headers).inspect_err(|_| unknown_servers.record(RefusalReason::ForbiddenHost))?;
    let snapshot = load_snapshot(service, server_id)
        .await?
        .filter(|snapshot| snapshot.server.slug.as_str() == slug && snapshot.server.spec.status != ServerStatus::Draft);
    let allowed = snapshot.as_ref().map_or(&[][..], |snapshot| snapshot.allowed_origins.as_slice());
    let origin = service.host_names.check_origin(headers, allowed).inspect_err(|_| {
        let refusals = snapshot.as_ref().map_or(unknown_servers, |snapshot| &*snapshot.refusals);
        refusals.record(RefusalReason::ForbiddenOrigin);
    })?;
    let snapshot = snapshot.ok_or_else(server_not_found)?;
    Ok((snapshot, origin))
}

async fn load_snapshot(service: &McpService, server_id: &str) -> Result<Option<Arc<ServerSnapshot>>, RpcError> {
    if !PublicId::is_valid(server_id) {
        return Ok(None);
    }
    service.catalog.server(server_id).await.map_err(|error| {
        tracing::error!(%error, "cannot read a server");
        RpcError::http(
            StatusCode::SERVICE_UNAVAILABLE,
            "The server's configuration is temporarily unavailable; try again",
        )
    })
}

/// The error of a refused request, with the era that determines its form.
type Refusal = (Era, RpcError);

/// Checks the key or token, the server status and the session, then handles the HTTP method.
async fn handle(
    service: &Arc<McpService>,
    snapshot: Arc<ServerSnapshot>,
    client_address: Option<IpAddr>,
    parts: Parts,
    body: &mut Body,
) -> Result<Response, Refusal> {
    let Parts { method, uri, headers, mut extensions, .. } = parts;
    // Only the scope of the span is kept, because messages may continue after the span of the request has ended.
    let trace = extensions.remove::<Arc<TraceSpan>>().and_then(|span| span.scope().cloned());
    if method == Method::OPTIONS {
        return Ok(preflight(&headers));
    }
    let refuse = |error| (era_from_headers(&headers), error);
    let has_slash = uri.path().ends_with('/');
    let caller = admit(service, &snapshot, &headers, has_slash).await.map_err(refuse)?;
    let session_id = headers.get(SESSION_HEADER).and_then(|value| value.to_str().ok());
    let session = match session_id {
        Some(id) => {
            let scope = SessionScope { server: &snapshot.server.public_id, person: caller.person() };
            service.sessions.read(&scope, id, service.clock.now()).await
        }
        None => PresentedSession::None,
    };
    let era = Era::from_headers(&headers, session_revision(&session));
    if matches!(session, PresentedSession::Ended) && era != Some(Era::Modern) {
        return Err(refuse(session::ended_error()));
    }
    let session = if let PresentedSession::Known(session) = session { Some(session) } else { None };
    let service = Arc::clone(service);
    let groups = uri.query().and_then(groups::parse);
    let mcp_request =
        McpRequest { service, snapshot, caller, client_address, session, era, headers, has_slash, groups, trace };
    match method {
        Method::POST => post(mcp_request, body).await,
        Method::GET | Method::DELETE if mcp_request.era.is_none() => Err((Era::Bare, RpcError::unknown_version())),
        Method::GET => get(&Arc::new(mcp_request)).await.map_err(|error| (Era::Bare, error)),
        Method::DELETE => Ok(delete(&mcp_request).await),
        _ => Ok(method_not_allowed()),
    }
}

/// The caller of a request, if its key or token has access to the server and the server is active.
async fn admit(
    service: &McpService,
    snapshot: &ServerSnapshot,
    headers: &HeaderMap,
    has_slash: bool,
) -> Result<McpCaller, RpcError> {
    let caller = access::admit(service, snapshot, headers).await.map_err(|error| {
        if let Some(reason) = error.refusal() {
            snapshot.refusals.record(reason);
        }
        error.into_rpc_error(mcp_request::challenge(service, snapshot, has_slash).as_ref())
    })?;
    access::record_use(service, snapshot, &caller);
    if snapshot.server.spec.status == ServerStatus::Paused {
        return Err(RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Server is paused"));
    }
    Ok(caller)
}

/// Checks the caller's access again, with the current state of the server.
async fn admit_again(mcp_request: McpRequest) -> Result<McpRequest, RpcError> {
    let McpRequest { service, snapshot, headers, has_slash, .. } = &mcp_request;
    let snapshot = load_snapshot(service, snapshot.server.public_id.as_str()).await?;
    let snapshot = snapshot.filter(|snapshot| snapshot.server.spec.status != ServerStatus::Draft);
    let snapshot = snapshot.ok_or_else(server_not_found)?;
    let caller = admit(service, &snapshot, headers, *has_slash).await?;
    Ok(McpRequest { snapshot, caller, ..mcp_request })
}

fn server_not_found() -> RpcError {
    RpcError::http(StatusCode::NOT_FOUND, "Server not found")
}

/// The revision of a session; for an unknown session id, the oldest revision with sessions.
fn session_revision(session: &PresentedSession) -> Option<Revision> {
    match session {
        PresentedSession::Known(session) => Some(session.revision),
        PresentedSession::Unknown => Some(Revision::V2025_03_26),
        PresentedSession::None | PresentedSession::Ended => None,
    }
}

fn preflight(headers: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    origin::add_preflight_headers(response.headers_mut(), headers.get(ACCESS_CONTROL_REQUEST_HEADERS));
    response
}

fn method_not_allowed() -> Response {
    let error = RpcError::http(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed: send JSON-RPC with POST");
    let mut response = reply::error_response(None, &error, Era::Bare);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST, OPTIONS"));
    response
}

/// The session of a legacy caller. Only legacy callers can open a stream with GET or end a session.
fn legacy_session(mcp_request: &McpRequest) -> Option<&Session> {
    mcp_request.session.as_deref().filter(|_| mcp_request.era != Some(Era::Modern))
}

async fn get(mcp_request: &Arc<McpRequest>) -> Result<Response, RpcError> {
    match legacy_session(mcp_request) {
        Some(session) if mcp_request.accepts_stream() => {
            methods::count_request(mcp_request, RequestKind::Other).await?;
            change_streams::open_session_stream(mcp_request, session).await
        }
        _ => Ok(method_not_allowed()),
    }
}

async fn delete(mcp_request: &McpRequest) -> Response {
    let Some(session) = legacy_session(mcp_request) else { return method_not_allowed() };
    mcp_request.service.sessions.end(session).await;
    StatusCode::NO_CONTENT.into_response()
}

async fn post(mut mcp_request: McpRequest, body: &mut Body) -> Result<Response, Refusal> {
    let era = mcp_request.era;
    let refuse = |error| (era.unwrap_or(Era::Bare), error);
    check_content_type(&mcp_request.headers).map_err(refuse)?;
    let ReceivedBody { bytes: body, has_waited } = read_body(body).await.map_err(refuse)?;
    if has_waited {
        // The key may have been revoked, or the server paused, while the body arrived.
        mcp_request = admit_again(mcp_request).await.map_err(refuse)?;
    }
    let mcp_request = Arc::new(mcp_request);
    match message::read(&body).map_err(refuse)? {
        BodyMessages::Single(Message::NoReply) => Ok(StatusCode::ACCEPTED.into_response()),
        BodyMessages::Single(Message::Request(request)) => Ok(respond::respond(mcp_request, request).await),
        BodyMessages::Batch(_) if !era.is_some_and(Era::has_batches) => {
            Err(refuse(RpcError::invalid_request("Invalid request: this protocol revision does not support batches")))
        }
        BodyMessages::Batch(messages) => batch::respond(mcp_request, messages).await.map_err(refuse),
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), RpcError> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(RpcError::http(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Unsupported media type: send application/json"))
}

struct ReceivedBody {
    bytes: Bytes,
    /// Whether the body arrived after the head, so that time has passed since the caller was checked.
    has_waited: bool,
}

async fn read_body(body: &mut Body) -> Result<ReceivedBody, RpcError> {
    let too_large = || RpcError::http(StatusCode::PAYLOAD_TOO_LARGE, "The request body is larger than 4 MiB");
    // A declared length above the limit is refused before the body is read.
    if body.size_hint().lower() > BODY_MAX as u64 {
        return Err(too_large());
    }
    let (collected, has_waited) = match lazy_timeout(BODY_TIMEOUT, Limited::new(body, BODY_MAX).collect()).await {
        LazyOutput::Early(collected) => (collected, false),
        LazyOutput::Late(collected) => (collected, true),
        LazyOutput::TimedOut => {
            let message = "The request body did not arrive within 30 seconds";
            return Err(RpcError::http(StatusCode::REQUEST_TIMEOUT, message));
        }
    };
    let collected = collected.map_err(|error| {
        if error.is::<LengthLimitError>() { too_large() } else { RpcError::parse_error("the body is incomplete") }
    })?;
    Ok(ReceivedBody { bytes: collected.to_bytes(), has_waited })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_two_segments_below_mcp() {
        for path in ["/mcp/a/b", "/mcp/a/b/", "/mcp/a%20/%62"] {
            assert!(parse_path(path).is_some(), "{path}");
        }
        for path in
            ["/", "/mcp", "/mcp/", "/mcp/a", "/mcp/a/", "/mcp//b", "/mcp/a//", "/mcp/a/b/c", "/mcp/a/b//", "/mcpx/a/b"]
        {
            assert_eq!(parse_path(path), None, "{path}");
        }
    }
}
