//! Calls as OTLP log records, with the fields of the call log.

use opentelemetry_proto::tonic::collector::logs::v1::{ExportLogsServiceRequest, ExportLogsServiceResponse};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value as OtlpValue;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs, SeverityNumber};
use prost::Message as _;
use serde_json::Value;
use toolgate_analytics::{CallExport, ExportedCall};

use super::export_queue::{ExportQueue, ExportSignal};
use super::otlp_values::{ServiceIdentity, any_value, attribute};

const NANOS_PER_MILLI: u64 = 1_000_000;

/// The recorded calls.
pub(super) struct LogSignal;

impl ExportSignal for LogSignal {
    type Item = ExportedCall;

    const PATH: &'static str = "/v1/logs";
    const QUEUE_MAX: usize = 8192;
    const BATCH_MAX: usize = 1024;

    fn record_count(_: &ExportedCall) -> u64 {
        1
    }

    fn encode(identity: &ServiceIdentity, calls: Vec<ExportedCall>) -> Vec<u8> {
        let scope_logs = ScopeLogs {
            scope: Some(identity.scope.clone()),
            log_records: calls.into_iter().map(log_record).collect(),
            ..ScopeLogs::default()
        };
        let resource_logs = ResourceLogs {
            resource: Some(identity.resource.clone()),
            scope_logs: vec![scope_logs],
            ..ResourceLogs::default()
        };
        ExportLogsServiceRequest { resource_logs: vec![resource_logs] }.encode_to_vec()
    }

    fn rejected_count(response: &[u8]) -> u64 {
        let response = ExportLogsServiceResponse::decode(response).unwrap_or_default();
        response.partial_success.map_or(0, |partial| u64::try_from(partial.rejected_log_records).unwrap_or(0))
    }
}

impl CallExport for ExportQueue<LogSignal> {
    fn export(&self, call: ExportedCall) {
        self.push(call);
    }
}

fn log_record(call: ExportedCall) -> LogRecord {
    let at_nanos = u64::try_from(call.record.at.as_millis()).unwrap_or_default().saturating_mul(NANOS_PER_MILLI);
    let severity = if call.record.failure.is_none() { SeverityNumber::Info } else { SeverityNumber::Warn };
    let (trace_id, span_id) = match call.trace_parent {
        Some(parent) => (parent.trace_id.to_be_bytes().into(), parent.span_id.to_be_bytes().into()),
        None => (Vec::new(), Vec::new()),
    };
    // Bit 0 is the flag `sampled` of W3C Trace Context.
    let flags = u32::from(call.trace_parent.is_some());
    let body = format!("call of {}", call.tool_name);
    let fields = toolgate_rest::call_log_fields(call);
    LogRecord {
        time_unix_nano: at_nanos,
        observed_time_unix_nano: at_nanos,
        severity_number: severity.into(),
        severity_text: if severity == SeverityNumber::Info { "INFO" } else { "WARN" }.to_owned(),
        body: Some(any_value(OtlpValue::StringValue(body))),
        attributes: fields.into_iter().flat_map(|(name, value)| attributes(&name, value)).collect(),
        flags,
        trace_id,
        span_id,
        event_name: "toolgate.call".to_owned(),
        ..LogRecord::default()
    }
}

/// One attribute for a plain value; for an object, one attribute for each member, such as `caller.kind`.
fn attributes(name: &str, value: Value) -> Vec<KeyValue> {
    match value {
        Value::Object(members) => {
            members.into_iter().filter_map(|(member, value)| field(&format!("{name}.{member}"), value)).collect()
        }
        value => field(name, value).into_iter().collect(),
    }
}

/// An attribute for a value; none for null.
fn field(name: &str, value: Value) -> Option<KeyValue> {
    let value = match value {
        Value::Null => return None,
        Value::Bool(flag) => OtlpValue::BoolValue(flag),
        Value::Number(number) => match number.as_i64() {
            Some(number) => OtlpValue::IntValue(number),
            None => OtlpValue::DoubleValue(number.as_f64()?),
        },
        Value::String(text) => OtlpValue::StringValue(text),
        other => OtlpValue::StringValue(other.to_string()),
    };
    Some(attribute(name, value))
}
