//! Gzip, one member after the other. flate2's own decoder of many members takes any number of them, and each costs
//! its tables anew: megabytes of empty members would keep a core busy for seconds without a byte coming out.

use std::io::{self, Write};

use flate2::write::GzDecoder;

use super::{Layer, Metered};

/// Far more than those need who compress in blocks, which are 64 KiB.
const MEMBERS_MAX: usize = 1000;

pub(super) struct Gzip {
    /// `None` only after a failure.
    member: Option<GzDecoder<Metered>>,
    members: usize,
}

impl Gzip {
    pub(super) fn new(inner: Metered) -> Self {
        Self { member: Some(GzDecoder::new(inner)), members: 1 }
    }

    /// Closes a member that is complete and opens the next.
    fn next_member(&mut self) -> io::Result<&mut GzDecoder<Metered>> {
        let complete = self.member.take().ok_or(io::ErrorKind::InvalidData)?;
        self.members += 1;
        if self.members > MEMBERS_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(self.member.insert(GzDecoder::new(complete.finish()?)))
    }
}

impl Write for Gzip {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let member = self.member.as_mut().ok_or(io::ErrorKind::InvalidData)?;
        match member.write(piece)? {
            // That is how a member says that it has come to its end.
            0 if !piece.is_empty() => self.next_member()?.write(piece),
            taken => Ok(taken),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // bytes are passed on as they are decoded, at the latest by `finish`
    }
}

impl Layer for Gzip {
    fn finish(self: Box<Self>) -> io::Result<Vec<u8>> {
        self.member.ok_or(io::ErrorKind::InvalidData)?.finish()?.finish()
    }
}
