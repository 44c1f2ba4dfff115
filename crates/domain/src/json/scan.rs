//! A fast scanner for JSON documents: one pass checks a document and collects, as text, its members and the members of
//! its members. Parsing a short document a second time would cost more than the rest of its processing.
//!
//! The scanner only accepts or rejects; [`check`](super::check) finds the fault of a rejected document.

use std::borrow::Cow;

use serde_json::Value;

use super::key_set::{KeySet, RESERVED_KEY};
use super::limits::{CONTAINER_COST, DEPTH_MAX, VALUES_MAX};

/// Levels of nesting whose members are collected: the document's members, and the members of its members.
const COLLECTED_LEVELS: usize = 2;
/// A number with fewer bytes than this and without an exponent is always finite.
const LONG_NUMBER_LEN: usize = 300;
/// Number of bytes at the start of a string that are examined one by one; most strings are not longer than this.
const SHORT_STRING_LEN: usize = 16;
/// Number of bytes that are examined together in longer strings.
const BLOCK_LEN: usize = 32;

/// A checked document and its members.
#[derive(Debug)]
pub struct ScannedDocument<'d> {
    /// The document, without surrounding space.
    pub text: &'d str,
    /// In document order; each member of the document is followed by its own members.
    members: Vec<Member<'d>>,
}

/// A member of an object.
#[derive(Debug)]
pub struct Member<'d> {
    /// The name.
    pub name: Cow<'d, str>,
    /// The value, as JSON.
    pub value: &'d str,
    /// Whether it is a member of a member, not of the document itself.
    is_inner: bool,
}

impl<'d> ScannedDocument<'d> {
    /// Scans a document and collects its members; `None` if it is invalid.
    pub(super) fn parse(document: &'d str) -> Option<Self> {
        let mut scanner = Scanner::new(document, Vec::with_capacity(8));
        let text = scanner.document(COLLECTED_LEVELS)?;
        Some(Self { text, members: scanner.members })
    }

    /// The members of the document if it is an object, each with its members if its value is an object too.
    pub fn members(&self) -> impl Iterator<Item = (&Member<'d>, &[Member<'d>])> {
        self.members.chunk_by(|_, next| next.is_inner).filter_map(<[Member<'d>]>::split_first)
    }
}

impl Member<'_> {
    /// The value if it is a string.
    pub fn string(&self) -> Option<String> {
        let inner = self.value.strip_prefix('"')?.strip_suffix('"')?;
        if inner.contains('\\') { serde_json::from_str(self.value).ok() } else { Some(inner.to_owned()) }
    }
}

/// Checks a document without collecting members. Returns it without surrounding space; `None` if it is invalid.
pub(super) fn validate(document: &str) -> Option<&str> {
    Scanner::new(document, Vec::new()).document(0)
}

struct Scanner<'d> {
    text: &'d str,
    /// Offset of the next byte.
    offset: usize,
    /// How many more values are accepted.
    values_left: usize,
    members: Vec<Member<'d>>,
}

impl<'d> Scanner<'d> {
    fn new(text: &'d str, members: Vec<Member<'d>>) -> Self {
        Self { text, offset: 0, values_left: VALUES_MAX, members }
    }

