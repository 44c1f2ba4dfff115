//! Traces: spans as OTLP messages.

use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value as OtlpValue;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind as OtlpSpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span, Status};
use prost::Message as _;
use toolgate_domain::trace::{FinishedSpan, FinishedTrace, SpanKind, SpanValue, TraceSink};

use super::export_queue::{ExportQueue, ExportSignal};
use super::otlp_values::{ServiceIdentity, attribute};

/// The flag of W3C Trace Context for a trace that is recorded.
const SAMPLED: u32 = 1;

/// The spans of requests.
pub(super) struct TraceSignal;

impl ExportSignal for TraceSignal {
    type Item = FinishedTrace;

    const PATH: &'static str = "/v1/traces";
    const QUEUE_MAX: usize = 2048;
    const BATCH_MAX: usize = 256;

    fn record_count(trace: &FinishedTrace) -> u64 {
        trace.spans.len() as u64
    }

    fn encode(identity: &ServiceIdentity, traces: Vec<FinishedTrace>) -> Vec<u8> {
        let scope_spans = ScopeSpans {
            scope: Some(identity.scope.clone()),
            spans: traces.into_iter().flat_map(spans).collect(),
            ..ScopeSpans::default()
        };
        let resource_spans = ResourceSpans {
            resource: Some(identity.resource.clone()),
            scope_spans: vec![scope_spans],
            ..ResourceSpans::default()
        };
        ExportTraceServiceRequest { resource_spans: vec![resource_spans] }.encode_to_vec()
    }

    fn rejected_count(response: &[u8]) -> u64 {
        let response = ExportTraceServiceResponse::decode(response).unwrap_or_default();
        response.partial_success.map_or(0, |partial| u64::try_from(partial.rejected_spans).unwrap_or(0))
    }
}

impl TraceSink for ExportQueue<TraceSignal> {
    fn submit(&self, trace: FinishedTrace) {
        if trace.left_out > 0 {
            self.count_dropped(trace.left_out);
        }
        self.push(trace);
    }
}

fn spans(trace: FinishedTrace) -> impl Iterator<Item = Span> {
    let FinishedTrace { trace_id, state, spans, .. } = trace;
    let state = state.unwrap_or_default();
    spans.into_iter().map(move |span| to_span(trace_id, &state, span))
}

fn to_span(trace_id: u128, state: &str, span: FinishedSpan) -> Span {
    let kind = match span.kind {
        SpanKind::Internal => OtlpSpanKind::Internal,
        SpanKind::Server => OtlpSpanKind::Server,
        SpanKind::Client => OtlpSpanKind::Client,
    };
    let status = if span.has_failed { StatusCode::Error } else { StatusCode::Unset };
    Span {
        trace_id: trace_id.to_be_bytes().into(),
        span_id: span.id.to_be_bytes().into(),
        trace_state: state.to_owned(),
        parent_span_id: if span.parent_id == 0 { Vec::new() } else { span.parent_id.to_be_bytes().into() },
        flags: SAMPLED,
        name: span.name.into_owned(),
        kind: kind.into(),
        start_time_unix_nano: span.start_unix_nanos,
        end_time_unix_nano: span.end_unix_nanos,
        attributes: span.attributes.into_iter().map(|(key, value)| attribute(key, otlp_value(value))).collect(),
        status: Some(Status { code: status.into(), ..Status::default() }),
        ..Span::default()
    }
}

fn otlp_value(value: SpanValue) -> OtlpValue {
    match value {
        SpanValue::Text(text) => OtlpValue::StringValue(text.into_owned()),
        SpanValue::Number(number) => OtlpValue::IntValue(number),
        SpanValue::Flag(flag) => OtlpValue::BoolValue(flag),
    }
}
