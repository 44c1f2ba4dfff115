//! Detects the shell that a command was written for.

use super::cursor::{Cursor, is_blank};

/// The shell that a command was written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// bash, sh or zsh.
    Bash,
    /// The command prompt of Windows, cmd.exe.
    Cmd,
    PowerShell,
}

impl Dialect {
    /// Detects the dialect by line continuations and quotes, then by the terminal prompt. The default is bash.
    pub(super) fn detect(text: &str, prompt_dialect: Option<Self>) -> Self {
        detect_by_syntax(text).or(prompt_dialect).unwrap_or(Self::Bash)
    }
}

/// Looks for line continuations and quotes of Windows shells. Skips quoted text, where the same characters are data.
fn detect_by_syntax(text: &str) -> Option<Dialect> {
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

/// Moves the cursor from the opening quote past the closing one. A quote that is never closed is an apostrophe, and the
/// cursor does not move.
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
