//! Processes a request: route, authentication, arguments, handler, reply. Authentication comes before validation, so
//! that errors reveal nothing about arguments or objects to an unauthenticated caller.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::value::RawValue;
use toolgate_auth::PeerAddr;
use toolgate_domain::fault::Faults;
use toolgate_domain::trace::TraceSpan;

use crate::access::Access;
use crate::config::RestConfig;
use crate::context::ApiContext;
use crate::cors;
use crate::credential::RequestCredential;
use crate::envelope;
use crate::error::RestError;
use crate::fields;
use crate::index;
use crate::params::{Arg, Args, Arguments, BodyFormat, IgnoredFields, Inputs, read_body};
use crate::reply::{ApiReply, IGNORED_HEADER, ReplyContent};
use crate::request::ApiRequest;
use crate::route::Route;
use crate::routes::{CommonArgs, common_args};

/// Parameters that every request may have; routes do not declare them as arguments.
const PROTOCOL_PARAMS: [&str; 3] = ["_fields", "_envelope", "_method"];
/// Parameters that WordPress clients add to requests. They have no effect, and are not reported as ignored.
const WORDPRESS_PARAMS: [&str; 5] = ["_", "_embed", "_jsonp", "_locale", "_wpnonce"];

/// The routes, and the state they share.
pub(crate) struct Dispatcher {
    pub(crate) context: Arc<ApiContext>,
    pub(crate) routes: Vec<Route>,
}

impl Dispatcher {
    /// Handles one request.
    pub(crate) async fn serve(&self, request: Request) -> Response {
        let (parts, mut body) = request.into_parts();
        let inputs = Inputs::from_query(parts.uri.query().unwrap_or_default());
        let method = effective_method(&parts, &inputs);
        let mut ignored = IgnoredFields::default();
        let scope = request_span(&parts).and_then(|span| span.scope().cloned());
        let handling = self.handle(&parts, &method, inputs.clone(), &mut body, &mut ignored);
        let outcome = toolgate_storage::with_trace(scope, handling).await;
        finish(&self.context, &parts, &method, &inputs, &ignored, outcome)
    }

    async fn handle(
        &self,
        parts: &Parts,
        method: &Method,
        mut inputs: Inputs,
        body: &mut Body,
        ignored: &mut IgnoredFields,
    ) -> Result<ApiReply, RestError> {
        let context = &self.context;
        let peer = parts.extensions.get::<PeerAddr>().copied();
        let base_url = context.config.base_url.resolve(&parts.headers, peer, &context.config.trusted_proxies);
        let Some(path) = path_below_root(context, parts.uri.path()) else {
            return index::discovery(&context.config, &self.routes, &base_url, parts.uri.path(), method);
        };
        if path.is_empty() {
            return index::namespace(&context.config, &self.routes, &base_url, method);
        }
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let matching: Vec<_> =
            self.routes.iter().filter_map(|route| Some((route, route.match_path(&segments)?))).collect();
        if matching.is_empty() {
            return Err(RestError::no_route(None));
        }
        if method == Method::OPTIONS {
            return index::options(&context.config, matching.iter().map(|(route, _)| *route));
        }
        let route_method = if method == Method::HEAD { &Method::GET } else { method };
        let Some((route, ids)) = matching.iter().find(|(route, _)| route.methods.contains(route_method)) else {
            return Err(RestError::no_route(Some(index::allowed_methods(matching.iter().map(|(route, _)| *route)))));
        };
        if let Some(span) = request_span(parts) {
            name_route(span, &context.config, route, method);
        }
        let credential = match route.access {
            Access::Public => None,
            access => Some(RequestCredential::from_headers(context, &parts.headers, access)?),
        };
        let mut principal = match &credential {
            Some(credential) => Some(credential.principal(context).await?),
            None => None,
        };
        // The body of an unauthenticated GET is never used, so it is not read.
        if route_method != Method::GET || principal.is_some() {
            let body = read_body(&parts.headers, body, route.body_format.bytes_max()).await?;
            // The key may have been revoked, or its user disabled, while the body arrived.
            if let Some(credential) = credential.filter(|_| !body.is_empty()) {
                principal = Some(credential.principal(context).await?);
            }
            inputs.add_body(route.body_format, &parts.headers, &body)?;
            if route.body_format == BodyFormat::Document {
                inputs.take_document();
            }
        }
        *ignored = ignored_fields(route, &inputs);
        let args = read_args(context, route, &inputs, ignored)?;
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let request = ApiRequest {
            context: Arc::clone(context),
            principal,
            credential,
            ids: ids.clone(),
            argument_names: args.names(),
            base_url,
            path: path.to_owned(),
            query,
            upload: inputs.upload.take(),
        };
        (route.handler)(request, args).await
    }
}

/// The span of the request, if it is traced.
fn request_span(parts: &Parts) -> Option<&TraceSpan> {
    parts.extensions.get::<Arc<TraceSpan>>().map(|span| &**span)
}

