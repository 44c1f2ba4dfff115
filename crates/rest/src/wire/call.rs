//! Calls, from the log and live.

use std::net::IpAddr;

use serde::Serialize;
use serde_json::{Map, Value};
use toolgate_analytics::{ClientConnected, ExportedCall};
use toolgate_domain::call::{CallId, CallRecord, FailureReason};
use toolgate_domain::time::Timestamp;
use toolgate_storage::LoggedCall;

use super::caller::CallerOut;
use super::report::micros_to_millis;
use crate::reply_object::reply_object;
use crate::schema::reply_values;

/// The id of a call. It is null only in live streams, which the schema does not describe.
#[derive(Serialize)]
struct LogId(Option<i64>);

reply_values! {
    LogId => {"type": "integer", "format": "int64"},
    IpAddr => {"type": "string"},
}

reply_object! {
    /// One call.
    pub(crate) struct CallOut<'a>(record: &'a CallRecord, is_captured: bool, logged: Option<&'a LoggedCall>) {
        id: LogId = LogId(logged.map(|call| call.id.0)),
        /// End of the call, to the millisecond.
        time: String = format_with_millis(record.at),
        server_id: i64 = record.server_id.0,
        server_name: Option<&'a str> = logged.and_then(|call| call.server_name.as_deref()),
        tool_id: i64 = record.tool_id.0,
        tool_name: Option<&'a str> = logged.and_then(|call| call.tool_name.as_deref()),
        client_type: &'a str = &record.client_type,
        /// Name that the client reported.
        client_name: Option<&'a str> = record.client_name.as_deref(),
        /// MCP protocol version; null for a plain JSON-RPC client.
        protocol_version: Option<&'a str> = record.protocol_version.as_deref(),
        /// success or failed.
        outcome: &'static str = if record.failure.is_none() { "success" } else { "failed" },
        /// Failure reason, one of a closed set.
        reason: Option<&'static str> = record.failure.map(FailureReason::as_str),
        /// How to fix the failure.
        advice: Option<&'static str> = record.failure.map(FailureReason::advice),
        upstream_status: Option<u16> = record.upstream_status,
        duration_ms: f64 = micros_to_millis(record.duration_us),
        /// Part of `duration_ms` spent waiting for the upstream.
        upstream_ms: f64 = micros_to_millis(record.upstream_us),
        request_bytes: u64 = record.request_bytes,
        response_bytes: u64 = record.response_bytes,
        cache_hit: bool = record.cache_hit,
        /// Estimated tokens of the result; null if its response was not shaped.
        tokens_out: Option<u64> = record.tokens.map(|tokens| tokens.out),
        /// Estimated tokens of the response that shaping left out; null if it was not shaped.
        tokens_saved: Option<u64> = record.tokens.map(|tokens| tokens.saved),
        request_id: &'a str = &record.request_id,
        /// Whether arguments and response were captured.
        captured: bool = is_captured,
        /// The endpoint key of the call; null if there was none.
        endpoint_key_id: Option<i64> = record.origin.credential.endpoint_key().map(|id| id.0),
        /// Its name, or its last name if it was deleted.
        endpoint_key_name: Option<&'a str> =
            record.origin.credential.endpoint_key().and(logged.and_then(|call| call.credential_name.as_deref())),
        /// The user whose API key or access token was used instead of an endpoint key.
        user_id: Option<i64> = record.origin.credential.user().map(|id| id.0),
        /// Name of that user, if the user exists.
        user_name: Option<&'a str> =
            record.origin.credential.user().and(logged.and_then(|call| call.credential_name.as_deref())),
        /// IP address of the client, if it is recorded.
        client_address: Option<IpAddr> = record.origin.client_address,
        /// Who made the call.
        caller: CallerOut<'a> =
            CallerOut::new(record.origin.credential, logged.and_then(|call| call.credential_name.as_deref())),
    }
}

impl<'a> CallOut<'a> {
    /// A call of the log.
    pub(crate) fn logged(call: &'a LoggedCall) -> Self {
        Self::new(&call.record, call.is_captured, Some(call))
    }

    /// A call that just ended. It is not in the log yet, so it has no id.
    pub(crate) fn live(record: &'a CallRecord, is_captured: bool) -> Self {
        Self::new(record, is_captured, None)
    }
}

/// The fields of a call as in the call log, for an export. The id of the call and the name of its key are not known
/// yet.
pub fn call_log_fields(call: ExportedCall) -> Map<String, Value> {
    let ExportedCall { record, is_captured, server_name, tool_name, .. } = call;
    let (server_name, tool_name) = (Some(server_name), Some(tool_name));
    let logged = LoggedCall { id: CallId(0), record, server_name, tool_name, credential_name: None, is_captured };
    match serde_json::to_value(CallOut::logged(&logged)) {
        Ok(Value::Object(mut fields)) => {
            fields.shift_remove("id");
            fields
        }
        _ => Map::new(),
    }
}

reply_object! {
    /// One call.
    pub(crate) struct CapturedCallOut<'a>(call: &'a LoggedCall) {
        ..call: CallOut<'a> = CallOut::logged(call),
        /// The arguments as JSON text, truncated and without secrets; null if not captured.
        arguments: Option<&'a str> = call.record.captured.as_ref().map(|captured| captured.arguments.as_str()),
        /// The response to the client, truncated; null if not captured.
        response: Option<&'a str> = call.record.captured.as_ref().map(|captured| captured.response.as_str()),
    }
}

reply_object! {
    /// A client that connected.
    pub(crate) struct ConnectedClientOut<'a>(client: &'a ClientConnected) {
        time: String = format_with_millis(client.at),
        server_id: i64 = client.server_id.0,
        client_type: &'a str = &client.client_type,
        client_name: Option<&'a str> = client.client_name.as_deref(),
        protocol_version: Option<&'a str> = client.protocol_version,
        method: &'a str = client.method,
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
