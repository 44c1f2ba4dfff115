//! Gzip with a limited number of members. flate2's multi-member decoder accepts any number of them and allocates tables
//! for each one: megabytes of empty members would occupy a core for seconds without any output.

use std::io::{self, Write};

use flate2::write::GzDecoder;

use super::{Layer, LimitedWriter};

/// Far more than block-wise compressors need, whose members hold 64 KiB each.
const MEMBERS_MAX: usize = 1000;

pub(super) struct Gzip {
    /// `None` only after a failure.
    member: Option<GzDecoder<LimitedWriter>>,
    member_count: usize,
}

impl Gzip {
    pub(super) fn new(inner: LimitedWriter) -> Self {
        Self { member: Some(GzDecoder::new(inner)), member_count: 1 }
    }

    /// Finishes the current member and starts the next one.
    fn next_member(&mut self) -> io::Result<&mut GzDecoder<LimitedWriter>> {
        let complete = self.member.take().ok_or(io::ErrorKind::InvalidData)?;
        self.member_count += 1;
        if self.member_count > MEMBERS_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(self.member.insert(GzDecoder::new(complete.finish()?)))
    }
}

impl Write for Gzip {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        let member = self.member.as_mut().ok_or(io::ErrorKind::InvalidData)?;
        match member.write(chunk)? {
            // `GzDecoder` accepts no more input after the end of its member.
            0 if !chunk.is_empty() => self.next_member()?.write(chunk),
            written => Ok(written),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // decoded bytes are passed on by `write`, the rest by `finish`
    }
}

impl Layer for Gzip {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>> {
        self.member.ok_or(io::ErrorKind::InvalidData)?.finish()?.finish()
    }
}
