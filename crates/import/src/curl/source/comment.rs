//! Comments of a program.

use super::is_command;

/// What makes a comment of a command that was copied out of a program.
pub(super) struct Comment(Option<&'static str>);

impl Comment {
    pub(super) fn of(text: &str) -> Self {
        if text.lines().any(is_command) {
            return Self(None);
        }
        let marks = ["#", "//", "*", "--", "REM", "::", ";"];
        let mark_of =
            |line: &str| marks.into_iter().find(|mark| line.trim_start().strip_prefix(mark).is_some_and(is_command));
        Self(text.lines().find_map(mark_of))
    }

    /// A line without the mark.
    pub(super) fn strip<'a>(&self, line: &'a str) -> &'a str {
        let after = self.0.and_then(|mark| line.trim_start().strip_prefix(mark));
        after.map_or(line, |after| after.strip_prefix(' ').unwrap_or(after))
    }
}
