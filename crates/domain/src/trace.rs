//! Traces of requests. A [`RequestTrace`] collects the spans of one sampled request and submits them together when its
//! last part has ended; nothing is recorded, and nothing allocated, for a request without one.

mod request_trace;
mod span;
mod span_value;
mod trace_parent;

pub use request_trace::{FinishedTrace, RequestTrace, SPANS_MAX, TraceScope, TraceSink, TraceStart};
pub use span::{FinishedSpan, SpanKind, TraceSpan};
pub use span_value::SpanValue;
pub use trace_parent::TraceParent;
