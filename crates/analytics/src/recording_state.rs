//! The state and the statistics of recording.

use toolgate_domain::time::Timestamp;

/// The records that are not in the database: those in the journals, and lost ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingState {
    /// Records that are not ingested yet.
    pub pending: u64,
    /// Size of the journals.
    pub journal_bytes: u64,
    /// Lost records that are not counted in the database yet.
    pub lost: u64,
}

/// The state of recording, and its statistics since the start of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingStats {
    /// The state.
    pub state: RecordingState,
    /// End of the oldest call that is not ingested yet, as far as known; `None` if all are ingested.
    pub pending_since: Option<Timestamp>,
    /// Maximum size of the journals.
    pub journal_max_bytes: u64,
    /// Records that were lost.
    pub lost: u64,
    /// Records that were ingested.
    pub ingested: u64,
    /// Attempts to ingest that failed.
    pub ingest_failures: u64,
    /// How long the oldest record of the last batch had waited when it was ingested, in milliseconds.
    pub ingest_lag_ms: u64,
}
