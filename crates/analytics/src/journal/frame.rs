//! Frames: encoded records as they are written to a segment.

use std::cell::Cell;

use toolgate_domain::call::CallRecord;
use toolgate_domain::time::Timestamp;

use super::entry;
use super::segment::{self, FRAME_HEADER_LEN};

/// Maximum size of a buffer that is reused for the next record, in bytes.
const REUSED_BUFFER_MAX: usize = 64 << 10;

thread_local! {
    /// Reused to avoid an allocation per record.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The frame of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'b> {
    pub(super) bytes: &'b [u8],
    /// When the call ended.
    pub(super) at: Timestamp,
}

/// Passes the frame of a record to `write`, or `None` if the record cannot be encoded.
pub(super) fn with_frame(record: &CallRecord, write: impl FnOnce(Option<Frame<'_>>)) {
    let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
    let end = entry::encode(record, &mut buffer, FRAME_HEADER_LEN);
    let frame = end.and_then(|end| buffer.get_mut(..end)).map(|bytes| {
        segment::write_frame_header(bytes);
        Frame { bytes, at: record.at }
    });
    write(frame);
    if buffer.len() <= REUSED_BUFFER_MAX {
        let _ = BUFFER.try_with(|reused| reused.set(buffer));
    }
}
