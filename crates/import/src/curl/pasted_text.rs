//! Removes the text around a command in pasted text: byte order marks, Markdown fences, comment markers and terminal
//! prompts.

mod comment;
mod fence;
mod prompts;

use super::dialect::Dialect;
use super::error::{CurlError, ParseError, Position};
use comment::CommentMarker;
use fence::Fence;
use prompts::TerminalPrompts;

/// Pasted text and the cleaned text, with a map from offsets in the cleaned text to offsets in the pasted text.
pub(super) struct PastedText<'a> {
    pasted: &'a str,
    /// The cleaned text.
    pub(super) text: String,
    /// Start of each piece: its offset in the cleaned text and in the pasted text. Sorted by both.
    pieces: Vec<(usize, usize)>,
    /// The shell to which the terminal prompt belongs, if that is known.
    pub(super) prompt_dialect: Option<Dialect>,
}

const BOM: char = '\u{FEFF}';

impl<'a> PastedText<'a> {
    pub(super) fn new(pasted: &'a str) -> Self {
        let text = pasted.trim_start_matches(BOM);
        let comment = CommentMarker::detect(text);
        let (mut fence, mut prompts) = (Fence::detect(text), TerminalPrompts::detect(text, &comment));
        let mut cleaned =
            Self { pasted, text: String::with_capacity(text.len()), pieces: Vec::new(), prompt_dialect: None };
        let mut offset = pasted.len() - text.len();
        for line in text.split_inclusive('\n') {
            if fence.includes(line) {
                let bare = prompts.strip(comment.strip(line));
                cleaned.pieces.push((cleaned.text.len(), offset + line.len() - bare.len()));
                cleaned.text.push_str(bare);
            }
            offset += line.len();
        }
        cleaned.prompt_dialect = prompts.dialect;
        cleaned
    }

    /// Converts an error to one with a line and column of the pasted text.
    pub(super) fn locate(&self, error: ParseError) -> CurlError {
        let next_piece = self.pieces.partition_point(|(cleaned, _)| *cleaned <= error.offset);
        let (cleaned, pasted) =
            next_piece.checked_sub(1).and_then(|piece| self.pieces.get(piece)).copied().unwrap_or_default();
        let before = self.pasted.get(..pasted + (error.offset - cleaned)).unwrap_or(self.pasted);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        CurlError::new(error.reason, Some(Position { line, column }))
    }
}

/// Whether a line begins with `curl`.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("curl")
}
