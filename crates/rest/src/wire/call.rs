//! Calls, from the log and live.

use serde::Serialize;
use toolgate_analytics::ClientConnected;
use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::time::Timestamp;
use toolgate_storage::LoggedCall;
use utoipa::ToSchema;

use super::report::micros_to_millis;

/// One call.
#[derive(Serialize, ToSchema)]
pub(crate) struct CallOut<'a> {
    #[schema(value_type = i64)]
    id: Option<i64>,
    /// End of the call, to the millisecond.
    time: String,
    server_id: i64,
    server_name: Option<&'a str>,
    tool_id: i64,
    tool_name: Option<&'a str>,
    client_type: &'a str,
    /// Name that the client reported.
    client_name: Option<&'a str>,
    /// MCP protocol version; null for a plain JSON-RPC client.
    protocol_version: Option<&'a str>,
    /// success or failed.
    outcome: &'static str,
    /// Failure reason, one of a closed set.
    reason: Option<&'static str>,
    /// How to fix the failure.
    advice: Option<&'static str>,
    upstream_status: Option<u16>,
    duration_ms: f64,
    /// Part of `duration_ms` spent waiting for the upstream.
    upstream_ms: f64,
    request_bytes: u64,
    response_bytes: u64,
    cache_hit: bool,
    request_id: &'a str,
    /// Whether arguments and response were captured.
    captured: bool,
}

impl<'a> From<&'a LoggedCall> for CallOut<'a> {
    fn from(call: &'a LoggedCall) -> Self {
        Self {
            id: Some(call.id.0),
            server_name: call.server_name.as_deref(),
            tool_name: call.tool_name.as_deref(),
            ..Self::live(&call.record, call.is_captured)
        }
    }
}

impl<'a> CallOut<'a> {
    /// A call that just ended. It is not in the log yet, so it has no id.
    pub(crate) fn live(record: &'a CallRecord, is_captured: bool) -> Self {
        Self {
            id: None,
            time: format_with_millis(record.at),
            server_id: record.server_id.0,
            server_name: None,
            tool_id: record.tool_id.0,
            tool_name: None,
            client_type: &record.client_type,
            client_name: record.client_name.as_deref(),
            protocol_version: record.protocol_version.as_deref(),
            outcome: if record.failure.is_none() { "success" } else { "failed" },
            reason: record.failure.map(FailureReason::as_str),
            advice: record.failure.map(FailureReason::advice),
            upstream_status: record.upstream_status,
            duration_ms: micros_to_millis(record.duration_us),
            upstream_ms: micros_to_millis(record.upstream_us),
            request_bytes: record.request_bytes,
            response_bytes: record.response_bytes,
            cache_hit: record.cache_hit,
            request_id: &record.request_id,
            captured: is_captured,
        }
    }
}

/// One call with its captured arguments and response.
#[derive(Serialize)]
pub(crate) struct CapturedCallOut<'a> {
    #[serde(flatten)]
    call: CallOut<'a>,
    arguments: Option<&'a str>,
    response: Option<&'a str>,
}

impl<'a> From<&'a LoggedCall> for CapturedCallOut<'a> {
    fn from(call: &'a LoggedCall) -> Self {
        let captured = call.record.captured.as_ref();
        Self {
            call: CallOut::from(call),
            arguments: captured.map(|captured| captured.arguments.as_str()),
            response: captured.map(|captured| captured.response.as_str()),
        }
    }
}

/// A client that connected.
#[derive(Serialize)]
pub(crate) struct ConnectedClientOut<'a> {
    time: String,
    server_id: i64,
    client_type: &'a str,
    client_name: Option<&'a str>,
    protocol_version: Option<&'a str>,
    method: &'a str,
}

impl<'a> From<&'a ClientConnected> for ConnectedClientOut<'a> {
    fn from(client: &'a ClientConnected) -> Self {
        Self {
            time: format_with_millis(client.at),
            server_id: client.server_id.0,
            client_type: &client.client_type,
            client_name: client.client_name.as_deref(),
            protocol_version: client.protocol_version,
            method: client.method,
        }
    }
}

/// `YYYY-MM-DDTHH:MM:SS.mmm`. The milliseconds show the order of calls within one second.
fn format_with_millis(time: Timestamp) -> String {
    format!("{time}.{:03}", time.as_millis().rem_euclid(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_calls_have_milliseconds() {
        let formatted = |millis| format_with_millis(Timestamp::from_millis(millis));
        assert_eq!(formatted(1_792_000_000_007), "2026-10-14T17:46:40.007");
        assert_eq!(formatted(1_792_000_000_999), "2026-10-14T17:46:40.999");
    }
}
