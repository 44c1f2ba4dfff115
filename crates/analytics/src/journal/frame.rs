//! Frames: encoded records as they are written to a segment.

use std::cell::Cell;

use toolgate_domain::call::CallRecord;

use super::entry;
use super::segment::{self, FRAME_HEADER_LEN};

/// Maximum size of a buffer that is reused for the next record, in bytes.
const REUSED_BUFFER_MAX: usize = 64 << 10;

thread_local! {
    /// Reused to avoid an allocation per record.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Passes the frame of a record to `write`, or `None` if the record cannot be encoded.
pub(super) fn with_frame(record: &CallRecord, write: impl FnOnce(Option<&[u8]>)) {
    let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
    let end = entry::encode(record, &mut buffer, FRAME_HEADER_LEN);
    let mut frame = end.and_then(|end| buffer.get_mut(..end));
    if let Some(frame) = &mut frame {
        segment::write_frame_header(frame);
    }
    write(frame.as_deref());
    if buffer.len() <= REUSED_BUFFER_MAX {
        let _ = BUFFER.try_with(|reused| reused.set(buffer));
    }
}
