//! Markdown code fences.

const FENCE: &str = "```";

/// Tracks whether a line is inside a Markdown fence.
pub(super) struct Fence {
    /// Whether a fence opens before the command. If not, all lines are included.
    has_fence: bool,
    is_open: bool,
}

impl Fence {
    /// Detects a fence that opens before the command. A later one is part of the command's data.
    pub(super) fn detect(text: &str) -> Self {
        let before_command = text.find("curl").and_then(|at| text.get(..at)).unwrap_or_default();
        let has_fence = before_command.lines().any(|line| line.trim_start().starts_with(FENCE));
        Self { has_fence, is_open: false }
    }

    /// Whether a line is inside the fence. Expects all lines of the text, in order.
    pub(super) fn includes(&mut self, line: &str) -> bool {
        if !self.has_fence {
            return true;
        }
        // Only an opening fence may be followed by a language name.
        let after = line.trim().strip_prefix(FENCE);
        let is_fence_line = after.is_some_and(|after| !self.is_open || after.chars().all(|c| c == '`'));
        self.is_open ^= is_fence_line;
        self.is_open && !is_fence_line
    }
}
