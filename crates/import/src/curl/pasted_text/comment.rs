//! Comment markers before commands that were copied from source code.

use super::is_command;

/// The comment marker before each line of the command; `None` if the command is not in a comment.
pub(super) struct CommentMarker(Option<&'static str>);

impl CommentMarker {
    pub(super) fn detect(text: &str) -> Self {
        if text.lines().any(is_command) {
            return Self(None);
        }
        let markers = ["#", "//", "*", "--", "REM", "::", ";"];
        let find_marker = |line: &str| {
            markers.into_iter().find(|marker| line.trim_start().strip_prefix(marker).is_some_and(is_command))
        };
        Self(text.lines().find_map(find_marker))
    }

    /// Returns a line without the comment marker.
    pub(super) fn strip<'a>(&self, line: &'a str) -> &'a str {
        let after = self.0.and_then(|marker| line.trim_start().strip_prefix(marker));
        after.map_or(line, |after| after.strip_prefix(' ').unwrap_or(after))
    }
}
