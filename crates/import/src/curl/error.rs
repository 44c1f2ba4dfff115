//! Why a text was not understood, and where.

use std::fmt;

/// Why a text was not understood. The reason never repeats what was pasted beyond names of options: it may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct CurlError {
    reason: String,
    /// Where, if it is one place.
    pub position: Option<Position>,
}

/// A place in the text as it was pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A reason with its offset in the cleaned text; only [`super::source::Source`] knows where that was pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Misread {
    pub(super) reason: String,
    pub(super) at: usize,
}

impl Misread {
    pub(super) fn new(reason: impl Into<String>, at: usize) -> Self {
        Self { reason: reason.into(), at }
    }
}

impl CurlError {
    pub(super) fn new(reason: impl Into<String>, position: Option<Position>) -> Self {
        Self { reason: reason.into(), position }
    }

    /// Nothing in the text is a curl command.
    pub(super) fn no_command(text: &str) -> Self {
        let others = ["Invoke-WebRequest", "Invoke-RestMethod", "fetch(", "wget "];
        let reason = match others.into_iter().find(|other| text.contains(other)) {
            Some(other) => {
                let other = other.trim_end_matches(['(', ' ']);
                format!("this is {other}, not a curl command; in a browser, choose \"Copy as cURL\"")
            }
            None => "this is not a curl command; paste one that begins with curl".to_owned(),
        };
        Self::new(reason, None)
    }

    /// The reason, without the place.
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
