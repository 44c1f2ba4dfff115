//! A place in a text, and the ways to move it.

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn starts_with(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Moves over the next so many bytes, and returns them.
    pub(super) fn take(&mut self, bytes: usize) -> &'a str {
        let taken = self.rest().get(..bytes).unwrap_or_else(|| self.rest());
        self.at += taken.len();
        taken
    }

    pub(super) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(|c| !is_wanted(c)).unwrap_or(rest.len()))
    }

    /// Moves over `prefix` if it comes next.
    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// Moves over a line break, in whichever way it is written.
    pub(super) fn eat_newline(&mut self) -> bool {
        self.eat("\r\n") || self.eat("\n") || self.eat("\r")
    }

    /// Moves over blanks and then a line break, if just these come next.
    pub(super) fn eat_blank_newline(&mut self) -> bool {
        let mut ahead = self.clone();
        ahead.take_while(is_blank);
        let found = ahead.eat_newline();
        if found {
            *self = ahead;
        }
        found
    }

    /// Moves over the rest of the line and its end, and returns the line without it.
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
