//! Markdown fences.

const FENCE: &str = "```";

/// Whether lines stand inside of a Markdown fence.
pub(super) struct Fence {
    is_used: bool,
    is_open: bool,
}

impl Fence {
    /// A fence counts only where it opens before the command: one further on is part of its data.
    pub(super) fn of(text: &str) -> Self {
        let before_command = text.find("curl").and_then(|at| text.get(..at)).unwrap_or_default();
        let is_used = before_command.lines().any(|line| line.trim_start().starts_with(FENCE));
        Self { is_used, is_open: false }
    }

    pub(super) fn keeps(&mut self, line: &str) -> bool {
        if !self.is_used {
            return true;
        }
        // Only the mark that opens has a word behind it.
        let behind = line.trim().strip_prefix(FENCE);
        let is_mark = behind.is_some_and(|behind| !self.is_open || behind.chars().all(|c| c == '`'));
        self.is_open ^= is_mark;
        self.is_open && !is_mark
    }
}
