//! The state of recording.

/// The state of recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingState {
    /// Records that are not ingested yet.
    pub pending: u64,
    /// Size of the journals.
    pub journal_bytes: u64,
    /// Lost records that are not counted in the database yet.
    pub lost: u64,
}
