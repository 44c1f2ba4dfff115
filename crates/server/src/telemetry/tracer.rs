//! Begins and ends the spans of HTTP requests.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::{HeaderMap, HeaderName, Method, Request};
use toolgate_domain::time::Clock;
use toolgate_domain::trace::{RequestTrace, SpanKind, TraceParent, TraceScope, TraceSink, TraceSpan, TraceStart};

use super::sampler::Sampler;
use crate::request_counters::RouteClass;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest `tracestate` that is passed on, in bytes; W3C Trace Context requires at least this length.
const STATE_BYTES_MAX: usize = 512;
/// The value of `http.request.method` for a method that is not known.
const OTHER_METHOD: &str = "_OTHER";
const MCP_ROUTE: &str = "/mcp/{slug}/{server_id}";

/// Begins the traces of requests.
pub(crate) struct Tracer {
    sampler: Sampler,
    clock: Arc<dyn Clock>,
    sink: Arc<dyn TraceSink>,
}

impl Tracer {
    pub(super) fn new(sampler: Sampler, clock: Arc<dyn Clock>, sink: Arc<dyn TraceSink>) -> Self {
        Self { sampler, clock, sink }
    }

    /// Begins the span of a request if it is traced. Handlers find it in the extensions of the request.
    pub(crate) fn begin(&self, request: &mut Request<Body>, class: RouteClass) -> Option<Arc<TraceSpan>> {
        if !matches!(class, RouteClass::Mcp | RouteClass::Api) {
            return None;
        }
        let caller = caller_trace(request.headers());
        if !self.sampler.is_traced(caller) {
            return None;
        }
        let scope = TraceScope::for_request(self.start_trace(caller, request.headers())?, caller);
        let span = Arc::new(TraceSpan::start(Some(&scope), SpanKind::Server, "HTTP"));
        describe(&span, request, class);
        request.extensions_mut().insert(Arc::clone(&span));
        Some(span)
    }

    /// `None` if the operating system provides no random bytes.
    fn start_trace(&self, caller: Option<TraceParent>, headers: &HeaderMap) -> Option<Arc<RequestTrace>> {
        let [high, low, seed] = [getrandom::u64().ok()?, getrandom::u64().ok()?, getrandom::u64().ok()?];
        let new_id = (u128::from(high) << 64 | u128::from(low)).max(1);
        Some(RequestTrace::new(TraceStart {
            trace_id: caller.map_or(new_id, |caller| caller.trace_id),
            seed,
            state: caller.and_then(|_| trace_state(headers)),
            unix_nanos: self.clock.unix_nanos(),
            sink: Arc::clone(&self.sink),
        }))
    }
}

/// Adds the result of a request to its span.
pub(crate) fn set_response(span: &TraceSpan, response: &Response) {
    let status = response.status();
    span.set("http.response.status_code", status.as_u16());
    if let Some(id) = response.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()) {
        span.set("toolgate.request_id", id);
    }
    if status.is_server_error() {
        span.fail(status.as_str());
    }
}

fn describe(span: &TraceSpan, request: &Request<Body>, class: RouteClass) {
    let method = known_method(request.method());
    // OpenTelemetry's conventions want `HTTP` in the name of the span of an unknown method.
    let name = if method == OTHER_METHOD { "HTTP" } else { method };
    span.rename(|| name.into());
    span.set("http.request.method", method);
    span.set("url.scheme", "http");
    if class == RouteClass::Mcp {
        span.rename(|| format!("{name} {MCP_ROUTE}").into());
        span.set("http.route", MCP_ROUTE);
    }
}

/// The method, or `_OTHER`: clients can send any word as a method.
fn known_method(method: &Method) -> &'static str {
    let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    known.into_iter().find(|known| method.as_str() == *known).unwrap_or(OTHER_METHOD)
}

/// The caller's trace and span from the `traceparent` header; `None` without a valid header, or with several.
fn caller_trace(headers: &HeaderMap) -> Option<TraceParent> {
    let mut values = headers.get_all(TRACEPARENT).iter();
    let (first, second) = (values.next()?, values.next());
    second.is_none().then(|| TraceParent::parse(first.to_str().ok()?)).flatten()
}

/// The values of all `tracestate` headers, joined; `None` if they are too long.
fn trace_state(headers: &HeaderMap) -> Option<Box<str>> {
    let values: Option<Vec<&str>> = headers.get_all(TRACESTATE).iter().map(|value| value.to_str().ok()).collect();
    let state = values?.join(",");
    (!state.is_empty() && state.len() <= STATE_BYTES_MAX).then(|| state.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let pair = |(name, value): &(HeaderName, &str)| (name.clone(), value.parse().unwrap());
        pairs.iter().map(pair).fold(HeaderMap::new(), |mut headers, (name, value)| {
            headers.append(name, value);
            headers
        })
    }

    #[test]
    fn one_valid_traceparent_header_is_accepted_and_several_are_not() {
        assert!(caller_trace(&headers(&[(TRACEPARENT, PARENT)])).is_some());
        assert!(caller_trace(&headers(&[(TRACEPARENT, PARENT), (TRACEPARENT, PARENT)])).is_none());
        assert!(caller_trace(&headers(&[(TRACEPARENT, "x")])).is_none());
    }

    #[test]
    fn trace_states_are_joined_and_long_ones_are_left_out() {
        assert_eq!(trace_state(&headers(&[(TRACESTATE, "a=1"), (TRACESTATE, "b=2")])).as_deref(), Some("a=1,b=2"));
        assert_eq!(trace_state(&headers(&[(TRACESTATE, &"x".repeat(STATE_BYTES_MAX + 1))])), None);
        assert_eq!(trace_state(&HeaderMap::new()), None);
    }

    #[test]
    fn an_unknown_method_is_not_part_of_a_span() {
        assert_eq!(known_method(&Method::POST), "POST");
        assert_eq!(known_method(&Method::from_bytes(b"SECRET").unwrap()), "_OTHER");
    }
}
