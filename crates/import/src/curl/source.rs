//! What was pasted, without what only surrounds a command: marks of invisible characters, a Markdown fence, the marks of a
//! comment, the prompt of a terminal.

mod comment;
mod fence;
mod prompts;

use super::dialect::Dialect;
use super::error::{CurlError, Misread, Position};
use comment::Comment;
use fence::Fence;
use prompts::Prompts;

/// A pasted text, cleaned.
pub(super) struct Source<'a> {
    pasted: &'a str,
    pub(super) text: String,
    /// Offsets where cleaned and pasted text part, in both; by either.
    pieces: Vec<(usize, usize)>,
    /// What a prompt said about the shell.
    pub(super) prompted: Option<Dialect>,
}

const BOM: char = '\u{FEFF}';

impl<'a> Source<'a> {
    pub(super) fn new(pasted: &'a str) -> Self {
        let text = pasted.trim_start_matches(BOM);
        let comment = Comment::of(text);
        let (mut fence, mut prompts) = (Fence::of(text), Prompts::of(text, &comment));
        let mut source = Self { pasted, text: String::with_capacity(text.len()), pieces: Vec::new(), prompted: None };
        let mut at = pasted.len() - text.len();
        for line in text.split_inclusive('\n') {
            if fence.keeps(line) {
                let bare = prompts.strip(comment.strip(line));
                source.push(bare, at + line.len() - bare.len());
            }
            at += line.len();
        }
        source.prompted = prompts.dialect;
        source
    }

    fn push(&mut self, text: &str, at: usize) {
        self.pieces.push((self.text.len(), at));
        self.text.push_str(text);
    }

    /// A problem, with the place where it was pasted.
    pub(super) fn locate(&self, misread: Misread) -> CurlError {
        let next = self.pieces.partition_point(|(cleaned, _)| *cleaned <= misread.at);
        let (cleaned, pasted) =
            next.checked_sub(1).and_then(|piece| self.pieces.get(piece)).copied().unwrap_or_default();
        let before = self.pasted.get(..pasted + (misread.at - cleaned)).unwrap_or(self.pasted);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        CurlError::new(misread.reason, Some(Position { line, column }))
    }
}

/// Whether a line begins with curl.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("curl")
}
