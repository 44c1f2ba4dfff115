//! Traces of requests. A [`RequestTrace`] collects the spans of one sampled request and submits them together when its
//! last part has ended; nothing is recorded, and nothing allocated, for a request without one.

mod finished_span;
mod request_trace;
mod span;
mod span_value;
mod trace_parent;

pub use finished_span::{FinishedSpan, SpanKind};
pub use request_trace::{FinishedTrace, RequestTrace, SPANS_MAX, TraceScope, TraceSink, TraceStart};
pub use span::TraceSpan;
pub use span_value::SpanValue;
pub use trace_parent::TraceParent;
