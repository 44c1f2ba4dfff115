//! Words as the command prompt of Windows hands them to curl. Two parsers are at work there: the prompt, for which a
//! caret takes the meaning from a character, and the C library of the program, for which a backslash takes it from a quote.

mod carets;

use super::word::PartialWord;
use super::{Command, Read, Start};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::Misread;

/// The commands of a text.
pub(super) struct Cmd<'a> {
    cursor: Cursor<'a>,
    command: Command,
    word: PartialWord,
    /// Whether carets mean something between plain quotes too: so an older Chrome wrote them.
    has_old_carets: bool,
}

/// A character, once the prompt is done with it.
enum Typed {
    Char(char),
    /// A caret at the end of a line: nothing.
    Nothing,
}

impl Iterator for Cmd<'_> {
    type Item = Read;

    fn next(&mut self) -> Option<Read> {
        while let Some(c) = self.cursor.peek() {
            let read = match c {
                '\n' | '\r' | '&' | '|' => {
                    self.separator();
                    if self.command.words.is_empty() {
                        continue;
                    }
                    return Some(Ok(std::mem::take(&mut self.command)));
                }
                _ => self.step(c),
            };
            if let Err(misread) = read {
                self.end_word();
                return Some(Err((misread, std::mem::take(&mut self.command))));
            }
        }
        self.end_word();
        let command = std::mem::take(&mut self.command);
        (!command.words.is_empty()).then_some(Ok(command))
    }
}

impl<'a> Cmd<'a> {
    pub(super) fn new(text: &'a str, start: Start) -> Self {
        let mut cursor = Cursor::new(text);
        cursor.take(start.at);
        let has_old_carets = carets::mean_something_between_quotes(text);
        Self { cursor, command: Command::default(), word: PartialWord::default(), has_old_carets }
    }

    fn step(&mut self, c: char) -> Result<(), Misread> {
        let at = self.cursor.at();
        match c {
            c if is_blank(c) => {
                self.cursor.bump();
                self.end_word();
            }
            '^' if self.cursor.eat("^\"") => self.caret_quoted(at)?,
            '^' => {
                if let Typed::Char(c) = self.typed() {
                    self.word.begin(at);
                    self.word.push(c);
                }
            }
            '"' => {
                self.cursor.bump();
                if self.has_old_carets { self.caret_quoted(at)? } else { self.quoted(at)? }
            }
            '\'' if !self.word.has_begun() => self.single_quoted(at),
            '\\' if self.eat_foreign_newline() => {}
            '\\' => self.backslashes(at),
            '<' | '>' => {
                self.end_word();
                self.cursor.take_while(|c| matches!(c, '<' | '>'));
                self.cursor.take_while(is_blank);
                self.cursor.take_while(|c| !c.is_whitespace());
            }
            c => {
                self.cursor.bump();
                self.word.begin(at);
                self.word.push(c);
            }
        }
        Ok(())
    }

    /// What a command writes is not followed: `echo` has rules of its own here.
    fn separator(&mut self) {
        self.end_word();
        if !self.cursor.eat_newline() {
            self.cursor.bump();
        }
    }

    fn end_word(&mut self) {
        let word = self.word.finish(&mut self.command.warnings);
        if word.as_ref().is_some_and(|word| has_variable(&word.text)) {
            self.command.warnings.add(
                "Variables of the command prompt stay as they are written, for nothing is looked up; write their values \
                 in their place.",
            );
        }
        self.command.words.extend(word);
    }

    /// Moves over a line that was continued as in bash.
    fn eat_foreign_newline(&mut self) -> bool {
        let mut ahead = self.cursor.clone();
        let found = !self.word.has_begun() && ahead.eat("\\") && ahead.eat_blank_newline();
        if found {
            self.cursor = ahead;
        }
        found
    }

    /// The next character. Behind a caret a line break is nothing, and two of them are one inside of a word.
    fn typed(&mut self) -> Typed {
        if !self.cursor.eat("^") {
            return self.cursor.bump().map_or(Typed::Nothing, Typed::Char);
        }
        if self.cursor.eat_newline() {
            let is_data = self.word.has_begun() && self.cursor.eat_newline();
            return if is_data { Typed::Char('\n') } else { Typed::Nothing };
        }
        self.cursor.bump().map_or(Typed::Nothing, Typed::Char)
    }

    /// `^"…^"`, as browsers write it: every character that could mean something has a caret, and both backslashes and
    /// quotes have a backslash besides.
    fn caret_quoted(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        let mut is_escaped = false;
        while self.cursor.peek().is_some() {
            let Typed::Char(c) = self.typed() else { continue };
            match (is_escaped, c) {
                // Firefox escapes the other two as well, lest PowerShell reads them
                (true, '"' | '\\' | '$' | '`') => {
                    self.word.push(c);
                    is_escaped = false;
                }
                (true, c) => {
                    self.word.push('\\');
                    self.word.push(c);
                    is_escaped = false;
                }
                (false, '\\') => is_escaped = true,
                (false, '"') => return Ok(()),
                (false, c) => self.word.push(c),
            }
        }
        Err(Misread::new("the quote ^\" is not closed", at))
    }

    /// `"…"`: carets are text, and so are backslashes, except in front of a quote.
    fn quoted(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        loop {
            let text = self.cursor.take_while(|c| !matches!(c, '"' | '\\'));
            self.word.push_str(text);
            match self.cursor.peek() {
                None => return Err(Misread::new("the quote \" is not closed", at)),
                Some('\\') => self.backslashes(at),
                Some(_) if self.cursor.eat("\"\"") => self.word.push('"'),
                Some(_) => {
                    self.cursor.bump();
                    return Ok(());
                }
            }
        }
    }

    /// Backslashes in front of a quote: every two are one, and one that is left makes the quote a character.
    fn backslashes(&mut self, at: usize) {
        self.word.begin(at);
        let count = self.cursor.take_while(|c| c == '\\').len();
        let is_quote_next = self.cursor.starts_with("\"");
        for _ in 0..if is_quote_next { count / 2 } else { count } {
            self.word.push('\\');
        }
        if is_quote_next && count % 2 == 1 {
            self.cursor.bump();
            self.word.push('"');
        }
    }

    /// The prompt knows no single quotes, but people paste commands that have them, with just the ends of the
    /// lines made anew.
    fn single_quoted(&mut self, at: usize) {
        self.word.begin(at);
        self.cursor.bump();
        match self.cursor.rest().find('\'') {
            Some(end) => {
                self.word.push_str(self.cursor.take(end));
                self.cursor.bump();
            }
            None => self.word.push('\''),
        }
    }
}

/// Whether a text has something like `%TOKEN%`; the percent signs of an encoded text stand closer.
fn has_variable(text: &str) -> bool {
    let mut pieces = text.split('%').skip(1).peekable();
    std::iter::from_fn(|| pieces.next().filter(|_| pieces.peek().is_some()))
        .any(|name| name.len() > 2 && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_'))
}
