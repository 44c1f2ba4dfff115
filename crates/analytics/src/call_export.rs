//! Passes recorded calls on to a store outside of the service.

use std::fmt;

use toolgate_domain::call::CallRecord;
use toolgate_domain::trace::TraceParent;

/// Receives calls as they are recorded. It must not block: a call waits for it.
pub trait CallExport: Send + Sync + fmt::Debug {
    /// Takes a call, or drops and counts it.
    fn export(&self, call: ExportedCall);
}

/// A recorded call, with the names that the call log shows.
#[derive(Debug)]
pub struct ExportedCall {
    /// Its record, without captured payloads.
    pub record: CallRecord,
    /// Whether arguments and response were captured.
    pub is_captured: bool,
    /// Name of the server.
    pub server_name: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The span of the call, if its request is traced.
    pub trace_parent: Option<TraceParent>,
}
