//! A request whose end could be read in two ways is no request. hyper is lenient where RFC 9112 lets it be: of two
//! lengths it takes one, and a line may end without its CR. Whoever stands before us may take the other, and what is a
//! body to one is a request to the next. So heads are looked through as they arrive, and what must not be read is made
//! unreadable: hyper answers a NUL in a head with 400 and the end of the connection.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

use super::activity::Activity;

/// As much of a line is kept; a field that matters is shorter.
const LINE_MAX: usize = 64;

/// What comes from a peer, without ambiguous heads.
pub(super) struct Framed<R> {
    inner: R,
    heads: Heads,
    activity: Arc<Activity>,
}

impl<R> Framed<R> {
    pub(super) fn new(inner: R, activity: Arc<Activity>) -> Self {
        Self { inner, heads: Heads::default(), activity }
    }
}

impl Framed<OwnedReadHalf> {
    /// Waits for something to read, or for the end of what there is.
    pub(super) async fn readable(&self) -> io::Result<()> {
        self.inner.readable().await
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Framed<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let known = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let this = &mut *self;
        this.heads.inspect(buffer.filled_mut().split_at_mut(known).1);
        this.activity.read(this.heads.count, !this.heads.is_between_requests());
        Poll::Ready(Ok(()))
    }
}

/// Where a connection is.
#[derive(Debug, Default)]
struct Heads {
    place: Place,
    /// The beginning of the line that is under way.
    line: Vec<u8>,
    /// The byte before the one that is looked at.
    previous: u8,
    fields: Fields,
    /// How many were whole.
    count: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Before a request, or in its first line.
    #[default]
    Start,
    /// In the fields of its head.
    Fields,
    /// In a body that has so many bytes left.
    Body(u64),
    /// Nothing more is looked at: a body in chunks is the last of its connection, and so is what was made unreadable.
    End,
}

impl Heads {
    /// Follows the bytes, and spoils the end of a line that makes its head ambiguous.
    fn inspect(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() && self.place != Place::End {
            bytes = if let Place::Body(left) = self.place {
                let here = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.place = Place::after(left - here as u64);
                bytes.split_at_mut(here).1
            } else {
                self.read_line(bytes)
            };
        }
    }

    fn is_between_requests(&self) -> bool {
        self.place == Place::Start && self.line.is_empty()
    }

    /// Takes what there is of a line, and returns the rest.
    fn read_line<'a>(&mut self, bytes: &'a mut [u8]) -> &'a mut [u8] {
        let end = memchr::memchr(b'\n', bytes);
        let (part, rest) = bytes.split_at_mut(end.unwrap_or(bytes.len()));
        self.line.extend_from_slice(part.split_at(part.len().min(LINE_MAX - self.line.len())).0);
        self.previous = part.last().copied().unwrap_or(self.previous);
        let Some((end, rest)) = rest.split_first_mut() else { return &mut [] };
        if self.previous != b'\r' || self.end_line().is_none() {
            *end = 0;
            self.place = Place::End;
        }
        self.line.clear();
        self.previous = b'\n';
        rest
    }

    /// What a whole line means; `None` where it must not be read.
    fn end_line(&mut self) -> Option<()> {
        let is_empty = self.line == b"\r";
        match self.place {
            Place::Start if !is_empty => self.place = Place::Fields,
            Place::Fields if is_empty => {
                self.count = self.count.wrapping_add(1);
                self.place = std::mem::take(&mut self.fields).body();
            }
            Place::Fields => self.fields.add(&self.line)?,
            _ => {}
        }
        Some(())
    }
}

impl Place {
    /// What comes where so many bytes of a body are left.
    fn after(left: u64) -> Self {
        if left == 0 { Self::Start } else { Self::Body(left) }
    }
}

/// The fields of a head that say where its request ends, and whom it is for. Each may stand there once.
#[derive(Debug, Default)]
struct Fields {
    length: Option<u64>,
    is_chunked: bool,
    has_host: bool,
}

impl Fields {
    /// Takes a line; `None` where it says again, or otherwise, what was said before.
    fn add(&mut self, line: &[u8]) -> Option<()> {
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, value) = line.split_at(colon);
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let is_first = if is("content-length") {
            let length = self.length.replace(read_length(whole(value)?)?);
            length.is_none() && !self.is_chunked
        } else if is("transfer-encoding") {
            // Any other coding, and any list of them, leaves room for doubt.
            let was_chunked = std::mem::replace(&mut self.is_chunked, true);
            whole(value)?.eq_ignore_ascii_case(b"chunked") && !was_chunked && self.length.is_none()
        } else if is("host") {
            !std::mem::replace(&mut self.has_host, true)
        } else {
            true
        };
        is_first.then_some(())
    }

    fn body(self) -> Place {
        if self.is_chunked { Place::End } else { Place::after(self.length.unwrap_or(0)) }
    }
}

/// The value of `: value CR`; `None` where not all of it was kept.
fn whole(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b":")?.strip_suffix(b"\r").map(<[u8]>::trim_ascii)
}

fn read_length(digits: &[u8]) -> Option<u64> {
    let text = str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    text.parse().ok()
}

#[cfg(test)]
mod tests;
