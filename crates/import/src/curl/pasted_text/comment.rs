//! Commands copied out of source code comments.

use super::is_command;

/// The comment marker before each line of the command; `None` if the command is not in a comment.
pub(super) struct CommentMarker(Option<&'static str>);

impl CommentMarker {
    pub(super) fn detect(text: &str) -> Self {
        if text.lines().any(is_command) {
            return Self(None);
        }
        let marks = ["#", "//", "*", "--", "REM", "::", ";"];
        let mark_of =
            |line: &str| marks.into_iter().find(|mark| line.trim_start().strip_prefix(mark).is_some_and(is_command));
        Self(text.lines().find_map(mark_of))
    }

    /// A line without the comment marker.
    pub(super) fn strip<'a>(&self, line: &'a str) -> &'a str {
        let after = self.0.and_then(|mark| line.trim_start().strip_prefix(mark));
        after.map_or(line, |after| after.strip_prefix(' ').unwrap_or(after))
    }
}
