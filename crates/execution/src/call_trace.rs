//! The trace of a call, if it is recorded: spans for its steps, and the headers that propagate it to the upstream.

use http::{HeaderName, HeaderValue};
use toolgate_domain::trace::{SpanKind, TraceScope, TraceSpan};

use crate::egress::error::EgressError;
use crate::egress::message::{OutboundRequest, UpstreamResponse};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// The position of a call in the trace of its request.
#[derive(Clone, Copy, Debug)]
pub struct CallTrace<'a> {
    /// The parent of the call's spans.
    pub scope: &'a TraceScope,
    /// Whether the upstream gets the headers of the trace.
    pub is_propagated: bool,
}

impl<'a> CallTrace<'a> {
    /// The same trace, inside of `span`.
    pub(crate) fn inside(self, span: &'a TraceSpan) -> Self {
        Self { scope: span.scope().unwrap_or(self.scope), ..self }
    }
}

/// Begins a span for a step of a call.
pub(crate) fn step(trace: Option<CallTrace<'_>>, name: &'static str) -> TraceSpan {
    TraceSpan::step(trace.map(|trace| trace.scope), name)
}

/// The span of one request to the upstream. It contains neither path nor query, which may contain arguments and keys.
pub(crate) struct AttemptSpan {
    span: TraceSpan,
    has_ended: bool,
}

impl AttemptSpan {
    /// Begins the span, and adds the headers of the trace to the request if the upstream gets them. `resends` counts
    /// the attempts before this one.
    pub(crate) fn start(trace: Option<CallTrace<'_>>, request: &mut OutboundRequest, resends: u32) -> Self {
        let span = TraceSpan::start(trace.map(|trace| trace.scope), SpanKind::Client, "request");
        if let (Some(trace), Some(scope)) = (trace, span.scope()) {
            describe(&span, request, resends);
            if trace.is_propagated {
                add_headers(scope, request);
            }
        }
        Self { span, has_ended: false }
    }

    /// Ends the span.
    pub(crate) fn finish(mut self, result: &Result<UpstreamResponse, EgressError>) {
        self.has_ended = true;
        let span = &self.span;
        match result {
            Ok(response) => {
                span.set("http.response.status_code", response.status.as_u16());
                if response.status.is_client_error() || response.status.is_server_error() {
                    span.fail(response.status.as_str());
                }
            }
            Err(error) => span.fail(error.reason().as_str()),
        }
    }
}

/// A span without [`AttemptSpan::finish`]: the timeout of the call or the client cancelled the request.
impl Drop for AttemptSpan {
    fn drop(&mut self) {
        if !self.has_ended {
            self.span.fail("cancelled");
        }
    }
}

fn describe(span: &TraceSpan, request: &OutboundRequest, resends: u32) {
    span.rename(|| request.method.as_str().to_owned().into());
    span.set("http.request.method", request.method.as_str());
    span.set("url.scheme", request.uri.scheme_str().unwrap_or_default());
    span.set("server.address", request.uri.host().unwrap_or_default());
    let default_port = if request.uri.scheme_str() == Some("https") { 443 } else { 80 };
    span.set("server.port", request.uri.port_u16().unwrap_or(default_port));
    if resends > 0 {
        span.set("http.request.resend_count", resends);
    }
}

fn add_headers(scope: &TraceScope, request: &mut OutboundRequest) {
    if let Ok(position) = HeaderValue::try_from(scope.trace_parent().to_string()) {
        request.headers.insert(TRACEPARENT, position);
    }
    match scope.state().map(HeaderValue::from_str) {
        Some(Ok(state)) => drop(request.headers.insert(TRACESTATE, state)),
        _ => drop(request.headers.remove(TRACESTATE)),
    }
}
