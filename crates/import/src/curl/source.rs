//! What was pasted, without what only surrounds a command: marks of invisible characters, a Markdown fence, the marks of a
//! comment, the prompt of a terminal.

use super::cursor::is_blank;
use super::dialect::Dialect;
use super::error::{CurlError, Misread, Position};

/// A pasted text, cleaned.
pub(super) struct Source<'a> {
    pasted: &'a str,
    pub(super) text: String,
    /// Offsets where cleaned and pasted text part, in both; by either.
    pieces: Vec<(usize, usize)>,
    /// What a prompt said about the shell.
    pub(super) prompted: Option<Dialect>,
}

/// What introduces a command on its line.
struct Prompt {
    length: usize,
    dialect: Option<Dialect>,
}

const FENCE: &str = "```";

impl<'a> Source<'a> {
    pub(super) fn new(pasted: &'a str) -> Self {
        let mut source = Self { pasted, text: String::with_capacity(pasted.len()), pieces: Vec::new(), prompted: None };
        let mut fence = Fence::of(pasted);
        let comment = comment_mark(pasted);
        let mut is_after_prompt = false;
        let mut at = 0;
        for line in pasted.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if !fence.keeps(line) {
                continue;
            }
            let comment = comment.map_or(0, |mark| commented(line, mark));
            let (start, line) = (start + comment, line.get(comment..).unwrap_or(line));
            let prompt = Prompt::before_curl(line);
            let continued = if is_after_prompt { continuation(line) } else { 0 };
            is_after_prompt = prompt.is_some() || continued > 0;
            source.prompted = source.prompted.or(prompt.as_ref().and_then(|prompt| prompt.dialect));
            let cut = prompt.map_or(continued, |prompt| prompt.length);
            source.push(line.get(cut..).unwrap_or(line), start + cut);
        }
        source
    }

    /// Adds pasted text. Spaces that do not break lines are meant as spaces: web pages indent with them.
    fn push(&mut self, text: &str, at: usize) {
        let mut at = at;
        for piece in text.split_inclusive(is_foreign) {
            self.pieces.push((self.text.len(), at));
            match piece.chars().next_back().filter(|last| is_foreign(*last)) {
                Some(foreign) => {
                    self.text.push_str(piece.strip_suffix(foreign).unwrap_or(piece));
                    if foreign != BOM {
                        self.text.push(' ');
                    }
                }
                None => self.text.push_str(piece),
            }
            at += piece.len();
        }
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

const BOM: char = '\u{FEFF}';

fn is_foreign(c: char) -> bool {
    matches!(c, BOM | '\u{A0}' | '\u{2007}' | '\u{202F}' | '\u{3000}')
}

/// Whether lines stand inside of a Markdown fence.
struct Fence {
    is_used: bool,
    is_open: bool,
}

impl Fence {
    /// A fence counts only where it opens before the command: one further on is part of its data.
    fn of(text: &str) -> Self {
        let before_command = text.find("curl").and_then(|at| text.get(..at)).unwrap_or_default();
        let is_used = before_command.lines().any(|line| line.trim_start().starts_with(FENCE));
        Self { is_used, is_open: false }
    }

    fn keeps(&mut self, line: &str) -> bool {
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

impl Prompt {
    /// The prompt of a line that goes on with a curl command.
    fn before_curl(line: &str) -> Option<Self> {
        let before = line.find("curl").and_then(|at| line.get(..at))?;
        let trimmed = before.trim_start();
        let indent = before.len() - trimmed.len();
        let simple = ["$ ", "% ", "> ", "❯ ", "# $ "].into_iter().find(|mark| trimmed.starts_with(mark));
        if let Some(mark) = simple {
            return Some(Self { length: indent + mark.len(), dialect: None });
        }
        let sign = before.trim_end_matches(is_blank).chars().next_back()?;
        let is_spaced = before.ends_with(is_blank);
        let dialect = match sign {
            '>' if trimmed.starts_with("PS") => Some(Dialect::PowerShell),
            '>' if trimmed.chars().nth(1) == Some(':') => Some(Dialect::Cmd),
            // user@host, or the name of a shell
            '$' | '%' if is_spaced && (trimmed.contains(['@', '-']) || trimmed.len() <= 2) => None,
            '#' if is_spaced && trimmed.contains('@') => None,
            _ => return None,
        };
        let is_plain = trimmed.len() < 200 && !trimmed.contains(['"', '\'', '|', ';', '=']);
        is_plain.then_some(Self { length: before.len(), dialect })
    }
}

/// What makes a comment of a command that was copied out of a program.
fn comment_mark(text: &str) -> Option<&'static str> {
    let is_command = |line: &str| line.trim_start().starts_with("curl");
    if text.lines().any(is_command) {
        return None;
    }
    let marks = ["#", "//", "*", "--", "REM", "::", ";"];
    text.lines()
        .find_map(|line| marks.into_iter().find(|mark| line.trim_start().strip_prefix(mark).is_some_and(is_command)))
}

/// How long that is at the start of a line.
fn commented(line: &str, mark: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    line.trim_start().strip_prefix(mark).map_or(0, |after| indent + mark.len() + usize::from(after.starts_with(' ')))
}

/// How long the prompt is that asks for more of a command.
fn continuation(line: &str) -> usize {
    match line.trim_end() {
        ">" | ">>" => line.trim_end().len(),
        text if text.starts_with(">> ") => 3,
        text if text.starts_with("> ") => 2,
        _ => 0,
    }
}
