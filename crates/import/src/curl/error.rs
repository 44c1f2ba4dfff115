//! Parse errors and their positions.

use std::fmt;

/// A parse error. The reason repeats only option names of the pasted text, because other parts may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct CurlError {
    reason: String,
    /// The position of the error, if it has one.
    pub position: Option<Position>,
}

/// A position in the pasted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, starting at 1.
    pub line: usize,
    /// Column in characters, starting at 1.
    pub column: usize,
}

/// A parse error with an offset in the cleaned text. [`super::pasted_text::PastedText`] maps the offset to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParseError {
    pub(super) reason: String,
    pub(super) offset: usize,
}

impl ParseError {
    pub(super) fn new(reason: impl Into<String>, offset: usize) -> Self {
        Self { reason: reason.into(), offset }
    }
}

impl CurlError {
    pub(super) fn new(reason: impl Into<String>, position: Option<Position>) -> Self {
        Self { reason: reason.into(), position }
    }

    /// The text contains no curl command.
    pub(super) fn no_command(text: &str) -> Self {
        let other_programs = ["Invoke-WebRequest", "Invoke-RestMethod", "fetch(", "wget "];
        let reason = match other_programs.into_iter().find(|other| text.contains(other)) {
            Some(other) => {
                let other = other.trim_end_matches(['(', ' ']);
                format!("this is {other}, not a curl command; in a browser, choose \"Copy as cURL\"")
            }
            None => "this is not a curl command; paste one that begins with curl".to_owned(),
        };
        Self::new(reason, None)
    }

    /// The reason, without the position.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for CurlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(Position { line, column }) => write!(f, "{} (line {line}, column {column})", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}
