//! A word of a command, complete or being parsed.

use toolgate_domain::json;

use crate::warnings::Warnings;

/// A word of a command, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::curl) struct Word {
    pub(in crate::curl) text: String,
    /// Offset of its first character.
    pub(in crate::curl) offset: usize,
}

impl Word {
    /// Removes the backslashes before quotes if the result is JSON. PowerShell 5 needs them to pass a quote to a
    /// program.
    pub(in crate::curl) fn with_unescaped_json(self) -> Self {
        // In JSON the first quote is never escaped.
        let is_escaped = self.text.split_once('"').is_some_and(|(before, _)| before.ends_with('\\'));
        if !self.text.contains("\\\"") || (!is_escaped && is_json(&self.text)) {
            return self;
        }
        let text = without_escapes(&self.text);
        if is_json(&text) { Self { text, ..self } } else { self }
    }
}

/// Whether a text is a JSON object or array. The check of the brackets avoids parsing most other texts.
fn is_json(text: &str) -> bool {
    let trimmed = text.trim();
    let is_bracketed =
        [('{', '}'), ('[', ']')].iter().any(|(open, close)| trimmed.starts_with(*open) && trimmed.ends_with(*close));
    is_bracketed && json::check(text.as_bytes()).is_ok()
}

/// The text as a Windows program receives it as an unquoted argument: half of the backslashes before each quote remain,
/// rounded down.
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

/// A word being parsed. It consists of bytes, because an escape may write a part of a character.
#[derive(Debug, Default)]
pub(super) struct PartialWord {
    bytes: Vec<u8>,
    /// Offset of the word; `None` before it begins.
    offset: Option<usize>,
    /// Whether the word has no quotes and no escapes.
    pub(super) is_bare: bool,
    /// Whether the word has a question mark, which begins the query of a URL.
    has_query: bool,
}

impl PartialWord {
    /// Begins a word unless one has begun. The word may stay empty.
    pub(super) fn begin(&mut self, offset: usize) {
        if self.offset.is_none() {
            self.offset = Some(offset);
            self.is_bare = true;
            self.has_query = false;
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.offset.is_some()
    }

    pub(super) fn push(&mut self, c: char) {
        self.has_query |= c == '?';
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether the word so far looks like a URL without quotes.
    pub(super) fn is_bare_url(&self) -> bool {
        let has_scheme = self.bytes.starts_with(b"http://") || self.bytes.starts_with(b"https://");
        self.is_bare && (has_scheme || self.has_query)
    }

    /// Whether the word so far is a number without quotes.
    pub(super) fn is_bare_number(&self) -> bool {
        self.is_bare && !self.bytes.is_empty() && self.bytes.iter().all(u8::is_ascii_digit)
    }

    /// Ends the word and returns it, if one has begun.
    pub(super) fn finish(&mut self, warnings: &mut Warnings) -> Option<Word> {
        let offset = self.offset.take()?;
        let text = String::from_utf8(std::mem::take(&mut self.bytes)).unwrap_or_else(|error| {
            warnings.add("The command contains bytes that are not UTF-8. They were replaced, because tools send text.");
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        Some(Word { text, offset })
    }
}
