//! A word while it is read, and afterwards.

use toolgate_domain::json;

use crate::curl::warnings::Warnings;

/// A word of a command, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::curl) struct Word {
    pub(in crate::curl) text: String,
    /// Where it begins.
    pub(in crate::curl) at: usize,
}

impl Word {
    /// JSON with a backslash before each quote: what PowerShell 5 needs to hand a quote to a program.
    pub(in crate::curl) fn repaired(self) -> Self {
        // no JSON has a backslash before its first quote
        let is_escaped = self.text.split_once('"').is_some_and(|(before, _)| before.ends_with('\\'));
        if !self.text.contains("\\\"") || (!is_escaped && is_json(&self.text)) {
            return self;
        }
        let text = without_escapes(&self.text);
        if is_json(&text) { Self { text, ..self } } else { self }
    }
}

/// Whether a text is a JSON object or array; what is not even between brackets is told at a glance.
fn is_json(text: &str) -> bool {
    let trimmed = text.trim();
    let is_bracketed =
        [('{', '}'), ('[', ']')].iter().any(|(open, close)| trimmed.starts_with(*open) && trimmed.ends_with(*close));
    is_bracketed && json::check(text.as_bytes()).is_ok()
}

/// What a program of Windows gets of a text without quotes around it: half of the backslashes before each quote.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut backslashes = 0_usize;
    for c in text.chars() {
        if c == '"' {
            out.truncate(out.len() - backslashes.div_ceil(2));
        }
        out.push(c);
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    out
}

/// A word while it is read. It is made of bytes, because escapes write single bytes of a character.
#[derive(Debug, Default)]
pub(super) struct PartialWord {
    bytes: Vec<u8>,
    /// Where it began; `None` before it has.
    at: Option<usize>,
    /// Whether all of it was typed without quotes and escapes.
    pub(super) is_bare: bool,
    /// Whether it has a question mark, as addresses do.
    has_query: bool,
}

impl PartialWord {
    /// Makes sure that there is a word, be it an empty one.
    pub(super) fn begin(&mut self, at: usize) {
        if self.at.is_none() {
            self.at = Some(at);
            self.is_bare = true;
            self.has_query = false;
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.at.is_some()
    }

    pub(super) fn push(&mut self, c: char) {
        self.has_query |= c == '?';
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether it is an address typed without quotes, as far as it goes.
    pub(super) fn is_bare_url(&self) -> bool {
        let has_scheme = self.bytes.starts_with(b"http://") || self.bytes.starts_with(b"https://");
        self.is_bare && (has_scheme || self.has_query)
    }

    /// Whether it is a number typed without quotes.
    pub(super) fn is_bare_number(&self) -> bool {
        self.is_bare && !self.bytes.is_empty() && self.bytes.iter().all(u8::is_ascii_digit)
    }

    /// Ends the word, if there is one.
    pub(super) fn finish(&mut self, warnings: &mut Warnings) -> Option<Word> {
        let at = self.at.take()?;
        let text = String::from_utf8(std::mem::take(&mut self.bytes)).unwrap_or_else(|error| {
            warnings.add("The command holds bytes that are not UTF-8; a tool sends text, so they were replaced.");
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        Some(Word { text, at })
    }
}
