//! Decodes `Content-Encoding` incrementally. Bytes are counted as they are decoded, so that a decompression bomb costs
//! no more than the limit.

mod brotli;
mod gzip;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

use super::error::{BrokenResponse, EgressError};
use brotli::Brotli;
use gzip::Gzip;

/// The maximum number of codings that are applied to one body.
const CODINGS_MAX: usize = 2;

/// A supported compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Brotli,
}

impl Coding {
    /// The codings of a body, in the order in which they were applied.
    pub(super) fn from_headers(headers: &HeaderMap) -> Result<Vec<Self>, EgressError> {
        let mut codings = Vec::new();
        for value in headers.get_all(CONTENT_ENCODING) {
            let names = value.to_str().map_err(|_| BrokenResponse::UnknownCoding)?;
            for name in names.split(',').map(|name| name.trim().to_ascii_lowercase()) {
                match name.as_str() {
                    "" | "identity" => {}
                    "gzip" | "x-gzip" => codings.push(Self::Gzip),
                    "br" => codings.push(Self::Brotli),
                    _ => return Err(BrokenResponse::UnknownCoding.into()),
                }
            }
        }
        if codings.len() > CODINGS_MAX {
            return Err(BrokenResponse::UnknownCoding.into());
        }
        Ok(codings)
    }
}

/// The input limit of each layer, in bytes. It is higher than the output limit because incompressible data grows a
/// little when it is compressed. It is finite because a compressed body of any size can decode to nothing.
fn layer_input_max(bytes_max: usize) -> usize {
    bytes_max + bytes_max / 8
}

/// Decodes one body.
pub(super) struct Decoder {
    outermost: LimitedWriter,
}

impl Decoder {
    /// A decoder for a body of at most `bytes_max` decoded bytes.
    pub(super) fn new(codings: &[Coding], bytes_max: usize) -> Self {
        let sink = LimitedWriter { layer: Box::new(Vec::new()), remaining: bytes_max };
        let wrap = |inner, coding: &Coding| LimitedWriter {
            remaining: layer_input_max(bytes_max),
            layer: match coding {
                Coding::Gzip => Box::new(Gzip::new(inner)),
                Coding::Brotli => Box::new(Brotli::new(inner)),
            },
        };
        Self { outermost: codings.iter().fold(sink, wrap) }
    }

    pub(super) fn feed(&mut self, chunk: &[u8]) -> Result<(), EgressError> {
        self.outermost.write_all(chunk).map_err(to_egress_error)
    }

    /// The complete body; an error if a coding is not at its end.
    pub(super) fn finish(self) -> Result<Bytes, EgressError> {
        self.outermost.finish().map(Bytes::from).map_err(to_egress_error)
    }
}

fn to_egress_error(error: io::Error) -> EgressError {
    error.downcast().unwrap_or(EgressError::Broken(BrokenResponse::BadCoding))
}

/// One stage of decoding: writes decoded bytes to the next stage. `finish` returns the output of the last stage.
trait Layer: Write + Send {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>>;
}

/// Limits the number of bytes that are written to a layer.
struct LimitedWriter {
    layer: Box<dyn Layer>,
    /// The number of bytes that may still be written.
    remaining: usize,
}

impl LimitedWriter {
    fn finish(self) -> io::Result<Vec<u8>> {
        self.layer.finish()
    }
}

impl Write for LimitedWriter {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        if chunk.len() > self.remaining {
            self.remaining = 0;
            return Err(io::Error::other(EgressError::TooLarge));
        }
        let written = self.layer.write(chunk)?;
        self.remaining -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.layer.flush()
    }
}

/// The last layer: collects the decoded body.
impl Layer for Vec<u8> {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>> {
        Ok(*self)
    }
}
