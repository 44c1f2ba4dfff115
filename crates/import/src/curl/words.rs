//! Splits a text into commands and words by the rules of its shell. Nothing is expanded: variables and substitutions
//! stay as written.

mod ansi_c;
mod bash;
mod cmd;
mod powershell;
pub(super) mod word;

use super::cursor::Cursor;
use super::dialect::Dialect;
use super::error::ParseError;
use crate::warnings::Warnings;
use word::Word;

/// A shell command with its words and its standard input.
#[derive(Debug, Default)]
pub(super) struct ShellCommand {
    pub(super) words: Vec<Word>,
    /// The text of a here-document or here-string.
    pub(super) stdin: Option<String>,
    /// Whether its output is piped into the next command.
    pub(super) is_piped: bool,
    pub(super) warnings: Warnings,
}

/// A command, or a parse error with the part of the command before the error.
pub(super) type CommandResult = Result<ShellCommand, (ParseError, ShellCommand)>;

/// Where parsing starts, and how strict it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ParseStart {
    /// The offset in the text.
    pub(super) offset: usize,
    /// Whether to accept mistakes that the shell itself rejects.
    pub(super) is_lenient: bool,
}

/// An iterator that parses the commands of a text one by one.
pub(super) fn commands(
    text: &str,
    dialect: Dialect,
    start: ParseStart,
) -> Box<dyn Iterator<Item = CommandResult> + '_> {
    match dialect {
        Dialect::Bash => Box::new(bash::Bash::new(text, start)),
        Dialect::Cmd => Box::new(cmd::Cmd::new(text, start)),
        Dialect::PowerShell => Box::new(powershell::PowerShell::new(text, start)),
    }
}

/// Moves to the next line that is not empty, if that line continues the command without a continuation character.
/// Returns whether it does.
fn eat_up_to_continuation(cursor: &mut Cursor<'_>) -> bool {
    let next = cursor.rest().trim_start();
    let is_continued = is_continuation(next);
    if is_continued {
        // Skips all empty lines in one step: looking ahead again from each of them would take quadratic time.
        cursor.take(cursor.rest().len() - next.len());
    }
    is_continued
}

/// Whether a line continues the command of the line before it although the continuation character is missing: it begins
/// with an option or a URL.
fn is_continuation(line: &str) -> bool {
    let name = line.strip_prefix("--").or_else(|| line.strip_prefix('-'));
    let unquoted = line.trim_start_matches(['\'', '"']);
    // Three or more dashes are a horizontal rule.
    name.is_some_and(|name| name.starts_with(|c: char| !c.is_whitespace() && c != '-'))
        || unquoted.starts_with("http://")
        || unquoted.starts_with("https://")
}
