//! What a document consists of, found in the pass that checks it: its members and theirs, still as text. A reader that
//! wants them need not read the document again, which is most of what a short one costs.
//!
//! Only what is right is found here, quickly; what is wrong with the rest, [`check`](super::check) tells.

use std::borrow::Cow;

use serde_json::Value;

use super::check::{CONTAINER, DEPTH_MAX, VALUES_MAX};
use super::keys::{Keys, RESERVED};

/// The levels of which members are told: those of the document, and those of its members.
const LEVELS: usize = 2;
/// A number of fewer digits is finite, unless it has an exponent.
const LONG: usize = 300;
/// Bytes of a string that are looked at one by one, for most have no more; then those that are looked at together.
const SHORT: usize = 16;
const BLOCK: usize = 32;

/// A document and its members.
#[derive(Debug)]
pub struct Outline<'d> {
    /// The document, without surrounding space.
    pub text: &'d str,
    /// In their order, each followed by its own.
    members: Vec<Member<'d>>,
}

/// A member of an object.
#[derive(Debug)]
pub struct Member<'d> {
    /// Its name.
    pub name: Cow<'d, str>,
    /// Its value, as JSON.
    pub value: &'d str,
    /// Whether it is one of a member, and not of the document.
    is_inner: bool,
}

impl<'d> Outline<'d> {
    /// Of a document with which nothing is wrong; none of others.
    pub(super) fn of(document: &'d str) -> Option<Self> {
        let mut scanner = Scanner::new(document, Vec::with_capacity(8));
        let text = scanner.document(LEVELS)?;
        Some(Self { text, members: scanner.members })
    }

    /// The members of the document, where it is an object; each with its own, where that is one too.
    pub fn members(&self) -> impl Iterator<Item = (&Member<'d>, &[Member<'d>])> {
        self.members.chunk_by(|_, next| next.is_inner).filter_map(<[Member<'d>]>::split_first)
    }
}

impl Member<'_> {
    /// Its value, where that is a string.
    pub fn string(&self) -> Option<String> {
        let inner = self.value.strip_prefix('"')?.strip_suffix('"')?;
        if inner.contains('\\') { serde_json::from_str(self.value).ok() } else { Some(inner.to_owned()) }
    }
}

/// A document with which nothing is wrong, without surrounding space; none of others. Tells no members.
pub(super) fn scan(document: &str) -> Option<&str> {
    Scanner::new(document, Vec::new()).document(0)
}

struct Scanner<'d> {
    text: &'d str,
    at: usize,
    /// How many values may still come.
    left: usize,
    members: Vec<Member<'d>>,
}

impl<'d> Scanner<'d> {
    fn new(text: &'d str, members: Vec<Member<'d>>) -> Self {
        Self { text, at: 0, left: VALUES_MAX, members }
    }

    /// Reads the whole, and tells the members of so many levels of it.
    fn document(&mut self, told: usize) -> Option<&'d str> {
        self.skip_space();
        let document = self.value(0, told)?;
        self.skip_space();
        self.next().is_none().then_some(document)
    }

    /// Reads a value, and tells the members of so many levels of it.
    fn value(&mut self, depth: usize, told: usize) -> Option<&'d str> {
        let start = self.at;
        self.count(1)?;
        match self.next()? {
            b'{' => self.object(depth, told)?,
            b'[' => self.list(depth)?,
            b'"' => drop(self.string()?),
            b't' => self.word("true")?,
            b'f' => self.word("false")?,
            b'n' => self.word("null")?,
            _ => self.number()?,
        }
        self.since(start)
    }

    fn object(&mut self, depth: usize, told: usize) -> Option<()> {
        self.enter(depth)?;
        if self.take(b'}') {
            return Some(());
        }
        let mut names = Keys::default();
        loop {
            let name = self.string()?;
            if name == RESERVED || names.contains(&name) {
                return None;
            }
            let place = self.members.len();
            if told > 0 {
                self.members.push(Member { name: name.clone(), value: "", is_inner: told < LEVELS });
            }
            names.insert(name);
            self.skip_space();
            self.expect(b':')?;
            self.skip_space();
            let value = self.value(depth + 1, told.saturating_sub(1))?;
            if let Some(member) = self.members.get_mut(place) {
                member.value = value;
            }
            if !self.goes_on(b'}')? {
                return Some(());
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<()> {
        self.enter(depth)?;
        if self.take(b']') {
            return Some(());
        }
        loop {
            self.value(depth + 1, 0)?;
            if !self.goes_on(b']')? {
                return Some(());
            }
        }
    }

    /// Goes into an object or a list.
    fn enter(&mut self, depth: usize) -> Option<()> {
        self.count(CONTAINER)?;
        self.at += 1;
        self.skip_space();
        (depth < DEPTH_MAX).then_some(())
    }

    /// Whether another member follows in an object or a list, which ends otherwise.
    fn goes_on(&mut self, end: u8) -> Option<bool> {
        self.skip_space();
        if !self.take(b',') {
            return self.expect(end).map(|()| false);
        }
        self.skip_space();
        Some(true)
    }

    fn count(&mut self, values: usize) -> Option<()> {
        self.left = self.left.checked_sub(values)?;
        Some(())
    }

    fn string(&mut self) -> Option<Cow<'d, str>> {
        let start = self.at;
        self.expect(b'"')?;
        self.skip_plain();
        if self.take(b'"') {
            return Some(Cow::Borrowed(self.text.get(start + 1..self.at - 1)?));
        }
        while self.take(b'\\') {
            self.at += 1;
            self.skip_plain();
        }
        self.expect(b'"')?;
        // Which escapes there are, and which of them go together, is known there.
        serde_json::from_str(self.since(start)?).ok().map(Cow::Owned)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.at += word.len();
        (self.since(self.at - word.len())? == word).then_some(())
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        let has_exponent = self.take(b'e') || self.take(b'E');
        if has_exponent {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let text = self.since(start)?;
        let is_finite = || serde_json::from_str::<Value>(text).is_ok();
        (!has_exponent && text.len() < LONG || is_finite()).then_some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.next().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    /// Goes on behind a byte, if it is the next.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips what of a string comes before its end, or an escape, or what no string may have.
    fn skip_plain(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += plain(rest.get(..SHORT).unwrap_or(rest)).unwrap_or_else(|| {
            let blocks = plain_blocks(rest);
            blocks + rest.get(blocks..).and_then(plain).unwrap_or(rest.len() - blocks)
        });
    }

    fn since(&self, start: usize) -> Option<&'d str> {
        self.text.get(start..self.at)
    }
}

/// How many bytes come before the first that is not plain, where there is one.
fn plain(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| !is_plain(*byte))
}

fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// How many bytes there are in plain blocks at the beginning.
fn plain_blocks(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    // Each byte is looked at, whatever the others are, so that all of a block can be looked at at once.
    let is_plain_block = |block: &&[u8; BLOCK]| block.iter().fold(true, |all, byte| all & is_plain(*byte));
    BLOCK * blocks.iter().take_while(is_plain_block).count()
}

#[cfg(test)]
mod tests;
