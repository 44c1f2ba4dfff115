//! Whose quotes a command has.

use super::cursor::{Cursor, is_blank};
use super::source::Source;

/// The shell that a command was written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// bash, and with it sh and zsh.
    Bash,
    /// The command prompt of Windows.
    Cmd,
    PowerShell,
}

impl Dialect {
    /// The dialect of a text: by how its lines are continued and its words are quoted, else by its prompt.
    pub(super) fn of(source: &Source<'_>) -> Self {
        by_signs(&source.text).or(source.prompted).unwrap_or(Self::Bash)
    }
}

/// Looks for the signs outside of quotes, where they cannot be data.
fn by_signs(text: &str) -> Option<Dialect> {
    let mut cursor = Cursor::new(text);
    let mut is_word_start = true;
    while let Some(c) = cursor.bump() {
        match c {
            '^' if is_word_start && cursor.starts_with("\"") => return Some(Dialect::Cmd),
            '^' if cursor.eat_newline() => return Some(Dialect::Cmd),
            '`' if cursor.eat_newline() => return Some(Dialect::PowerShell),
            '\\' => drop(cursor.bump()),
            '$' if cursor.eat("'") => skip_quoted(&mut cursor, '\'', true),
            '\'' => skip_quoted(&mut cursor, '\'', false),
            '"' => skip_quoted(&mut cursor, '"', true),
            _ => {}
        }
        is_word_start = is_blank(c) || c == '\n';
    }
    None
}

/// Moves behind a quoted piece. Where the quote is never closed it is an apostrophe, and all that follows counts.
fn skip_quoted(cursor: &mut Cursor<'_>, quote: char, has_escapes: bool) {
    let mut ahead = cursor.clone();
    while let Some(c) = ahead.bump() {
        if c == quote {
            *cursor = ahead;
            return;
        }
        if c == '\\' && has_escapes {
            ahead.bump();
        }
    }
}
