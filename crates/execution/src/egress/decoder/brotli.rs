//! Brotli as RFC 7932 has it. The crate's own writer also takes the large-window extension, by which a few bytes
//! demand a gigabyte of window, and it forgives what follows the end; so its stepping function is used here.

use std::io::{self, Write};

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::{Layer, Metered};

const STEP: usize = 32 * 1024;

pub(super) struct Brotli {
    state: Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>,
    step: Box<[u8]>,
    is_complete: bool,
    inner: Metered,
}

impl Brotli {
    pub(super) fn new(inner: Metered) -> Self {
        let [bytes, words, codes] = [(); 3].map(|()| StandardAlloc::default());
        Self {
            state: Box::new(BrotliState::new_strict(bytes, words, codes)),
            step: vec![0; STEP].into_boxed_slice(),
            is_complete: false,
            inner,
        }
    }
}

impl Write for Brotli {
    /// Takes the whole piece.
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let (mut unread, mut read) = (piece.len(), 0);
        while !self.is_complete {
            let (mut room, mut produced, mut total) = (self.step.len(), 0, 0);
            let result = BrotliDecompressStream(
                &mut unread,
                &mut read,
                piece,
                &mut room,
                &mut produced,
                &mut self.step,
                &mut total,
                &mut self.state,
            );
            self.inner.write_all(self.step.get(..produced).unwrap_or_default())?;
            match result {
                BrotliResult::NeedsMoreInput => return Ok(piece.len()),
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::ResultSuccess => self.is_complete = true,
                BrotliResult::ResultFailure => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
        if unread > 0 { Err(io::ErrorKind::InvalidData.into()) } else { Ok(piece.len()) }
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
