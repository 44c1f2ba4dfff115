//! Rejects requests with ambiguous framing, against request smuggling. hyper is lenient where RFC 9112 allows it: it
//! accepts repeated length fields, and lines that end without CR. A proxy in front of the service may interpret
//! the same bytes differently, so that one of them interprets a part of a body as a second request. This reader scans
//! heads as they arrive and replaces the end of an ambiguous line with NUL: hyper answers a NUL in a head with 400 and
//! closes the connection.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

use super::activity::Activity;

/// Maximum number of bytes of a line that are buffered; the fields that are checked are shorter.
const LINE_BYTES_MAX: usize = 64;

/// Reads from a peer and invalidates ambiguous heads.
pub(super) struct StrictReader<R> {
    inner: R,
    scanner: HeadScanner,
    activity: Arc<Activity>,
}

impl<R> StrictReader<R> {
    pub(super) fn new(inner: R, activity: Arc<Activity>) -> Self {
        Self { inner, scanner: HeadScanner::default(), activity }
    }
}

impl StrictReader<OwnedReadHalf> {
    /// Waits until there are bytes to read, or the end of the stream.
    pub(super) async fn readable(&self) -> io::Result<()> {
        self.inner.readable().await
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for StrictReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let already_filled = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let this = &mut *self;
        this.scanner.scan(buffer.filled_mut().split_at_mut(already_filled).1);
        this.activity.on_read(this.scanner.complete_heads, !this.scanner.is_between_requests());
        Poll::Ready(Ok(()))
    }
}

/// Tracks where in a request the stream is.
#[derive(Debug, Default)]
struct HeadScanner {
    state: ScanState,
    /// The beginning of the current line, up to [`LINE_BYTES_MAX`] bytes.
    line: Vec<u8>,
    /// The last byte that was scanned.
    previous: u8,
    fields: FramingFields,
    /// The number of complete heads.
    complete_heads: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ScanState {
    /// Before a request, or in its request line.
    #[default]
    Start,
    /// In the header fields.
    Fields,
    /// In a body with this many bytes left.
    Body(u64),
    /// Nothing more is scanned: the connection ends after a chunked body or an invalidated head.
    End,
}

impl HeadScanner {
    /// Scans the bytes, and replaces the end of a line that makes its head ambiguous with NUL.
    fn scan(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() && self.state != ScanState::End {
            bytes = if let ScanState::Body(left) = self.state {
                let body_bytes = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.state = ScanState::in_body(left - body_bytes as u64);
                bytes.split_at_mut(body_bytes).1
            } else {
                self.read_line(bytes)
            };
        }
    }

    fn is_between_requests(&self) -> bool {
        self.state == ScanState::Start && self.line.is_empty()
    }

    /// Scans up to the end of a line, and returns the remaining bytes.
    fn read_line<'a>(&mut self, bytes: &'a mut [u8]) -> &'a mut [u8] {
        let end = memchr::memchr(b'\n', bytes);
        let (part, rest) = bytes.split_at_mut(end.unwrap_or(bytes.len()));
        self.line.extend_from_slice(part.split_at(part.len().min(LINE_BYTES_MAX - self.line.len())).0);
        self.previous = part.last().copied().unwrap_or(self.previous);
        let Some((end, rest)) = rest.split_first_mut() else { return &mut [] };
        if self.previous != b'\r' || self.end_line().is_none() {
            *end = 0;
            self.state = ScanState::End;
        }
        self.line.clear();
        self.previous = b'\n';
        rest
    }

    /// Processes a complete line; `None` if it makes the head ambiguous.
    fn end_line(&mut self) -> Option<()> {
        let is_empty = self.line == b"\r";
        match self.state {
            ScanState::Start if !is_empty => self.state = ScanState::Fields,
            ScanState::Fields if is_empty => {
                self.complete_heads = self.complete_heads.wrapping_add(1);
                self.state = std::mem::take(&mut self.fields).body_state();
            }
            ScanState::Fields => self.fields.add(&self.line)?,
            _ => {}
        }
        Some(())
    }
}

impl ScanState {
    /// The state with this many bytes of a body left; without any, the next request starts.
    fn in_body(left: u64) -> Self {
        if left == 0 { Self::Start } else { Self::Body(left) }
    }
}

/// The fields that define the length and the host of a request. Each may occur once.
#[derive(Debug, Default)]
struct FramingFields {
    length: Option<u64>,
    is_chunked: bool,
    has_host: bool,
}

impl FramingFields {
    /// Adds a line; `None` if its value is invalid, or if it repeats or contradicts an earlier line.
    fn add(&mut self, line: &[u8]) -> Option<()> {
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, value) = line.split_at(colon);
        let is_field = |field: &str| name.eq_ignore_ascii_case(field.as_bytes());
        let is_unambiguous = if is_field("content-length") {
            let length = self.length.replace(parse_length(complete_value(value)?)?);
            length.is_none() && !self.is_chunked
        } else if is_field("transfer-encoding") {
            // Any other coding, and any list of codings, is ambiguous.
            let was_chunked = std::mem::replace(&mut self.is_chunked, true);
            complete_value(value)?.eq_ignore_ascii_case(b"chunked") && !was_chunked && self.length.is_none()
        } else if is_field("host") {
            !std::mem::replace(&mut self.has_host, true)
        } else {
            true
        };
        is_unambiguous.then_some(())
    }

    fn body_state(self) -> ScanState {
        if self.is_chunked { ScanState::End } else { ScanState::in_body(self.length.unwrap_or(0)) }
    }
}

/// The value of `: value CR`; `None` if the line was longer than the buffer.
fn complete_value(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b":")?.strip_suffix(b"\r").map(<[u8]>::trim_ascii)
}

fn parse_length(digits: &[u8]) -> Option<u64> {
    let text = str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    text.parse().ok()
}

#[cfg(test)]
mod tests;
