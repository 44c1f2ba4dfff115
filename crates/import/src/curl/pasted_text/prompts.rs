//! Terminal prompts before a command.

use super::comment::CommentMarker;
use super::is_command;
use crate::curl::cursor::is_blank;
use crate::curl::dialect::Dialect;

/// Maximum length of a prompt, in bytes.
const PROMPT_MAX: usize = 199;

/// Removes terminal prompts line by line.
pub(super) struct TerminalPrompts {
    /// Whether the first command has a prompt. If not, text that looks like a prompt is data.
    has_prompts: bool,
    /// Whether the previous line had a prompt.
    is_after_prompt: bool,
    /// The shell to which the prompts belong, if that is known.
    pub(super) dialect: Option<Dialect>,
}

impl TerminalPrompts {
    pub(super) fn detect(text: &str, comment: &CommentMarker) -> Self {
        let first_command =
            text.lines().map(|line| comment.strip(line)).find(|line| is_command(line) || find_prompt(line).is_some());
        let has_prompts = first_command.is_some_and(|line| !is_command(line));
        Self { has_prompts, is_after_prompt: false, dialect: None }
    }

    /// Returns a line without its prompt or continuation prompt. Expects all lines of the text, in order.
    pub(super) fn strip<'a>(&mut self, line: &'a str) -> &'a str {
        let prompt = find_prompt(line).filter(|_| self.has_prompts);
        let continuation_length = if self.is_after_prompt { continuation_prompt_length(line) } else { 0 };
        self.is_after_prompt = prompt.is_some() || continuation_length > 0;
        self.dialect = self.dialect.or(prompt.and_then(|(_, dialect)| dialect));
        line.get(prompt.map_or(continuation_length, |(length, _)| length)..).unwrap_or(line)
    }
}

/// The length of the prompt before a curl command, and the shell to which the prompt belongs, if that is known.
fn find_prompt(line: &str) -> Option<(usize, Option<Dialect>)> {
    let before = line.find("curl").and_then(|at| line.get(..at))?;
    let trimmed = before.trim_start();
    let indent = before.len() - trimmed.len();
    let simple_prompt = ["$ ", "% ", "> ", "❯ ", "# $ "].into_iter().find(|prompt| trimmed.starts_with(prompt));
    if let Some(prompt) = simple_prompt {
        return Some((indent + prompt.len(), None));
    }
    let last_char = before.trim_end_matches(is_blank).chars().next_back()?;
    let ends_with_blank = before.ends_with(is_blank);
    let dialect = match last_char {
        '>' if trimmed.starts_with("PS") => Some(Dialect::PowerShell),
        '>' if trimmed.chars().nth(1) == Some(':') => Some(Dialect::Cmd),
        // `user@host`, the name and version of a shell, or no text before the sign.
        '$' | '%' if ends_with_blank && (trimmed.contains(['@', '-']) || trimmed.len() <= 2) => None,
        '#' if ends_with_blank && trimmed.contains('@') => None,
        _ => return None,
    };
    let is_plain = trimmed.len() <= PROMPT_MAX && !trimmed.contains(['"', '\'', '|', ';', '=']);
    is_plain.then_some((before.len(), dialect))
}

/// The length of a continuation prompt; 0 without one.
fn continuation_prompt_length(line: &str) -> usize {
    match line.trim_end() {
        ">" | ">>" => line.trim_end().len(),
        text if text.starts_with(">> ") => 3,
        text if text.starts_with("> ") => 2,
        _ => 0,
    }
}
