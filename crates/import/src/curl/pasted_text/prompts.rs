//! Terminal prompts before a command.

use super::comment::CommentMarker;
use super::is_command;
use crate::curl::cursor::is_blank;
use crate::curl::dialect::Dialect;

/// Removes terminal prompts line by line.
pub(super) struct TerminalPrompts {
    /// Whether the first command has a prompt. If not, text that looks like a prompt is data.
    are_used: bool,
    /// Whether the previous line had a prompt.
    is_after: bool,
    /// The shell that a prompt shows.
    pub(super) dialect: Option<Dialect>,
}

impl TerminalPrompts {
    pub(super) fn detect(text: &str, comment: &CommentMarker) -> Self {
        let first =
            text.lines().map(|line| comment.strip(line)).find(|line| is_command(line) || prompt(line).is_some());
        Self { are_used: first.is_some_and(|line| !is_command(line)), is_after: false, dialect: None }
    }

    /// A line without its prompt or continuation prompt.
    pub(super) fn strip<'a>(&mut self, line: &'a str) -> &'a str {
        let found = prompt(line).filter(|_| self.are_used);
        let continued = if self.is_after { continuation(line) } else { 0 };
        self.is_after = found.is_some() || continued > 0;
        self.dialect = self.dialect.or(found.and_then(|(_, dialect)| dialect));
        line.get(found.map_or(continued, |(length, _)| length)..).unwrap_or(line)
    }
}

/// The length of the prompt before a curl command, and the shell that the prompt shows.
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
        // `user@host`, or the name of a shell.
        '$' | '%' if is_spaced && (trimmed.contains(['@', '-']) || trimmed.len() <= 2) => None,
        '#' if is_spaced && trimmed.contains('@') => None,
        _ => return None,
    };
    let is_plain = trimmed.len() < 200 && !trimmed.contains(['"', '\'', '|', ';', '=']);
    is_plain.then_some((before.len(), dialect))
}

/// The length of a continuation prompt; 0 without one.
fn continuation(line: &str) -> usize {
    match line.trim_end() {
        ">" | ">>" => line.trim_end().len(),
        text if text.starts_with(">> ") => 3,
        text if text.starts_with("> ") => 2,
        _ => 0,
    }
}
