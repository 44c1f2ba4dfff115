//! A cursor over a text.

/// A text and the current offset in it.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn starts_with(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.offset += next.len_utf8();
        Some(next)
    }

    /// Consumes and returns the next `bytes` bytes; the rest of the text if there are fewer, or if a character would be
    /// split.
    pub(super) fn take(&mut self, bytes: usize) -> &'a str {
        let taken = self.rest().get(..bytes).unwrap_or_else(|| self.rest());
        self.offset += taken.len();
        taken
    }

    pub(super) fn take_while(&mut self, is_included: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(|c| !is_included(c)).unwrap_or(rest.len()))
    }

    /// Consumes `prefix` if it comes next. Returns whether it did.
    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.starts_with(prefix);
        if found {
            self.offset += prefix.len();
        }
        found
    }

    /// Consumes a line break (CR LF, LF or CR), if one comes next. Returns whether it did.
    pub(super) fn eat_newline(&mut self) -> bool {
        self.eat("\r\n") || self.eat("\n") || self.eat("\r")
    }

    /// Consumes blanks and a line break, if nothing else precedes the line break. Returns whether it did.
    pub(super) fn eat_blank_newline(&mut self) -> bool {
        let mut ahead = self.clone();
        ahead.take_while(is_blank);
        let found = ahead.eat_newline();
        if found {
            *self = ahead;
        }
        found
    }

    /// Consumes the rest of the line and its line break (CR LF or LF). Returns the line without the line break.
    pub(super) fn take_line(&mut self) -> &'a str {
        let line = self.take_while(|c| c != '\n');
        self.eat("\n");
        line.strip_suffix('\r').unwrap_or(line)
    }
}

/// White space that does not end a line.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() && c != '\n' && c != '\r'
}
