//! Joins the texts of a page, with white space collapsed as browsers show it.

/// The text of a page. White space becomes one blank; line breaks are written only if text follows.
#[derive(Default)]
pub(super) struct InlineText {
    out: String,
    /// Number of line breaks before the next text.
    breaks: usize,
    has_space: bool,
    /// A mark that is written before the next text of its line.
    mark: String,
    is_verbatim: bool,
}

impl InlineText {
    pub(super) fn push(&mut self, text: &str) {
        if self.is_verbatim {
            self.out.push_str(text);
            return;
        }
        for (position, word) in text.split_ascii_whitespace().enumerate() {
            if position > 0 || text.starts_with(|c: char| c.is_ascii_whitespace()) {
                self.has_space = true;
            }
            self.flush();
            self.out.push_str(word);
        }
        if text.ends_with(|c: char| c.is_ascii_whitespace()) {
            self.has_space = true;
        }
    }

    /// Requests a blank before the next text.
    pub(super) fn space(&mut self) {
        self.has_space = true;
    }

    /// Requests at least `breaks` line breaks before the next text.
    pub(super) fn break_lines(&mut self, breaks: usize) {
        if self.is_verbatim {
            return;
        }
        if !self.mark.trim().is_empty() && self.mark.starts_with('|') {
            // The separator line of a table must be written although no text follows it.
            self.flush();
        }
        self.breaks = self.breaks.max(breaks);
        self.mark.clear();
        self.has_space = false;
    }

    /// Sets a mark for the start of the next line, which is written if text follows.
    pub(super) fn line_mark(&mut self, mark: &str) {
        mark.clone_into(&mut self.mark);
        self.has_space = false;
    }

    /// Writes a mark within a line.
    pub(super) fn inline_mark(&mut self, mark: &str) {
        if mark.starts_with(' ') {
            self.has_space = false;
        }
        self.flush();
        self.out.push_str(mark);
        if mark.ends_with([' ', '\t']) {
            self.has_space = false;
        }
    }

    pub(super) fn begin_verbatim(&mut self, is_fenced: bool) {
        self.flush();
        self.has_space = false;
        if is_fenced {
            self.out.push_str("```\n");
        }
        self.is_verbatim = true;
    }

    pub(super) fn end_verbatim(&mut self, is_fenced: bool) {
        if !std::mem::take(&mut self.is_verbatim) || !is_fenced {
            return;
        }
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.push_str("```");
    }

    /// Returns the offset at which the next text starts.
    pub(super) fn begin_span(&mut self) -> usize {
        self.flush();
        self.out.len()
    }

    /// Makes the text from `start` on a link. A text of several lines gets the address appended instead.
    pub(super) fn link(&mut self, start: usize, href: &str) {
        let Some(text) = self.out.get(start..) else { return };
        if text.trim().is_empty() {
            return;
        }
        if text.contains('\n') {
            self.out.extend([" (", href, ")"]);
        } else {
            self.out.insert(start, '[');
            self.out.extend(["](", href, ")"]);
        }
    }

    pub(super) fn finish(mut self) -> String {
        let length = self.out.trim_end().len();
        self.out.truncate(length);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// Writes the requested line breaks, the mark and the blank before a text.
    fn flush(&mut self) {
        let breaks = std::mem::take(&mut self.breaks);
        let has_space = std::mem::take(&mut self.has_space);
        if breaks > 0 && !self.out.is_empty() {
            self.out.push_str(if breaks > 1 { "\n\n" } else { "\n" });
        }
        let is_line_start = self.out.is_empty() || self.out.ends_with('\n');
        self.out.push_str(&std::mem::take(&mut self.mark));
        if has_space && !is_line_start && !self.out.ends_with([' ', '\t']) {
            self.out.push(' ');
        }
    }
}
