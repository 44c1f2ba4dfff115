//! A call between the journal and the tables of the call log.

use std::sync::Arc;

use toolgate_domain::call::{CallId, CallRecord};

/// A call that is being ingested.
pub(super) struct IncomingCall {
    pub(super) id: CallId,
    /// The client type under which the call is counted.
    pub(super) client_type: Arc<str>,
    /// Its time equals the time of the id, so that log and rollups agree.
    pub(super) record: CallRecord,
}
