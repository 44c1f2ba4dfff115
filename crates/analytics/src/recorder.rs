//! Where the record of each call goes. Today it is a line of the log (target `toolgate::call`, level debug).

use domain::call::{CallRecord, FailureReason};

/// Takes the records of calls.
#[derive(Debug, Default)]
pub struct Recorder(());

impl Recorder {
    /// A recorder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one record. It must not wait: the answer leaves after it.
    pub fn record(&self, record: &CallRecord) {
        tracing::debug!(
            target: "toolgate::call",
            server_id = record.server_id.0,
            tool_id = record.tool_id.0,
            client_type = record.client_type,
            client_name = record.client_name,
            protocol_version = record.protocol_version,
            failure = record.failure.map(FailureReason::as_str),
            upstream_status = record.upstream_status,
            duration_us = record.duration_us,
            upstream_us = record.upstream_us,
            request_bytes = record.request_bytes,
            response_bytes = record.response_bytes,
            cache_hit = record.cache_hit,
            request_id = record.request_id,
            "call"
        );
    }
}
