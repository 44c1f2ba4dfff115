//! Records every call, even after an error, a panic or a disconnect: the record is written when the scope is dropped.

use std::sync::Arc;
use std::time::Instant;

use toolgate_analytics::{CallExport, ExportedCall, Recorder, ToolCalls};
use toolgate_domain::call::{CallRecord, FailureReason, ResultTokens};
use toolgate_domain::time::Clock;
use toolgate_domain::trace::{TraceParent, TraceScope};
use toolgate_execution::{Execution, Failure, ToolOutput};

use crate::cached_results::CachedResult;
use crate::capture::{self, Capture};
use crate::catalog::tools::PublishedTool;
use crate::jsonrpc::error::RpcError;
use crate::mcp_request::MessageContext;

/// A running call.
pub(crate) struct CallScope {
    recorder: Arc<Recorder>,
    clock: Arc<dyn Clock>,
    started: Instant,
    record: CallRecord,
    /// Counts the calls of the tool, if calls are counted per tool.
    tool_calls: Option<Arc<ToolCalls>>,
    /// The texts to capture, if the server's settings request it.
    capture: Option<Capture>,
    /// `None` if calls are not exported.
    export: Option<Box<PendingExport>>,
}

/// The data that an export needs in addition to the record of the call.
struct PendingExport {
    target: Arc<dyn CallExport>,
    server_name: String,
    tool_name: String,
    position: Option<TraceParent>,
}

impl PendingExport {
    fn new(context: &MessageContext, tool: &PublishedTool) -> Option<Box<Self>> {
        let target = Arc::clone(context.service().call_export.as_ref()?);
        let server_name = context.snapshot().server.spec.name.clone();
        let position = context.span.0.scope().map(TraceScope::trace_parent);
        Some(Box::new(Self { target, server_name, tool_name: tool.name().to_owned(), position }))
    }

    fn export(self, record: &CallRecord) {
        let Self { target, server_name, tool_name, position } = self;
        let is_captured = record.captured.is_some();
        let record = CallRecord { captured: None, ..record.clone() };
        target.export(ExportedCall { record, is_captured, server_name, tool_name, trace_parent: position });
    }
}

impl CallScope {
    /// Begins a call. Unless a result is recorded, the call is recorded as cancelled by the client.
    pub(crate) fn begin(context: &MessageContext, tool: &Arc<PublishedTool>, arguments: Option<&Arc<str>>) -> Self {
        let (client_type, client_name) = context.client(None);
        let snapshot = context.snapshot();
        let server = &snapshot.server;
        let record = CallRecord {
            client_name,
            protocol_version: context.era.revision().map(|revision| revision.as_str().into()),
            request_bytes: arguments.map_or(0, |arguments| arguments.len() as u64),
            request_id: context.mcp_request.request_id(),
            origin: context.mcp_request.call_origin(),
            ..CallRecord::new(server.user_id, server.id, tool.id, client_type)
        };
        let capture = snapshot.capture.map(|rule| Capture::begin(rule, tool, arguments));
        let service = context.service();
        let (recorder, clock) = (Arc::clone(&service.recorder), Arc::clone(&service.clock));
        let tool_calls = tool.calls.clone();
        let export = PendingExport::new(context, tool);
        Self { recorder, clock, started: Instant::now(), record, tool_calls, capture, export }
    }

    /// Whether the texts of the call are captured.
    pub(crate) fn is_captured(&self) -> bool {
        self.capture.is_some()
    }

    /// Records that the call got the result of an earlier one.
    pub(crate) fn record_cached_result(&mut self, result: &CachedResult) {
        self.record.upstream_status = result.upstream_status;
        self.record.response_bytes = result.response_bytes;
        self.record.cache_hit = true;
        self.record.failure = None;
    }

    /// Records the measurements of the upstream call.
    pub(crate) fn record_execution(&mut self, execution: &Execution) {
        let measurements = &execution.measurements;
        self.record.upstream_status = measurements.upstream_status;
        self.record.upstream_us = u64::try_from(measurements.duration.as_micros()).unwrap_or(u64::MAX);
        self.record.response_bytes = measurements.response_bytes;
        self.record.cache_hit = measurements.cache_hit;
        if let Some(capture) = &mut self.capture {
            capture.upstream_response.clone_from(&execution.response);
        }
    }

    /// Records the tokens of a result that was shaped.
    pub(crate) fn record_tokens(&mut self, tokens: ResultTokens) {
        self.record.tokens = Some(tokens);
    }

    /// Records that the result is a part of a stored response.
    pub(crate) fn record_stored_response(&mut self, tokens: ResultTokens) {
        self.record.cache_hit = true;
        self.record.tokens = Some(tokens);
    }

    /// Records the result for the client.
    pub(crate) fn record_result(&mut self, result: &Result<ToolOutput, Failure>) {
        self.record.failure = match result {
            Ok(output) => output.failure(),
            Err(failure) => Some(failure.reason),
        };
        if let Some(capture) = self.capture.take() {
            self.record.captured = capture.finish(self.record.failure, &capture::output_text(result));
        }
    }

    /// Records that the call was refused with a protocol error.
    pub(crate) fn record_refusal(&mut self, error: &RpcError) {
        self.record.failure = Some(FailureReason::BadArguments);
        if let Some(capture) = self.capture.take() {
            self.record.captured = capture.finish(self.record.failure, &error.message);
        }
    }
}

impl Drop for CallScope {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.record.failure = Some(FailureReason::Internal);
        } else if let Some(capture) = self.capture.take() {
            self.record.captured = capture.finish(self.record.failure, "");
        }
        self.record.duration_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.record.at = self.clock.now();
        if let Some(tool_calls) = &self.tool_calls {
            tool_calls.count(&self.record);
        }
        self.recorder.record(&self.record);
        if let Some(export) = self.export.take() {
            export.export(&self.record);
        }
    }
}
