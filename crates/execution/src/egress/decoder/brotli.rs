//! Brotli as defined in RFC 7932. The crate's writer also accepts the large-window extension, with which a few bytes
//! request a gigabyte of window, and ignores data after the end. So this module calls the low-level decoder directly.

use std::io::{self, Write};

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::{Layer, LimitedWriter};

const BUFFER_BYTES: usize = 32 * 1024;

pub(super) struct Brotli {
    state: Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>,
    buffer: Box<[u8]>,
    is_complete: bool,
    inner: LimitedWriter,
}

impl Brotli {
    pub(super) fn new(inner: LimitedWriter) -> Self {
        let [bytes, words, codes] = [(); 3].map(|()| StandardAlloc::default());
        Self {
            state: Box::new(BrotliState::new_strict(bytes, words, codes)),
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            is_complete: false,
            inner,
        }
    }
}

impl Write for Brotli {
    /// Always consumes the whole chunk.
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        let (mut unread, mut read) = (chunk.len(), 0);
        while !self.is_complete {
            let (mut capacity, mut produced, mut total) = (self.buffer.len(), 0, 0);
            let result = BrotliDecompressStream(
                &mut unread,
                &mut read,
                chunk,
                &mut capacity,
                &mut produced,
                &mut self.buffer,
                &mut total,
                &mut self.state,
            );
            self.inner.write_all(self.buffer.get(..produced).unwrap_or_default())?;
            match result {
                BrotliResult::NeedsMoreInput => return Ok(chunk.len()),
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::ResultSuccess => self.is_complete = true,
                BrotliResult::ResultFailure => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
        if unread > 0 { Err(io::ErrorKind::InvalidData.into()) } else { Ok(chunk.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Layer for Brotli {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>> {
        if self.is_complete { self.inner.finish() } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
