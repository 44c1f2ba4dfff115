//! The life of a request: route, authentication, arguments, handler, reply. The order is deliberate: a
//! caller who is not known learns nothing about arguments or objects.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, EXPECT, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use serde_json::value::RawValue;

use crate::base_url::Peer;
use crate::call::Call;
use crate::context::Context;
use crate::cors;
use crate::credential::Credential;
use crate::envelope;
use crate::error::RestError;
use crate::fields;
use crate::index;
use crate::params::{Args, Inputs, read_body};
use crate::reply::{Content, Reply};
use crate::route::{Access, Route};
use crate::routes::common_args;

/// How much of a body nobody wants is read away, and for how long, so that its sender gets to see the answer.
const DRAIN_MAX: usize = 4 * 1024 * 1024;
const DRAIN_PATIENCE: Duration = Duration::from_secs(2);

/// The API: its routes, and what they all need.
pub(crate) struct Dispatcher {
    pub(crate) context: Arc<Context>,
    pub(crate) routes: Vec<Route>,
}

impl Dispatcher {
    /// Answers one request.
    pub(crate) async fn serve(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let inputs = Inputs::from_query(parts.uri.query().unwrap_or_default());
        let method = effective_method(&parts, &inputs);
        let mut body = Some(body);
        let outcome = self.answer(&parts, &method, inputs.clone(), &mut body).await;
        if let Some(unread) = body
            && !parts.headers.contains_key(EXPECT)
        {
            // A sender that takes its time gets its answer now, and the connection ends.
            let _ = tokio::time::timeout(DRAIN_PATIENCE, drain(unread)).await;
        }
        finish(&self.context, &parts, &method, &inputs, outcome)
    }

    async fn answer(
        &self,
        parts: &Parts,
        method: &Method,
        mut inputs: Inputs,
        body: &mut Option<Body>,
    ) -> Result<Reply, RestError> {
        let context = &self.context;
        let peer = parts.extensions.get::<Peer>().copied();
        let base_url = context.config.base_url.resolve(&parts.headers, peer, &context.config.trusted_proxies);
        let Some(path) = path_below_root(context, parts.uri.path()) else {
            return index::discovery(&context.config, &self.routes, &base_url, parts.uri.path(), method);
        };
        if path.is_empty() {
            return index::namespace(&context.config, &self.routes, &base_url, method);
        }
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let here: Vec<_> = self.routes.iter().filter_map(|route| Some((route, route.match_path(&segments)?))).collect();
        if here.is_empty() {
            return Err(RestError::no_route(None));
        }
        if method == Method::OPTIONS {
            return index::options(&context.config, here.iter().map(|(route, _)| *route));
        }
        let wanted = if method == Method::HEAD { &Method::GET } else { method };
        let Some((route, ids)) = here.iter().find(|(route, _)| route.methods.contains(wanted)) else {
            return Err(RestError::no_route(Some(index::allow(here.iter().map(|(route, _)| *route)))));
        };
        let credential = match route.access {
            Access::Public => None,
            access => Some(Credential::of(&parts.headers, access)?),
        };
        let principal = match &credential {
            Some(credential) => Some(credential.principal(context).await?),
            None => None,
        };
        // Strangers who only read have nothing to say.
        if (wanted != Method::GET || principal.is_some())
            && let Some(body) = body
        {
            let body = read_body(&parts.headers, body).await?;
            inputs.add_body(&parts.headers, &body)?;
        }
        let args = check_args(context, route, &inputs)?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let call = Call {
            context: Arc::clone(context),
            principal,
            credential,
            ids: ids.clone(),
            args,
            base_url,
            path: path.to_owned(),
            query,
        };
        (route.handler)(call).await
    }
}

/// POST can stand for another method, for clients that know no other.
fn effective_method(parts: &Parts, inputs: &Inputs) -> Method {
    if parts.method != Method::POST {
        return parts.method.clone();
    }
    let header = parts.headers.get("x-http-method-override").and_then(|value| value.to_str().ok());
    let wanted = inputs.text("_method").or(header).unwrap_or("POST").to_ascii_uppercase();
    // What is no method must not be done as a POST; no route has TRACE.
    Method::from_bytes(wanted.as_bytes()).unwrap_or(Method::TRACE)
}

/// The path below `api_base`, without a slash at its end; `None` outside of it.
fn path_below_root<'a>(context: &Context, path: &'a str) -> Option<&'a str> {
    let below = path.strip_prefix(&context.config.root())?;
    (below.is_empty() || below.starts_with('/')).then(|| below.strip_suffix('/').unwrap_or(below))
}

/// The arguments of a route, or everything that is wrong with them.
fn check_args(context: &Context, route: &Route, inputs: &Inputs) -> Result<Args, RestError> {
    let (_, mut faults) = Args::read(common_args(), inputs)?;
    let (args, wrong_kinds) = Args::read(&route.args, inputs)?;
    faults.extend(wrong_kinds);
    if faults.is_empty() {
        return Ok(args);
    }
    if let Some(Err(broken)) = route.rules.map(|rules| rules(&args, &context.config)) {
        faults.extend(broken);
    }
    Err(RestError::invalid_params(&faults))
}

/// Reads away a body, within reason: a connection closed on a client that is still sending loses the answer.
async fn drain(mut body: Body) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, bytes::Bytes::len);
        if read > DRAIN_MAX {
            return;
        }
    }
}

/// Turns an outcome into a response: `_fields` and `_envelope`, then the headers every reply has.
fn finish(
    context: &Context,
    parts: &Parts,
    method: &Method,
    inputs: &Inputs,
    outcome: Result<Reply, RestError>,
) -> Response {
    let mut reply = match outcome {
        Ok(reply) => select_fields(reply, inputs),
        Err(error) => error_reply(&error),
    };
    if inputs.contains("_envelope")
        && let Content::Json(body) = &reply.content
        && let Some(body) = envelope::wrap(reply.status, &reply.headers, body)
    {
        reply = Reply { status: StatusCode::OK, headers: HeaderMap::new(), content: Content::Json(body) };
    }
    let fixed: [(HeaderName, &'static str); 4] = [
        (CONTENT_TYPE, reply.content.kind()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
        (CACHE_CONTROL, "no-store, private"),
    ];
    for (name, value) in fixed {
        reply.headers.insert(name, HeaderValue::from_static(value));
    }
    cors::add_headers(&parts.headers, &mut reply.headers, &context.config.cors_origins, method == Method::OPTIONS);
    let mut response = Response::new(reply.content.into_body());
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    response
}

fn select_fields(mut reply: Reply, inputs: &Inputs) -> Reply {
    if let Content::Json(body) = &reply.content
        && let Some(kept) = inputs.text("_fields").and_then(|fields| fields::select(body, fields))
    {
        reply.content = Content::Json(kept);
    }
    reply
}

fn error_reply(error: &RestError) -> Reply {
    let mut headers = HeaderMap::new();
    if error.status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(allow) = error.allow.as_ref().and_then(|allow| HeaderValue::from_str(allow).ok()) {
        headers.insert(ALLOW, allow);
    }
    if let Some(seconds) = error.retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    let body = serde_json::value::to_raw_value(&error.body()).unwrap_or_else(|_| RawValue::NULL.to_owned());
    Reply { status: error.status, headers, content: Content::Json(body) }
}
