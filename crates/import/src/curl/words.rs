//! A text, split into commands and these into words, as the shell it was written for would do it. Nothing is
//! expanded: variables and substitutions stay as they are written.

mod ansi_c;
mod bash;
mod cmd;
mod powershell;
mod word;

use super::dialect::Dialect;
use super::error::Misread;
use super::warnings::Warnings;
pub(super) use word::Word;

/// A command: words, and what it is given to read.
#[derive(Debug, Default)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// What a here-document or here-string gives it.
    pub(super) stdin: Option<String>,
    /// Whether what it writes goes to the next command.
    pub(super) is_piped: bool,
    pub(super) warnings: Warnings,
}

/// A command, or why there is none, with what could be read of it.
pub(super) type Read = Result<Command, (Misread, Command)>;

/// Where reading begins, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    /// The offset in the text.
    pub(super) at: usize,
    /// Whether mistakes are forgiven that the shell itself would not.
    pub(super) is_lenient: bool,
}

/// The commands of a text, each read when it is asked for.
pub(super) fn commands(text: &str, dialect: Dialect, start: Start) -> Box<dyn Iterator<Item = Read> + '_> {
    match dialect {
        Dialect::Bash => Box::new(bash::Bash::new(text, start)),
        Dialect::Cmd => Box::new(cmd::Cmd::new(text, start)),
        Dialect::PowerShell => Box::new(powershell::PowerShell::new(text, start)),
    }
}

/// Whether a line goes on with the command of the line before it, whatever that ended with: it begins with an option
/// or an address.
fn goes_on(line: &str) -> bool {
    let name = line.strip_prefix("--").or_else(|| line.strip_prefix('-'));
    let unquoted = line.trim_start_matches(['\'', '"']);
    // more dashes are a rule across the page
    name.is_some_and(|name| name.starts_with(|c: char| !c.is_whitespace() && c != '-'))
        || unquoted.starts_with("http://")
        || unquoted.starts_with("https://")
}
