//! The spans of one sampled request.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::finished_span::FinishedSpan;
use super::trace_parent::TraceParent;
use crate::sync::lock;

/// The most spans that are recorded of one request; further ones are only counted.
pub const SPANS_MAX: usize = 128;

/// Receives the spans of requests that have ended. It must not block: a request waits for it.
pub trait TraceSink: Send + Sync {
    /// Takes the spans of a request, or drops and counts them.
    fn submit(&self, trace: FinishedTrace);
}

/// The spans of a request that has ended.
#[derive(Debug)]
pub struct FinishedTrace {
    /// The trace that they belong to.
    pub trace_id: u128,
    /// The header `tracestate` of the request.
    pub state: Option<Box<str>>,
    /// The spans, in the order in which they ended.
    pub spans: Vec<FinishedSpan>,
    /// How many further spans the request had.
    pub left_out: u64,
}

/// The arguments of [`RequestTrace::new`].
pub struct TraceStart {
    /// The trace: that of the caller, or a new one.
    pub trace_id: u128,
    /// A random number, from which the ids of the spans are derived.
    pub seed: u64,
    /// The header `tracestate` of the request.
    pub state: Option<Box<str>>,
    /// The time, in nanoseconds since 1970.
    pub unix_nanos: u64,
    /// Receives the spans.
    pub sink: Arc<dyn TraceSink>,
}

/// A request whose spans are recorded.
pub struct RequestTrace {
    trace_id: u128,
    state: Option<Box<str>>,
    id_source: AtomicU64,
    started: Instant,
    started_unix_nanos: u64,
    spans: Mutex<Vec<FinishedSpan>>,
    left_out: AtomicU64,
    sink: Arc<dyn TraceSink>,
}

impl RequestTrace {
    /// Begins to record a request.
    pub fn new(start: TraceStart) -> Arc<Self> {
        Arc::new(Self {
            trace_id: start.trace_id,
            state: start.state,
            id_source: AtomicU64::new(start.seed),
            started: Instant::now(),
            started_unix_nanos: start.unix_nanos,
            spans: Mutex::new(Vec::with_capacity(16)),
            left_out: AtomicU64::new(0),
            sink: start.sink,
        })
    }

    /// An instant in nanoseconds since 1970.
    pub(super) fn unix_nanos(&self, instant: Instant) -> u64 {
        let elapsed = instant.saturating_duration_since(self.started);
        self.started_unix_nanos.saturating_add(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX))
    }

    /// An id for a span: `SplitMix64`, which returns each number once in a period of 2^64.
    pub(super) fn next_span_id(&self) -> u64 {
        const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut id = self.id_source.fetch_add(INCREMENT, Ordering::Relaxed).wrapping_add(INCREMENT);
        id = (id ^ (id >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        id = (id ^ (id >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // 0 is not a valid id.
        (id ^ (id >> 31)).max(1)
    }

    pub(super) fn add(&self, span: FinishedSpan) {
        let mut spans = lock(&self.spans);
        if spans.len() < SPANS_MAX {
            spans.push(span);
        } else {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for RequestTrace {
    fn drop(&mut self) {
        let spans = std::mem::take(&mut *lock(&self.spans));
        let left_out = self.left_out.load(Ordering::Relaxed);
        self.sink.submit(FinishedTrace { trace_id: self.trace_id, state: self.state.take(), spans, left_out });
    }
}

impl fmt::Debug for RequestTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestTrace").field("trace_id", &self.trace_id).finish_non_exhaustive()
    }
}

/// A position in a trace: spans that start here are children of one span.
#[derive(Clone, Debug)]
pub struct TraceScope {
    pub(super) trace: Arc<RequestTrace>,
    /// The parent of spans that start here; 0 if they have none.
    pub(super) span_id: u64,
}

impl TraceScope {
    /// The position below the caller's span, or at the top of the trace.
    pub fn for_request(trace: Arc<RequestTrace>, caller: Option<TraceParent>) -> Self {
        Self { trace, span_id: caller.map_or(0, |caller| caller.span_id) }
    }

    /// This position in the form of the header `traceparent`, for other services.
    pub fn trace_parent(&self) -> TraceParent {
        TraceParent { trace_id: self.trace.trace_id, span_id: self.span_id, is_sampled: true }
    }

    /// The header `tracestate` of the request.
    pub fn state(&self) -> Option<&str> {
        self.trace.state.as_deref()
    }
}