/// Names the span after the route template, because real paths would make too many span names.
fn name_route(span: &TraceSpan, config: &RestConfig, route: &Route, method: &Method) {
    let template = format!("{}{}", config.root_path(), route.path);
    span.rename(|| format!("{method} {template}").into());
    span.set("http.route", template);
}

/// The method of the request. A POST can override it with `_method` or `X-HTTP-Method-Override`, for clients that
/// can send only GET and POST.
fn effective_method(parts: &Parts, inputs: &Inputs) -> Method {
    if parts.method != Method::POST {
        return parts.method.clone();
    }
    let header = parts.headers.get("x-http-method-override").and_then(|value| value.to_str().ok());
    let method = inputs.text("_method").or(header).unwrap_or("POST").to_ascii_uppercase();
    // An invalid override must not run as a POST. No route has TRACE, so the request is refused.
    Method::from_bytes(method.as_bytes()).unwrap_or(Method::TRACE)
}

/// The path below `api_base`, without a trailing slash; `None` for any other path.
fn path_below_root<'a>(context: &ApiContext, path: &'a str) -> Option<&'a str> {
    let below = path.strip_prefix(&context.config.root_path())?;
    (below.is_empty() || below.starts_with('/')).then(|| below.strip_suffix('/').unwrap_or(below))
}

fn ignored_fields(route: &Route, inputs: &Inputs) -> IgnoredFields {
    let declared: Vec<&Arg> = route.args.iter().chain(common_args()).collect();
    IgnoredFields::find(&declared, &PROTOCOL_PARAMS, inputs, |name| {
        WORDPRESS_PARAMS.contains(&name) || route.path_ids().any(|id| id == name) || route.is_field_of_object(name)
    })
}

/// Reads the arguments of a route, or returns all their faults. Domain rules are checked here only to complete a list
/// of faults; otherwise the handler checks them.
fn read_args(context: &ApiContext, route: &Route, inputs: &Inputs, ignored: &IgnoredFields) -> Result<Args, RestError> {
    let (mut common, mut faults) = Args::read(common_args(), inputs)?;
    let unknown = if CommonArgs::read(&mut common).strict { ignored.faults() } else { Faults::default() };
    let (mut args, type_faults) = match Args::read(&route.args, inputs) {
        // A misspelt name may be the reason why an argument is missing.
        Err(_) if !unknown.is_empty() => return Err(RestError::invalid_params(&unknown)),
        read => read?,
    };
    faults.extend(unknown);
    faults.extend(type_faults);
    if faults.is_empty() {
        return Ok(args);
    }
    if let Err(rule_faults) = (route.check)(&mut args, &context.config.egress) {
        faults.extend(rule_faults);
    }
    Err(RestError::invalid_params(&faults))
}

/// Builds the response: `_fields`, `_envelope`, then the headers that every reply has.
fn finish(
    context: &ApiContext,
    parts: &Parts,
    method: &Method,
    inputs: &Inputs,
    ignored: &IgnoredFields,
    outcome: Result<ApiReply, RestError>,
) -> Response {
    let mut reply = match outcome {
        Ok(reply) => select_fields(reply, inputs),
        Err(error) => error_reply(error),
    };
    if let Some(fields) = ignored.header_value() {
        reply.set_header(IGNORED_HEADER, &fields);
    }
    if inputs.contains("_envelope")
        && let ReplyContent::Json(body) = &reply.content
        && let Some(body) = envelope::wrap(reply.status, &reply.headers, body)
    {
        reply = ApiReply { status: StatusCode::OK, headers: HeaderMap::new(), content: ReplyContent::Json(body) };
    }
    let common_headers: [(HeaderName, &'static str); 4] = [
        (CONTENT_TYPE, reply.content.media_type()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
        (CACHE_CONTROL, "no-store, private"),
    ];
    for (name, value) in common_headers {
        reply.headers.insert(name, HeaderValue::from_static(value));
    }
    cors::add_headers(&parts.headers, &mut reply.headers, &context.config.cors_origins, method == Method::OPTIONS);
    let mut response = Response::new(reply.content.into_body());
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    response
}

fn select_fields(mut reply: ApiReply, inputs: &Inputs) -> ApiReply {
    if let ReplyContent::Json(body) = &reply.content
        && let Some(selected) = inputs.text("_fields").and_then(|fields| fields::select(body, fields))
    {
        reply.content = ReplyContent::Json(selected);
    }
    reply
}

fn error_reply(error: RestError) -> ApiReply {
    let body = serde_json::value::to_raw_value(&error.body()).unwrap_or_else(|_| RawValue::NULL.to_owned());
    let mut reply = ApiReply { status: error.status, headers: HeaderMap::new(), content: ReplyContent::Json(body) };
    if let Some((name, value)) = error.header {
        reply.set_header(name, &value);
    }
    reply
}
