//! Splits text into words as PowerShell passes them to curl.exe.

use super::word::{PartialWord, Word};
use super::{CommandResult, ParseStart, ShellCommand, eat_up_to_continuation, is_continuation};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::ParseError;

/// Iterator over the commands of a PowerShell text.
pub(super) struct PowerShell<'a> {
    cursor: Cursor<'a>,
    command: ShellCommand,
    word: PartialWord,
}

impl Iterator for PowerShell<'_> {
    type Item = CommandResult;

    fn next(&mut self) -> Option<CommandResult> {
        while let Some(c) = self.cursor.peek() {
            let offset = self.cursor.offset();
            if matches!(c, '\n' | '\r' | ';' | '|') {
                if self.eat_separator() && !self.command.words.is_empty() {
                    return Some(Ok(std::mem::take(&mut self.command)));
                }
            } else if let Err(error) = self.step(offset) {
                self.end_word();
                return Some(Err((error, std::mem::take(&mut self.command))));
            }
        }
        self.end_word();
        let command = std::mem::take(&mut self.command);
        (!command.words.is_empty()).then_some(Ok(command))
    }
}

impl<'a> PowerShell<'a> {
    pub(super) fn new(text: &'a str, start: ParseStart) -> Self {
        let mut cursor = Cursor::new(text);
        cursor.take(start.offset);
        Self { cursor, command: ShellCommand::default(), word: PartialWord::default() }
    }

    /// Reads the next character, or the construct that it begins.
    fn step(&mut self, offset: usize) -> Result<(), ParseError> {
        match self.cursor.bump() {
            None => {}
            Some(c) if is_blank(c) => self.end_word(),
            Some('`') => self.backtick(offset),
            Some('\'') => self.single_quoted(offset)?,
            Some('"') => self.double_quoted(offset)?,
            Some('@') if !self.word.has_begun() && self.here_string(offset)? => {}
            Some('#') if !self.word.has_begun() => drop(self.cursor.take_while(|c| c != '\n')),
            Some('&') if !self.word.has_begun() => {}
            Some('>') => {
                self.end_word();
                self.cursor.take_while(|c| c == '>' || is_blank(c));
                self.cursor.take_while(|c| !c.is_whitespace());
            }
            Some(c) => {
                if c == '$' {
                    self.warn_of_variable();
                }
                self.word.begin(offset);
                self.word.push(c);
            }
        }
        Ok(())
    }

    /// Consumes a separator. Returns whether it ends the command: a line break does not if the next line continues the
    /// command without a backtick.
    fn eat_separator(&mut self) -> bool {
        self.end_word();
        if !self.cursor.eat_newline() {
            self.cursor.bump();
            return true;
        }
        self.command.words.is_empty() || !eat_up_to_continuation(&mut self.cursor)
    }

    fn end_word(&mut self) {
        self.command.words.extend(self.word.finish(&mut self.command.warnings).map(Word::with_unescaped_json));
    }

    /// Adds a warning if a variable begins after a `$`.
    fn warn_of_variable(&mut self) {
        if self.cursor.peek().is_some_and(|next| next.is_alphabetic() || matches!(next, '{' | '(' | '_')) {
            self.command.warnings.add(
                "The command contains PowerShell variables, which are not expanded. Replace them with their values.",
            );
        }
    }

    fn backtick(&mut self, offset: usize) {
        if self.cursor.eat_newline() || self.cursor.eat_blank_newline() {
            return;
        }
        self.word.begin(offset);
        let c = self.escape();
        self.word.push(c);
    }

    /// Reads the character after a backtick and returns its meaning.
    fn escape(&mut self) -> char {
        match self.cursor.bump() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some(c) => c,
            None => '`',
        }
    }

    fn single_quoted(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        loop {
            let text = self.cursor.take_while(|c| c != '\'');
            self.word.push_str(text);
            if self.cursor.eat("''") {
                self.word.push('\'');
            } else if self.cursor.eat("'") {
                return Ok(());
            } else {
                return Err(ParseError::new("the quote ' is not closed", offset));
            }
        }
    }

    /// Reads `"…"`. A backslash is not an escape in PowerShell, but pasted commands often contain `\"` from other
    /// shells, which would end the text too early.
    fn double_quoted(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        loop {
            let text = self.cursor.take_while(|c| !matches!(c, '"' | '`' | '\\' | '$'));
            self.word.push_str(text);
            if self.cursor.eat("\"\"") {
                self.word.push('"');
                continue;
            }
            if self.is_backslash_quote() {
                self.cursor.take(2);
                self.word.push('"');
                continue;
            }
            match self.cursor.bump() {
                None => return Err(ParseError::new("the quote \" is not closed", offset)),
                Some('"') => return Ok(()),
                Some('`') if self.cursor.eat_newline() => {}
                Some('`') => {
                    let c = self.escape();
                    self.word.push(c);
                }
                Some(c) => {
                    if c == '$' {
                        self.warn_of_variable();
                    }
                    self.word.push(c);
                }
            }
        }
    }

    /// Whether `\"` comes next and is an escaped quote.
    fn is_backslash_quote(&self) -> bool {
        let Some(after) = self.cursor.rest().strip_prefix("\\\"") else { return false };
        // A Windows path may end with a backslash before the closing quote.
        let next = after.trim_start_matches(is_blank);
        let is_end = next.is_empty()
            || next.starts_with(['`', '\n', '\r'])
            || (next.len() < after.len() && is_continuation(next));
        let is_doubled = after.strip_prefix('"').is_some_and(|after| after.starts_with(|c: char| !c.is_whitespace()));
        !is_end && !is_doubled
    }

    /// Reads a here-string: `@'…'@` or `@"…"@`, with the opening sign at the end of a line and the closing sign
    /// at the start of one. The cursor is after the `@`. Returns `false` if there is none.
    fn here_string(&mut self, offset: usize) -> Result<bool, ParseError> {
        let mut ahead = self.cursor.clone();
        let Some(quote @ ('\'' | '"')) = ahead.bump() else { return Ok(false) };
        if !ahead.eat_blank_newline() {
            return Ok(false);
        }
        self.word.begin(offset);
        let close = format!("\n{quote}@");
        let Some(end) = ahead.rest().find(&close) else {
            return Err(ParseError::new(format!("the here-string @{quote} is not closed"), offset));
        };
        let text = ahead.take(end);
        self.word.push_str(text.strip_suffix('\r').unwrap_or(text));
        ahead.take(close.len());
        self.cursor = ahead;
        Ok(true)
    }
}
