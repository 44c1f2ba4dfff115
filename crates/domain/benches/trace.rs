//! The spans of a call: without a trace, as for nearly all calls, and recorded.

use std::sync::Arc;

use divan::{Bencher, black_box};
use toolgate_domain::trace::{FinishedTrace, RequestTrace, SpanKind, TraceScope, TraceSink, TraceSpan, TraceStart};

fn main() {
    divan::main();
}

struct DiscardedTraces;

impl TraceSink for DiscardedTraces {
    fn submit(&self, trace: FinishedTrace) {
        drop(black_box(trace));
    }
}

/// The spans of a call without cache, token and shaping.
fn spans_of_a_call(scope: Option<&TraceScope>) {
    let message = TraceSpan::start(scope, SpanKind::Server, "tools/call");
    for step in ["rate limit", "validate arguments", "convert response"] {
        drop(black_box(TraceSpan::step(message.scope(), step)));
    }
    let attempt = TraceSpan::start(message.scope(), SpanKind::Client, "request");
    attempt.set("http.response.status_code", 200_u16);
    drop(attempt);
    message.rename(|| "tools/call tool".into());
    message.set("gen_ai.tool.name", black_box("tool"));
    message.set("gen_ai.operation.name", "execute_tool");
}

#[divan::bench]
fn spans_of_an_untraced_call() {
    spans_of_a_call(black_box(None));
}

#[divan::bench]
fn spans_of_a_traced_call(bencher: Bencher<'_, '_>) {
    let sink: Arc<dyn TraceSink> = Arc::new(DiscardedTraces);
    bencher.bench_local(|| {
        let start = TraceStart { trace_id: 1, seed: 1, state: None, unix_nanos: 1, sink: Arc::clone(&sink) };
        let scope = TraceScope::for_request(RequestTrace::new(start), None);
        spans_of_a_call(Some(&scope));
    });
}
