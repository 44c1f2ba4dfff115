//! A running span: a named part of a request, with its duration.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::finished_span::{FinishedSpan, SpanKind};
use super::request_trace::TraceScope;
use super::span_value::SpanValue;
use crate::sync::lock;

/// A running span, which ends when it is dropped. Without a trace, every method does nothing.
#[derive(Debug, Default)]
pub struct TraceSpan(Option<Box<RecordedSpan>>);

#[derive(Debug)]
struct RecordedSpan {
    /// The position of its children.
    scope: TraceScope,
    parent_id: u64,
    kind: SpanKind,
    started: Instant,
    details: Mutex<SpanDetails>,
}

#[derive(Debug)]
struct SpanDetails {
    name: Cow<'static, str>,
    attributes: Vec<(&'static str, SpanValue)>,
    has_failed: bool,
}

impl TraceSpan {
    /// Begins a span for a step inside the service.
    pub fn step(parent: Option<&TraceScope>, name: &'static str) -> Self {
        Self::start(parent, SpanKind::Internal, name)
    }

    /// Begins a span.
    pub fn start(parent: Option<&TraceScope>, kind: SpanKind, name: &'static str) -> Self {
        Self(parent.map(|parent| Box::new(RecordedSpan::new(parent, kind, name))))
    }

    /// The position of its children; `None` if it is not recorded.
    pub fn scope(&self) -> Option<&TraceScope> {
        self.0.as_ref().map(|span| &span.scope)
    }

    /// Adds an attribute. The value is converted only if the span is recorded.
    pub fn set(&self, key: &'static str, value: impl Into<SpanValue>) {
        if let Some(span) = &self.0 {
            lock(&span.details).attributes.push((key, value.into()));
        }
    }

    /// Changes the name; `name` is called only if the span is recorded.
    pub fn rename(&self, name: impl FnOnce() -> Cow<'static, str>) {
        if let Some(span) = &self.0 {
            lock(&span.details).name = name();
        }
    }

    /// Marks it as failed. `error` is the reason: one of few values, never a message.
    pub fn fail(&self, error: impl Into<SpanValue>) {
        if let Some(span) = &self.0 {
            let mut details = lock(&span.details);
            details.has_failed = true;
            details.attributes.push(("error.type", error.into()));
        }
    }
}

impl RecordedSpan {
    fn new(parent: &TraceScope, kind: SpanKind, name: &'static str) -> Self {
        let scope = TraceScope { trace: Arc::clone(&parent.trace), span_id: parent.trace.next_span_id() };
        let details = SpanDetails { name: name.into(), attributes: Vec::new(), has_failed: false };
        Self { scope, parent_id: parent.span_id, kind, started: Instant::now(), details: Mutex::new(details) }
    }
}

impl Drop for RecordedSpan {
    fn drop(&mut self) {
        let trace = &self.scope.trace;
        let mut details = lock(&self.details);
        trace.add(FinishedSpan {
            id: self.scope.span_id,
            parent_id: self.parent_id,
            name: std::mem::take(&mut details.name),
            kind: self.kind,
            start_unix_nanos: trace.unix_nanos(self.started),
            end_unix_nanos: trace.unix_nanos(Instant::now()),
            attributes: std::mem::take(&mut details.attributes),
            has_failed: details.has_failed,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::request_trace::{FinishedTrace, RequestTrace, SPANS_MAX, TraceSink, TraceStart};
    use super::*;

    #[derive(Default)]
    struct CollectedTraces(Mutex<Vec<FinishedTrace>>);

    impl TraceSink for CollectedTraces {
        fn submit(&self, trace: FinishedTrace) {
            self.0.lock().unwrap().push(trace);
        }
    }

    fn scope(sink: &Arc<CollectedTraces>) -> TraceScope {
        let sink: Arc<dyn TraceSink> = Arc::<CollectedTraces>::clone(sink);
        let start = TraceStart { trace_id: 7, seed: 1, state: None, unix_nanos: 1_000, sink };
        TraceScope::for_request(RequestTrace::new(start), None)
    }

    #[test]
    fn spans_are_submitted_together_when_the_last_one_has_ended() {
        let collected = Arc::new(CollectedTraces::default());
        let request = TraceSpan::start(Some(&scope(&collected)), SpanKind::Server, "request");
        let step = TraceSpan::step(request.scope(), "step");
        request.set("a", 1_u16);
        request.rename(|| "renamed".into());
        drop(request);
        assert!(collected.0.lock().unwrap().is_empty());
        step.fail("timeout");
        drop(step);
        let traces = collected.0.lock().unwrap();
        let [FinishedTrace { trace_id: 7, spans, left_out: 0, .. }] = traces.as_slice() else { panic!("{traces:?}") };
        assert_eq!(spans[0].name, "renamed");
        assert_eq!(spans[0].attributes, [("a", SpanValue::Number(1))]);
        assert_eq!((spans[0].parent_id, spans[1].parent_id), (0, spans[0].id));
        assert!(spans[1].has_failed && spans[1].end_unix_nanos >= spans[0].start_unix_nanos);
        assert_eq!(spans[1].attributes, [("error.type", SpanValue::from("timeout"))]);
    }

    #[test]
    fn a_request_has_a_limited_number_of_spans() {
        let collected = Arc::new(CollectedTraces::default());
        let scope = scope(&collected);
        for _ in 0..SPANS_MAX + 3 {
            TraceSpan::step(Some(&scope), "step");
        }
        drop(scope);
        let traces = collected.0.lock().unwrap();
        assert_eq!((traces[0].spans.len(), traces[0].left_out), (SPANS_MAX, 3));
        let mut ids: Vec<u64> = traces[0].spans.iter().map(|span| span.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), SPANS_MAX);
    }

    #[test]
    fn without_a_trace_nothing_is_recorded() {
        let span = TraceSpan::step(None, "step");
        span.set("a", true);
        span.rename(|| panic!("must not be called"));
        assert!(span.scope().is_none());
    }
}
