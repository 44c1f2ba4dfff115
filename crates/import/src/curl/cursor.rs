//! A cursor over a text.

/// An offset in a text.
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

    /// Moves over the next `bytes` bytes and returns them; over the rest of the text if it is shorter.
    pub(super) fn take(&mut self, bytes: usize) -> &'a str {
        let taken = self.rest().get(..bytes).unwrap_or_else(|| self.rest());
        self.offset += taken.len();
        taken
    }

    pub(super) fn take_while(&mut self, is_included: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(|c| !is_included(c)).unwrap_or(rest.len()))
    }

    /// Moves over `prefix` if it comes next.
    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.starts_with(prefix);
        if found {
            self.offset += prefix.len();
        }
        found
    }

    /// Moves over a line break: CR LF, LF or CR.
    pub(super) fn eat_newline(&mut self) -> bool {
        self.eat("\r\n") || self.eat("\n") || self.eat("\r")
    }

    /// Moves over blanks and a line break, if nothing else precedes the line break.
    pub(super) fn eat_blank_newline(&mut self) -> bool {
        let mut ahead = self.clone();
        ahead.take_while(is_blank);
        let found = ahead.eat_newline();
        if found {
            *self = ahead;
        }
        found
    }

    /// Moves over the rest of the line and its line break. Returns the line without the line break.
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
