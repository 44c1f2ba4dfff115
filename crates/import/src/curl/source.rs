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

const FENCE: &str = "```";
const NBSP: char = '\u{A0}';
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

    /// Adds pasted text. Spaces that do not break lines are meant as spaces: web pages indent with them.
    fn push(&mut self, text: &str, at: usize) {
        let mut at = at;
        for piece in text.split_inclusive(NBSP) {
            self.pieces.push((self.text.len(), at));
            match piece.strip_suffix(NBSP) {
                Some(before) => {
                    self.text.push_str(before);
                    self.text.push(' ');
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

/// The prompts of a terminal.
struct Prompts {
    /// Whether the text has some: then there is one before its first command, and what looks like one elsewhere is data.
    are_used: bool,
    /// Whether the line before had one.
    is_after: bool,
    /// What one of them said about the shell.
    dialect: Option<Dialect>,
}

impl Prompts {
    fn of(text: &str, comment: &Comment) -> Self {
        let first =
            text.lines().map(|line| comment.strip(line)).find(|line| is_command(line) || prompt(line).is_some());
        Self { are_used: first.is_some_and(|line| !is_command(line)), is_after: false, dialect: None }
    }

    /// A line without its prompt, be it the one that asks for more of a command.
    fn strip<'a>(&mut self, line: &'a str) -> &'a str {
        let found = prompt(line).filter(|_| self.are_used);
        let continued = if self.is_after { continuation(line) } else { 0 };
        self.is_after = found.is_some() || continued > 0;
        self.dialect = self.dialect.or(found.and_then(|(_, dialect)| dialect));
        line.get(found.map_or(continued, |(length, _)| length)..).unwrap_or(line)
    }
}

/// How long the prompt is of a line that goes on with a curl command, and what it says about the shell.
fn prompt(line: &str) -> Option<(usize, Option<Dialect>)> {
    let before = line.find("curl").and_then(|at| line.get(..at))?;
    let trimmed = before.trim_start();
    let indent = before.len() - trimmed.len();
    let simple = ["$ ", "% ", "> ", "❯ ", "# $ "].into_iter().find(|mark| trimmed.starts_with(mark));
    if let Some(mark) = simple {
        return Some((indent + mark.len(), None));
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
    is_plain.then_some((before.len(), dialect))
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

/// What makes a comment of a command that was copied out of a program.
struct Comment(Option<&'static str>);

impl Comment {
    fn of(text: &str) -> Self {
        if text.lines().any(is_command) {
            return Self(None);
        }
        let marks = ["#", "//", "*", "--", "REM", "::", ";"];
        let mark_of =
            |line: &str| marks.into_iter().find(|mark| line.trim_start().strip_prefix(mark).is_some_and(is_command));
        Self(text.lines().find_map(mark_of))
    }

    /// A line without the mark.
    fn strip<'a>(&self, line: &'a str) -> &'a str {
        let after = self.0.and_then(|mark| line.trim_start().strip_prefix(mark));
        after.map_or(line, |after| after.strip_prefix(' ').unwrap_or(after))
    }
}

fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("curl")
}
