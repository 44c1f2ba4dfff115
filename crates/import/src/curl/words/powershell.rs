//! Words as PowerShell hands them to curl.exe.

use super::word::PartialWord;
use super::{Command, Read, Start, Word, goes_on};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::Misread;

/// The commands of a text.
pub(super) struct PowerShell<'a> {
    cursor: Cursor<'a>,
    command: Command,
    word: PartialWord,
}

impl Iterator for PowerShell<'_> {
    type Item = Read;

    fn next(&mut self) -> Option<Read> {
        while let Some(c) = self.cursor.peek() {
            let at = self.cursor.at();
            if matches!(c, '\n' | '\r' | ';' | '|') {
                if self.ends_here() && !self.command.words.is_empty() {
                    return Some(Ok(std::mem::take(&mut self.command)));
                }
            } else if let Err(misread) = self.step(at) {
                self.end_word();
                return Some(Err((misread, std::mem::take(&mut self.command))));
            }
        }
        self.end_word();
        let command = std::mem::take(&mut self.command);
        (!command.words.is_empty()).then_some(Ok(command))
    }
}

impl<'a> PowerShell<'a> {
    pub(super) fn new(text: &'a str, start: Start) -> Self {
        let mut cursor = Cursor::new(text);
        cursor.take(start.at);
        Self { cursor, command: Command::default(), word: PartialWord::default() }
    }

    fn step(&mut self, at: usize) -> Result<(), Misread> {
        match self.cursor.bump() {
            None => {}
            Some(c) if is_blank(c) => self.end_word(),
            Some('`') => self.backtick(at),
            Some('\'') => self.single_quoted(at)?,
            Some('"') => self.double_quoted(at)?,
            Some('@') if !self.word.has_begun() && self.here_string(at)? => {}
            Some('#') if !self.word.has_begun() => drop(self.cursor.take_while(|c| c != '\n')),
            Some('&') if !self.word.has_begun() => {}
            Some('>') => {
                self.end_word();
                self.cursor.take_while(|c| c == '>' || is_blank(c));
                self.cursor.take_while(|c| !c.is_whitespace());
            }
            Some(c) => {
                if c == '$' {
                    self.warn();
                }
                self.word.begin(at);
                self.word.push(c);
            }
        }
        Ok(())
    }

    /// A line break ends a command, unless the next line shows that a backtick was lost before it.
    fn ends_here(&mut self) -> bool {
        self.end_word();
        if !self.cursor.eat_newline() {
            self.cursor.bump();
            return true;
        }
        if self.command.words.is_empty() {
            return true;
        }
        let next = self.cursor.rest().trim_start();
        let is_continued = goes_on(next);
        if is_continued {
            self.cursor.take(self.cursor.rest().len() - next.len());
        }
        !is_continued
    }

    fn end_word(&mut self) {
        self.command.words.extend(self.word.finish(&mut self.command.warnings).map(Word::repaired));
    }

    fn warn(&mut self) {
        if self.cursor.peek().is_some_and(|next| next.is_alphabetic() || matches!(next, '{' | '(' | '_')) {
            self.command.warnings.add(
                "Variables of PowerShell stay as they are written, for nothing is looked up; write their values in their place.",
            );
        }
    }

    fn backtick(&mut self, at: usize) {
        if self.cursor.eat_newline() || self.cursor.eat_blank_newline() {
            return;
        }
        self.word.begin(at);
        let c = self.escape();
        self.word.push(c);
    }

    /// What a backtick and the character behind it stand for.
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

    fn single_quoted(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        loop {
            let text = self.cursor.take_while(|c| c != '\'');
            self.word.push_str(text);
            if self.cursor.eat("''") {
                self.word.push('\'');
            } else if self.cursor.eat("'") {
                return Ok(());
            } else {
                return Err(Misread::new("the quote ' is not closed", at));
            }
        }
    }

    /// A backslash is no escape here, but `\"` is what people carry over from other shells, and taken literally it would
    /// end the text in the middle.
    fn double_quoted(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        loop {
            let text = self.cursor.take_while(|c| !matches!(c, '"' | '`' | '\\' | '$'));
            self.word.push_str(text);
            if self.cursor.eat("\"\"") {
                self.word.push('"');
                continue;
            }
            if self.is_carried_over() {
                self.cursor.take(2);
                self.word.push('"');
                continue;
            }
            match self.cursor.bump() {
                None => return Err(Misread::new("the quote \" is not closed", at)),
                Some('"') => return Ok(()),
                Some('`') if self.cursor.eat_newline() => {}
                Some('`') => {
                    let c = self.escape();
                    self.word.push(c);
                }
                Some(c) => {
                    if c == '$' {
                        self.warn();
                    }
                    self.word.push(c);
                }
            }
        }
    }

    fn is_carried_over(&self) -> bool {
        let Some(after) = self.cursor.rest().strip_prefix("\\\"") else { return false };
        // a path of Windows may end with a backslash
        let next = after.trim_start_matches(is_blank);
        let is_end =
            next.is_empty() || next.starts_with(['`', '\n', '\r']) || (next.len() < after.len() && goes_on(next));
        let is_doubled = after.strip_prefix('"').is_some_and(|after| after.starts_with(|c: char| !c.is_whitespace()));
        !is_end && !is_doubled
    }

    /// `@'…'@` and `@"…"@`, each on lines of its own. `false` if it is none.
    fn here_string(&mut self, at: usize) -> Result<bool, Misread> {
        let mut ahead = self.cursor.clone();
        let Some(quote @ ('\'' | '"')) = ahead.bump() else { return Ok(false) };
        if !ahead.eat_blank_newline() {
            return Ok(false);
        }
        self.word.begin(at);
        let close = format!("\n{quote}@");
        let Some(end) = ahead.rest().find(&close) else {
            return Err(Misread::new(format!("the here-string @{quote} is not closed"), at));
        };
        let text = ahead.take(end);
        self.word.push_str(text.strip_suffix('\r').unwrap_or(text));
        ahead.take(close.len());
        self.cursor = ahead;
        Ok(true)
    }
}
