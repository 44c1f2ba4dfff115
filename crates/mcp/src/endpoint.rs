//! `/mcp/{slug}/{server_id}`: who may ask, under which name, and with what. The order of the checks is the order in
//! which little is told to strangers: name, origin, server, key, and only then the body.

mod answer;
mod batch;
mod patience;
mod reply;
mod to_the_end;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{ACCESS_CONTROL_REQUEST_HEADERS, ALLOW, CONNECTION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body::Body as _;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use percent_encoding::percent_decode_str;
use tokio::time::timeout;
use toolgate_domain::ids::PublicId;
use toolgate_domain::server::ServerStatus;
use toolgate_execution::limiter::RequestKind;

use crate::access;
use crate::catalog::Published;
use crate::era::{Era, Revision, unknown_version};
use crate::exchange::Exchange;
use crate::gate::Gate;
use crate::jsonrpc::{self, Batch, Message, RpcError};
use crate::methods;
use crate::origin;
use crate::session::{self, Presented, Session};
use crate::streams;

pub(crate) const SESSION_HEADER: HeaderName = HeaderName::from_static("mcp-session-id");
/// Largest request body.
const BODY_MAX: usize = 4 * 1024 * 1024;
/// A body must arrive whole within this time, however steadily it trickles in.
const BODY_DEADLINE: Duration = Duration::from_secs(30);
/// As much of a body is read after a refusal, and for as long, so that the connection can be used again.
const DRAIN_MAX: usize = 64 * 1024;
const DRAIN: Duration = Duration::from_secs(1);

/// Slug and id of the server at a path, where the path is one of an endpoint.
pub(crate) fn server_of(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/mcp/")?;
    let (slug, server_id) = rest.strip_suffix('/').unwrap_or(rest).split_once('/')?;
    (!slug.is_empty() && !server_id.is_empty() && !server_id.contains('/')).then_some((slug, server_id))
}

/// Answers a request to an endpoint.
pub(crate) async fn serve(gate: &Arc<Gate>, request: http::Request<Body>) -> Response {
    let (parts, mut body) = request.into_parts();
    let (slug, server_id) = server_of(parts.uri.path()).unwrap_or_default();
    // What is no text leads to no server, like any other path that does not.
    let [slug, server_id] = [slug, server_id].map(|part| percent_decode_str(part).decode_utf8().unwrap_or_default());
    let (mut response, origin) = match open(gate, &slug, &server_id, &parts.headers).await {
        Err(error) => (reply::refusal(&error, era_of(&parts.headers)), None),
        Ok((published, origin)) => {
            let answered = admit(gate, published, parts.method, parts.headers, &mut body).await;
            (answered.unwrap_or_else(|(era, error)| reply::refusal(&error, era)), origin)
        }
    };
    if !is_read(body).await {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    origin::allow(response.headers_mut(), origin);
    response
}

/// Whether nothing of the body is left for the next request to stumble over; a short rest is read here.
async fn is_read(body: Body) -> bool {
    body.is_end_stream() || matches!(timeout(DRAIN, Limited::new(body, DRAIN_MAX).collect()).await, Ok(Ok(_)))
}

/// The era, as far as it matters for refusing.
fn era_of(headers: &HeaderMap) -> Era {
    Era::of_headers(headers, None).unwrap_or(Era::Bare)
}

/// Host, Origin, and whether there is such a server.
async fn open(
    gate: &Gate,
    slug: &str,
    server_id: &str,
    headers: &HeaderMap,
) -> Result<(Arc<Published>, Option<HeaderValue>), RpcError> {
    gate.names.check_host(headers)?;
    let published = find(gate, server_id).await?.filter(|published| {
        published.server.slug.as_str() == slug && published.server.spec.status != ServerStatus::Draft
    });
    let allowed = published.as_ref().map_or(&[][..], |published| published.allowed_origins.as_slice());
    let origin = gate.names.check_origin(headers, allowed)?;
    let published = published.ok_or_else(|| RpcError::http(StatusCode::NOT_FOUND, "Server not found"))?;
    Ok((published, origin))
}

async fn find(gate: &Gate, server_id: &str) -> Result<Option<Arc<Published>>, RpcError> {
    if !PublicId::is_one(server_id) {
        return Ok(None);
    }
    gate.catalog.server(server_id).await.map_err(|error| {
        tracing::error!(%error, "a server could not be read");
        RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "The server's configuration cannot be read now; try again")
    })
}

type Refused = (Era, RpcError);

/// The key, the state of the server, then what the method wants.
async fn admit(
    gate: &Arc<Gate>,
    published: Arc<Published>,
    method: Method,
    headers: HeaderMap,
    body: &mut Body,
) -> Result<Response, Refused> {
    if method == Method::OPTIONS {
        return Ok(preflight(&headers));
    }
    let refuse = |error| (era_of(&headers), error);
    let presented = access::presented(&published, &headers);
    let caller = access::admit(gate, &published, &presented).await.map_err(refuse)?;
    if published.server.spec.status == ServerStatus::Paused {
        return Err(refuse(RpcError::http(StatusCode::SERVICE_UNAVAILABLE, "Server is paused")));
    }
    let session_id = headers.get(SESSION_HEADER).and_then(|value| value.to_str().ok());
    let read = |id| gate.sessions.read(&published.server.public_id, id, gate.clock.now());
    let presented = session_id.map_or(Presented::None, read);
    let era = Era::of_headers(&headers, revision(&presented));
    if matches!(presented, Presented::Ended) && era != Some(Era::Modern) {
        return Err(refuse(session::ended()));
    }
    let session = if let Presented::Known(session) = presented { Some(session) } else { None };
    let exchange = Arc::new(Exchange { gate: Arc::clone(gate), published, caller, session, era, headers });
    match method {
        Method::POST => post(exchange, body).await,
        Method::GET | Method::DELETE if exchange.era.is_none() => Err((Era::Bare, unknown_version())),
        Method::GET => get(&exchange).await.map_err(|error| (Era::Bare, error)),
        Method::DELETE => Ok(delete(&exchange)),
        _ => Ok(not_allowed()),
    }
}

/// A session speaks the revision it agreed on; of one that we cannot read, the oldest with sessions is assumed.
fn revision(presented: &Presented) -> Option<Revision> {
    match presented {
        Presented::Known(session) => Some(session.revision),
        Presented::Unknown => Some(Revision::V2025_03_26),
        Presented::None | Presented::Ended => None,
    }
}

fn preflight(headers: &HeaderMap) -> Response {
    let mut response = reply::empty(StatusCode::NO_CONTENT);
    origin::allow_methods(response.headers_mut(), headers.get(ACCESS_CONTROL_REQUEST_HEADERS));
    response.headers_mut().insert(ALLOW, ALLOWED);
    response
}

const ALLOWED: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");

fn not_allowed() -> Response {
    let error = RpcError::http(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed: send JSON-RPC with POST");
    let mut response = reply::refusal(&error, Era::Bare);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST, OPTIONS"));
    response
}

/// The session of a legacy caller, the only one with streams to open and sessions to end.
fn legacy_session(exchange: &Exchange) -> Option<&Session> {
    exchange.session.as_deref().filter(|_| exchange.era != Some(Era::Modern))
}

async fn get(exchange: &Arc<Exchange>) -> Result<Response, RpcError> {
    match legacy_session(exchange) {
        Some(session) if exchange.accepts_stream() => {
            methods::count(exchange, RequestKind::Other).await?;
            streams::of_session(exchange, session)
        }
        _ => Ok(not_allowed()),
    }
}

fn delete(exchange: &Exchange) -> Response {
    let Some(session) = legacy_session(exchange) else { return not_allowed() };
    exchange.gate.sessions.state(session).end();
    reply::empty(StatusCode::NO_CONTENT)
}

async fn post(exchange: Arc<Exchange>, body: &mut Body) -> Result<Response, Refused> {
    let era = exchange.era;
    let refuse = |error| (era.unwrap_or(Era::Bare), error);
    check_content_type(&exchange.headers).map_err(refuse)?;
    let body = read_body(body).await.map_err(refuse)?;
    match jsonrpc::read(&body).map_err(refuse)? {
        Batch::Single(Message::Quiet) => Ok(reply::empty(StatusCode::ACCEPTED)),
        Batch::Single(Message::Request(request)) => Ok(answer::answer(exchange, request).await),
        Batch::Many(_) if !era.is_some_and(Era::has_batches) => {
            Err(refuse(RpcError::invalid_request("Invalid request: this protocol revision has no batches")))
        }
        Batch::Many(messages) => batch::answer(exchange, messages).await.map_err(refuse),
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), RpcError> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(RpcError::http(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Unsupported media type: send application/json"))
}

async fn read_body(body: &mut Body) -> Result<Bytes, RpcError> {
    let too_large = || RpcError::http(StatusCode::PAYLOAD_TOO_LARGE, "The request body is larger than 4 MiB");
    // One that says so itself is not waited for.
    if body.size_hint().lower() > BODY_MAX as u64 {
        return Err(too_large());
    }
    let Some(collected) = patience::within(BODY_DEADLINE, Limited::new(body, BODY_MAX).collect()).await else {
        let late = "The body of the request did not arrive in time";
        return Err(RpcError::http(StatusCode::REQUEST_TIMEOUT, late));
    };
    collected.map(http_body_util::Collected::to_bytes).map_err(|error| {
        if error.is::<LengthLimitError>() { too_large() } else { RpcError::parse("the body did not arrive whole") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_two_segments_below_mcp() {
        for path in ["/mcp/a/b", "/mcp/a/b/", "/mcp/a%20/%62"] {
            assert!(server_of(path).is_some(), "{path}");
        }
        for path in
            ["/", "/mcp", "/mcp/", "/mcp/a", "/mcp/a/", "/mcp//b", "/mcp/a//", "/mcp/a/b/c", "/mcp/a/b//", "/mcpx/a/b"]
        {
            assert_eq!(server_of(path), None, "{path}");
        }
    }
}
