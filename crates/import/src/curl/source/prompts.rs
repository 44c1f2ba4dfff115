//! The prompts of a terminal.

use super::comment::Comment;
use super::is_command;
use crate::curl::cursor::is_blank;
use crate::curl::dialect::Dialect;

/// The prompts of a terminal.
pub(super) struct Prompts {
    /// Whether the text has some: then there is one before its first command, and what looks like one elsewhere is data.
    are_used: bool,
    /// Whether the line before had one.
    is_after: bool,
    /// What one of them said about the shell.
    pub(super) dialect: Option<Dialect>,
}

impl Prompts {
    pub(super) fn of(text: &str, comment: &Comment) -> Self {
        let first =
            text.lines().map(|line| comment.strip(line)).find(|line| is_command(line) || prompt(line).is_some());
        Self { are_used: first.is_some_and(|line| !is_command(line)), is_after: false, dialect: None }
    }

    /// A line without its prompt, be it the one that asks for more of a command.
    pub(super) fn strip<'a>(&mut self, line: &'a str) -> &'a str {
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