    /// Scans the whole document, and collects the members of this many levels.
    fn document(&mut self, levels: usize) -> Option<&'d str> {
        self.skip_space();
        let document = self.value(0, levels)?;
        self.skip_space();
        self.peek().is_none().then_some(document)
    }

    /// Scans a value, and collects the members of this many levels.
    fn value(&mut self, depth: usize, levels: usize) -> Option<&'d str> {
        let start = self.offset;
        self.count(1)?;
        match self.peek()? {
            b'{' => self.object(depth, levels)?,
            b'[' => self.list(depth)?,
            b'"' => drop(self.string()?),
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            _ => self.number()?,
        }
        self.text_from(start)
    }

    fn object(&mut self, depth: usize, levels: usize) -> Option<()> {
        self.enter(depth)?;
        if self.consume(b'}') {
            return Some(());
        }
        let mut names = KeySet::default();
        loop {
            let name = self.string()?;
            if name == RESERVED_KEY || names.contains(&name) {
                return None;
            }
            // Pushed before its value is scanned, so that its members follow it; the value is set below.
            let index = self.members.len();
            if levels > 0 {
                self.members.push(Member { name: name.clone(), value: "", is_inner: levels < COLLECTED_LEVELS });
            }
            names.insert(name);
            self.skip_space();
            self.expect(b':')?;
            self.skip_space();
            let value = self.value(depth + 1, levels.saturating_sub(1))?;
            if let Some(member) = self.members.get_mut(index) {
                member.value = value;
            }
            if !self.consume_separator(b'}')? {
                return Some(());
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<()> {
        self.enter(depth)?;
        if self.consume(b']') {
            return Some(());
        }
        loop {
            self.value(depth + 1, 0)?;
            if !self.consume_separator(b']')? {
                return Some(());
            }
        }
    }

    /// Enters an object or a list.
    fn enter(&mut self, depth: usize) -> Option<()> {
        self.count(CONTAINER_COST)?;
        self.offset += 1;
        self.skip_space();
        (depth < DEPTH_MAX).then_some(())
    }

    /// Consumes a comma or the end of an object or a list; returns whether a comma was consumed.
    fn consume_separator(&mut self, end: u8) -> Option<bool> {
        self.skip_space();
        if !self.consume(b',') {
            return self.expect(end).map(|()| false);
        }
        self.skip_space();
        Some(true)
    }

    fn count(&mut self, values: usize) -> Option<()> {
        self.values_left = self.values_left.checked_sub(values)?;
        Some(())
    }

    fn string(&mut self) -> Option<Cow<'d, str>> {
        let start = self.offset;
        self.expect(b'"')?;
        self.skip_plain();
        if self.consume(b'"') {
            return Some(Cow::Borrowed(self.text.get(start + 1..self.offset - 1)?));
        }
        while self.consume(b'\\') {
            self.offset += 1;
            self.skip_plain();
        }
        self.expect(b'"')?;
        // serde_json validates escapes and surrogate pairs.
        serde_json::from_str(self.text_from(start)?).ok().map(Cow::Owned)
    }

    fn literal(&mut self, literal: &str) -> Option<()> {
        self.offset += literal.len();
        (self.text_from(self.offset - literal.len())? == literal).then_some(())
    }

    fn number(&mut self) -> Option<()> {
        let start = self.offset;
        self.consume(b'-');
        if !self.consume(b'0') {
            self.digits()?;
        }
        if self.consume(b'.') {
            self.digits()?;
        }
        let has_exponent = self.consume(b'e') || self.consume(b'E');
        if has_exponent {
            let _ = self.consume(b'+') || self.consume(b'-');
            self.digits()?;
        }
        let text = self.text_from(start)?;
        let is_finite = || serde_json::from_str::<Value>(text).is_ok();
        (!has_exponent && text.len() < LONG_NUMBER_LEN || is_finite()).then_some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.offset;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.offset += 1;
        }
        (self.offset > start).then_some(())
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.offset += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.consume(byte).then_some(())
    }

    /// Consumes the next byte if it is this one.
    fn consume(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.offset += usize::from(is_next);
        is_next
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Skips the bytes of a string up to a quote, an escape or a control character.
    fn skip_plain(&mut self) {
        let rest = self.text.as_bytes().get(self.offset..).unwrap_or_default();
        self.offset += first_special(rest.get(..SHORT_STRING_LEN).unwrap_or(rest)).unwrap_or_else(|| {
            let blocks_len = plain_blocks_len(rest);
            blocks_len + rest.get(blocks_len..).and_then(first_special).unwrap_or(rest.len() - blocks_len)
        });
    }

    /// The text from `start` to the current offset.
    fn text_from(&self, start: usize) -> Option<&'d str> {
        self.text.get(start..self.offset)
    }
}

/// Index of the first byte that is not plain, if there is one.
fn first_special(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| !is_plain(*byte))
}

fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// Number of bytes in the leading blocks that are all plain.
fn plain_blocks_len(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<BLOCK_LEN>();
    // `&` instead of `&&`: without an early exit, the compiler vectorises the loop over a block.
    let is_plain_block = |block: &&[u8; BLOCK_LEN]| block.iter().fold(true, |all, byte| all & is_plain(*byte));
    BLOCK_LEN * blocks.iter().take_while(is_plain_block).count()
}

#[cfg(test)]
mod tests;
