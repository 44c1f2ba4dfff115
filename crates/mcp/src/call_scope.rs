//! One record for every call, whatever becomes of it: an error, a panic, a client that goes away. It leaves when the
//! scope is dropped, so it cannot be forgotten.

use std::sync::Arc;
use std::time::Instant;

use toolgate_analytics::Recorder;
use toolgate_domain::call::{CallRecord, FailureReason};
use toolgate_domain::time::Clock;
use toolgate_execution::{Execution, Failure, ToolOutput};

use crate::capture::{self, Capture};
use crate::catalog::PublishedTool;
use crate::exchange::Context;
use crate::jsonrpc::RpcError;

/// A call under way.
pub(crate) struct CallScope {
    recorder: Arc<Recorder>,
    clock: Arc<dyn Clock>,
    began: Instant,
    record: CallRecord,
    /// Where the server's settings want to keep what is said, until its end is known.
    capture: Option<Capture>,
}

impl CallScope {
    /// Begins a call; until it says otherwise, its client went away.
    pub(crate) fn open(context: &Context, tool: &Arc<PublishedTool>, arguments: Option<&Arc<str>>) -> Self {
        let (client_type, client_name) = context.client();
        let published = context.published();
        let server = &published.server;
        let record = CallRecord {
            client_name,
            protocol_version: context.era.revision().map(|revision| revision.as_str().into()),
            request_bytes: arguments.map_or(0, |arguments| arguments.len() as u64),
            request_id: context.exchange.request_id(),
            ..CallRecord::begun(server.user_id, server.id, tool.id, client_type)
        };
        let capture = published.capture.map(|rule| Capture::open(rule, tool, arguments));
        let gate = context.gate();
        let (recorder, clock) = (Arc::clone(&gate.recorder), Arc::clone(&gate.clock));
        Self { recorder, clock, began: Instant::now(), record, capture }
    }

    /// The upstream was asked, or was about to be.
    pub(crate) fn traced(&mut self, execution: &Execution) {
        let trace = &execution.trace;
        self.record.upstream_status = trace.upstream_status;
        self.record.upstream_us = u64::try_from(trace.upstream.as_micros()).unwrap_or(u64::MAX);
        self.record.response_bytes = trace.response_bytes;
        self.record.cache_hit = trace.cache_hit;
        if let Some(capture) = &mut self.capture {
            capture.traced(execution);
        }
    }

    /// What the client is told in the end.
    pub(crate) fn answered(&mut self, called: &Result<ToolOutput, Failure>) {
        self.record.failure = match called {
            Ok(output) => output.failure(),
            Err(failure) => Some(failure.reason),
        };
        if let Some(capture) = self.capture.take() {
            self.record.captured = capture.end(self.record.failure, &capture::words(called));
        }
    }

    /// The client is told that its request is not what the tool asks for.
    pub(crate) fn refused(&mut self, error: &RpcError) {
        self.record.failure = Some(FailureReason::BadArguments);
        if let Some(capture) = self.capture.take() {
            self.record.captured = capture.end(self.record.failure, &error.message);
        }
    }
}

impl Drop for CallScope {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.record.failure = Some(FailureReason::Internal);
        } else if let Some(capture) = self.capture.take() {
            self.record.captured = capture.end(self.record.failure, "");
        }
        self.record.duration_us = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.record.at = self.clock.now();
        self.recorder.record(&self.record);
    }
}
