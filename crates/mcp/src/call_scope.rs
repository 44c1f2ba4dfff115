//! One record for every call, whatever becomes of it: an error, a panic, a client that goes away. It leaves when the
//! scope is dropped, so it cannot be forgotten.

use std::sync::Arc;
use std::time::Instant;

use analytics::Recorder;
use domain::call::{CallRecord, FailureReason};
use domain::time::{Clock, Timestamp};
use execution::{Failure, ToolOutput, Trace};

use crate::catalog::PublishedTool;
use crate::exchange::Context;

/// A call under way.
pub(crate) struct CallScope {
    recorder: Arc<Recorder>,
    clock: Arc<dyn Clock>,
    began: Instant,
    record: CallRecord,
}

impl CallScope {
    /// Begins a call; until it says otherwise, its client went away.
    pub(crate) fn open(context: &Context, tool: &PublishedTool, request_bytes: usize) -> Self {
        let (client_type, client_name) = context.client();
        let record = CallRecord {
            at: Timestamp::from_millis(0),
            user_id: context.published().server.user_id,
            server_id: context.published().server.id,
            tool_id: tool.id,
            client_type,
            client_name,
            protocol_version: context.era.revision().map(|revision| revision.as_str().into()),
            failure: Some(FailureReason::Cancelled),
            upstream_status: None,
            duration_us: 0,
            upstream_us: 0,
            request_bytes: request_bytes as u64,
            response_bytes: 0,
            cache_hit: false,
            request_id: context.exchange.request_id(),
            captured: None,
        };
        let gate = context.gate();
        Self { recorder: Arc::clone(&gate.recorder), clock: Arc::clone(&gate.clock), began: Instant::now(), record }
    }

    /// The upstream was asked, or was about to be.
    pub(crate) fn traced(&mut self, trace: &Trace) {
        self.record.upstream_status = trace.upstream_status;
        self.record.upstream_us = u64::try_from(trace.upstream.as_micros()).unwrap_or(u64::MAX);
        self.record.response_bytes = trace.response_bytes;
        self.record.cache_hit = trace.cache_hit;
    }

    /// What the client is told in the end.
    pub(crate) fn answered(&mut self, called: &Result<ToolOutput, Failure>) {
        self.record.failure = match called {
            Ok(output) => output.failure(),
            Err(failure) => Some(failure.reason),
        };
    }

    /// The client is told that its request is not what the tool asks for.
    pub(crate) fn refused(&mut self) {
        self.record.failure = Some(FailureReason::BadArguments);
    }
}

impl Drop for CallScope {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.record.failure = Some(FailureReason::Internal);
        }
        self.record.duration_us = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.record.at = self.clock.now();
        self.recorder.record(&self.record);
    }
}
