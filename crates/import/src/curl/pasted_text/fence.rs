//! Markdown code fences.

const FENCE: &str = "```";

/// Tracks whether a line is inside a Markdown fence.
pub(super) struct Fence {
    is_used: bool,
    is_open: bool,
}

impl Fence {
    /// A fence counts only if it opens before the command. A later one is part of the command's data.
    pub(super) fn detect(text: &str) -> Self {
        let before_command = text.find("curl").and_then(|at| text.get(..at)).unwrap_or_default();
        let is_used = before_command.lines().any(|line| line.trim_start().starts_with(FENCE));
        Self { is_used, is_open: false }
    }

    pub(super) fn includes(&mut self, line: &str) -> bool {
        if !self.is_used {
            return true;
        }
        // Only an opening fence may be followed by a language name.
        let after = line.trim().strip_prefix(FENCE);
        let is_mark = after.is_some_and(|after| !self.is_open || after.chars().all(|c| c == '`'));
        self.is_open ^= is_mark;
        self.is_open && !is_mark
    }
}
