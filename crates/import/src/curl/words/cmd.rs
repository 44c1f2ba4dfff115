//! Splits text into words as the Windows command prompt passes them to curl. Two parsers apply: in the prompt a caret
//! escapes a character, and in the program's C runtime a backslash escapes a quote.

mod carets;

use super::word::PartialWord;
use super::{CommandResult, ParseStart, ShellCommand};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::ParseError;

/// Iterator over the commands of a command prompt text.
pub(super) struct Cmd<'a> {
    cursor: Cursor<'a>,
    command: ShellCommand,
    word: PartialWord,
    /// Whether carets also escape characters between plain quotes, as written by older versions of Chrome.
    has_carets_in_quotes: bool,
}

impl Iterator for Cmd<'_> {
    type Item = CommandResult;

    fn next(&mut self) -> Option<CommandResult> {
        while let Some(c) = self.cursor.peek() {
            let result = match c {
                '\n' | '\r' | '&' | '|' => {
                    self.eat_separator();
                    if self.command.words.is_empty() {
                        continue;
                    }
                    return Some(Ok(std::mem::take(&mut self.command)));
                }
                _ => self.step(c),
            };
            if let Err(error) = result {
                self.end_word();
                return Some(Err((error, std::mem::take(&mut self.command))));
            }
        }
        self.end_word();
        let command = std::mem::take(&mut self.command);
        (!command.words.is_empty()).then_some(Ok(command))
    }
}

impl<'a> Cmd<'a> {
    pub(super) fn new(text: &'a str, start: ParseStart) -> Self {
        let mut cursor = Cursor::new(text);
        cursor.take(start.offset);
        let has_carets_in_quotes = carets::are_escapes_between_quotes(text);
        Self { cursor, command: ShellCommand::default(), word: PartialWord::default(), has_carets_in_quotes }
    }

    /// Reads the character `c`, which comes next, or the construct that it begins.
    fn step(&mut self, c: char) -> Result<(), ParseError> {
        let offset = self.cursor.offset();
        match c {
            c if is_blank(c) => {
                self.cursor.bump();
                self.end_word();
            }
            '^' if self.cursor.eat("^\"") => self.caret_quoted(offset)?,
            '^' => {
                if let Some(c) = self.next_char() {
                    self.word.begin(offset);
                    self.word.push(c);
                }
            }
            '"' => {
                self.cursor.bump();
                if self.has_carets_in_quotes { self.caret_quoted(offset)? } else { self.quoted(offset)? }
            }
            '\'' if !self.word.has_begun() => self.single_quoted(offset),
            '\\' if self.eat_bash_continuation() => {}
            '\\' => self.backslashes(offset),
            '<' | '>' => {
                self.end_word();
                self.cursor.take_while(|c| matches!(c, '<' | '>'));
                self.cursor.take_while(is_blank);
                self.cursor.take_while(|c| !c.is_whitespace());
            }
            c => {
                self.cursor.bump();
                self.word.begin(offset);
                self.word.push(c);
            }
        }
        Ok(())
    }

    /// Consumes a separator and ends the command. Unlike in bash, `echo … | curl -d @-` is not resolved, because `echo`
    /// follows different rules in the command prompt: a pipe only separates commands, and `is_piped` stays false.
    fn eat_separator(&mut self) {
        self.end_word();
        if !self.cursor.eat_newline() {
            self.cursor.bump();
        }
    }

    fn end_word(&mut self) {
        let word = self.word.finish(&mut self.command.warnings);
        if word.as_ref().is_some_and(|word| has_variable(&word.text)) {
            self.command.warnings.add(
                "The command contains variables of the command prompt, which are not expanded. Replace them with their values.",
            );
        }
        self.command.words.extend(word);
    }

    /// Consumes a backslash and a line break, the line continuation of bash. Returns whether they come next.
    fn eat_bash_continuation(&mut self) -> bool {
        let mut ahead = self.cursor.clone();
        let found = !self.word.has_begun() && ahead.eat("\\") && ahead.eat_blank_newline();
        if found {
            self.cursor = ahead;
        }
        found
    }

    /// Reads the next character. A caret escapes the character after it; a line break after it is removed. Inside a
    /// word, a caret and two line breaks are one line break. Returns `None` after a removed line break, and at the end
    /// of the text.
    fn next_char(&mut self) -> Option<char> {
        if self.cursor.eat("^") && self.cursor.eat_newline() {
            let is_data = self.word.has_begun() && self.cursor.eat_newline();
            return is_data.then_some('\n');
        }
        self.cursor.bump()
    }

    /// Reads `^"…^"`, as browsers write it: each special character has a caret, and backslashes and quotes also have a
    /// backslash.
    fn caret_quoted(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        let mut is_escaped = false;
        while self.cursor.peek().is_some() {
            let Some(c) = self.next_char() else { continue };
            match (is_escaped, c) {
                // Firefox also escapes `$` and the backtick, because PowerShell would expand them.
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
        Err(ParseError::new("the quote ^\" is not closed", offset))
    }

    /// Reads `"…"`: carets are text, and so are backslashes that do not precede a quote.
    fn quoted(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        loop {
            let text = self.cursor.take_while(|c| !matches!(c, '"' | '\\'));
            self.word.push_str(text);
            match self.cursor.peek() {
                None => return Err(ParseError::new("the quote \" is not closed", offset)),
                Some('\\') => self.backslashes(offset),
                Some(_) if self.cursor.eat("\"\"") => self.word.push('"'),
                Some(_) => {
                    self.cursor.bump();
                    return Ok(());
                }
            }
        }
    }

    /// Reads backslashes. Before a quote each pair is one backslash, and a remaining one escapes the quote.
    fn backslashes(&mut self, offset: usize) {
        self.word.begin(offset);
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

    /// Reads single quotes. The prompt does not support them, but pasted bash commands have them even if their line
    /// continuations were changed to carets.
    fn single_quoted(&mut self, offset: usize) {
        self.word.begin(offset);
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

/// Whether a text has a variable such as `%TOKEN%`. A name of one or two characters is not counted, because it may be
/// percent-encoding.
fn has_variable(text: &str) -> bool {
    let mut pieces = text.split('%').skip(1).peekable();
    std::iter::from_fn(|| pieces.next().filter(|_| pieces.peek().is_some()))
        .any(|name| name.len() > 2 && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_'))
}
