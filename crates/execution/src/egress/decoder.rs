//! Undoes `Content-Encoding` piece by piece. Bytes are counted as they are written, so that a few kilobytes which
//! unpack to gigabytes cost no more than the limit.

mod brotli;
mod gzip;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

use super::body::RESPONSE_MAX;
use super::error::{BrokenAnswer, EgressError};
use brotli::Brotli;
use gzip::Gzip;

/// What may go into a layer: more than may come out of the last one, for incompressible bytes grow a little, but not
/// without end, for a coding can say nothing in as many bytes as it likes.
const LAYER_INPUT_MAX: usize = RESPONSE_MAX + RESPONSE_MAX / 8;
const CODINGS_MAX: usize = 2;

/// A compression we can undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Brotli,
}

impl Coding {
    /// The codings of a body, in the order in which they were applied.
    pub(super) fn all(headers: &HeaderMap) -> Result<Vec<Self>, EgressError> {
        let mut codings = Vec::new();
        for value in headers.get_all(CONTENT_ENCODING) {
            let names = value.to_str().map_err(|_| BrokenAnswer::UnknownCoding)?;
            for name in names.split(',').map(|name| name.trim().to_ascii_lowercase()) {
                match name.as_str() {
                    "" | "identity" => {}
                    "gzip" | "x-gzip" => codings.push(Self::Gzip),
                    "br" => codings.push(Self::Brotli),
                    _ => return Err(BrokenAnswer::UnknownCoding.into()),
                }
            }
        }
        if codings.len() > CODINGS_MAX {
            return Err(BrokenAnswer::UnknownCoding.into());
        }
        Ok(codings)
    }
}

/// A body on its way to plain bytes.
pub(super) struct Decoder {
    outermost: Metered,
}

impl Decoder {
    pub(super) fn new(codings: &[Coding]) -> Self {
        let sink = Metered { layer: Box::new(Plain(Vec::new())), left: RESPONSE_MAX };
        let around = |inner, coding: &Coding| Metered {
            left: LAYER_INPUT_MAX,
            layer: match coding {
                Coding::Gzip => Box::new(Gzip::new(inner)),
                Coding::Brotli => Box::new(Brotli::new(inner)),
            },
        };
        Self { outermost: codings.iter().fold(sink, around) }
    }

    pub(super) fn feed(&mut self, piece: &[u8]) -> Result<(), EgressError> {
        self.outermost.write_all(piece).map_err(failure)
    }

    /// The whole body, if each coding has come to its own end.
    pub(super) fn finish(self) -> Result<Bytes, EgressError> {
        self.outermost.finish().map(Bytes::from).map_err(failure)
    }
}

fn failure(error: io::Error) -> EgressError {
    error.downcast().unwrap_or(EgressError::Broken(BrokenAnswer::BadCoding))
}

/// Takes bytes, passes on what they mean, and in the end hands over what the last one gathered.
trait Layer: Write + Send {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>>;
}

/// Counts what goes into a layer.
struct Metered {
    layer: Box<dyn Layer>,
    left: usize,
}

impl Metered {
    fn finish(self) -> io::Result<Vec<u8>> {
        self.layer.finish()
    }
}

impl Write for Metered {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if piece.len() > self.left {
            self.left = 0;
            return Err(io::Error::other(EgressError::TooLarge));
        }
        let taken = self.layer.write(piece)?;
        self.left -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.layer.flush()
    }
}

/// Where all ends.
struct Plain(Vec<u8>);

impl Write for Plain {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.0.write(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Layer for Plain {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>> {
        Ok(self.0)
    }
}
