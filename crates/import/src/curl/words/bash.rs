//! Splits text into commands and words by the rules of bash.

mod here_document;
mod leniency;
mod redirection;
mod substitution;

use std::collections::VecDeque;

use super::word::PartialWord;
use super::{CommandResult, ParseStart, ShellCommand, ansi_c, eat_up_to_continuation};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::ParseError;
use here_document::HereDocument;

/// Iterator over the commands of a bash text.
pub(super) struct Bash<'a> {
    cursor: Cursor<'a>,
    is_lenient: bool,
    /// The command being parsed.
    command: ShellCommand,
    word: PartialWord,
    /// Here-documents of this line, each with the index of its command in `commands_awaiting_documents`. Their text
    /// begins on the next line.
    pending_documents: Vec<(usize, HereDocument)>,
    /// Commands of this line that have a here-document, or follow one that has: they are complete after its text.
    commands_awaiting_documents: VecDeque<ShellCommand>,
    /// Complete commands.
    ready: VecDeque<ShellCommand>,
    /// Number of open subshells.
    subshell_depth: usize,
    /// Whether a search for the end of a `$(` reached the end of the text. The search is not repeated, because repeated
    /// searches would take quadratic time.
    has_unclosed_substitution: bool,
    /// Whether a search for a closing typographic double quote reached the end of the text.
    has_unclosed_typographic_quote: bool,
}

const ESCAPED_QUOTE_WARNING: &str = "\\' between single quotes is not valid in bash. It was imported as an apostrophe.";

/// Whether the current command continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommandState {
    Continues,
    Ends,
}

impl Iterator for Bash<'_> {
    type Item = CommandResult;

    fn next(&mut self) -> Option<CommandResult> {
        while self.ready.is_empty() && self.cursor.peek().is_some() {
            match self.step() {
                Ok(CommandState::Continues) => {}
                Ok(CommandState::Ends) => self.end_command(),
                Err(error) => {
                    self.end_word();
                    return Some(Err((error, std::mem::take(&mut self.command))));
                }
            }
        }
        if self.ready.is_empty() {
            self.end_command();
            self.ready.append(&mut self.commands_awaiting_documents);
        }
        self.ready.pop_front().map(Ok)
    }
}

impl<'a> Bash<'a> {
    pub(super) fn new(text: &'a str, ParseStart { offset, is_lenient }: ParseStart) -> Self {
        let mut cursor = Cursor::new(text);
        cursor.take(offset);
        Self {
            cursor,
            is_lenient,
            command: ShellCommand::default(),
            word: PartialWord::default(),
            pending_documents: Vec::new(),
            commands_awaiting_documents: VecDeque::new(),
            ready: VecDeque::new(),
            // If parsing starts inside `$(`, the closing parenthesis ends the command.
            subshell_depth: usize::from(text.get(..offset).is_some_and(|before| before.ends_with("$("))),
            has_unclosed_substitution: false,
            has_unclosed_typographic_quote: false,
        }
    }

    /// Reads the next character, or the construct that it begins.
    fn step(&mut self) -> Result<CommandState, ParseError> {
        let offset = self.cursor.offset();
        if self.cursor.eat_newline() {
            return Ok(self.newline());
        }
        let Some(c) = self.cursor.bump() else { return Ok(CommandState::Ends) };
        match c {
            c if is_blank(c) => self.end_word(),
            '\\' => self.backslash(offset),
            '\'' => self.single_quote(offset)?,
            '"' => self.double_quote(offset)?,
            '$' => self.dollar(offset)?,
            '`' => self.backtick(offset),
            '“' | '”' | '„' | '‘' | '’' if !self.word.has_begun() => self.typographic_quote(offset, c),
            '#' if !self.word.has_begun() => drop(self.cursor.take_while(|c| c != '\n')),
            ';' => return Ok(CommandState::Ends),
            '|' => {
                self.command.is_piped = !self.cursor.eat("|");
                return Ok(CommandState::Ends);
            }
            '&' if self.is_ampersand_of_url() => self.word.push(c),
            '&' if self.cursor.starts_with(">") => self.end_word(),
            '&' => {
                self.cursor.eat("&");
                return Ok(CommandState::Ends);
            }
            '<' => match self.placeholder_length() {
                Some(length) => {
                    self.push(offset, c);
                    self.word.push_str(self.cursor.take(length));
                }
                None => self.input_redirection(offset)?,
            },
            '>' => self.output_redirection()?,
            '(' if !self.word.has_begun() && self.command.words.is_empty() => self.subshell_depth += 1,
            ')' if self.subshell_depth > 0 => {
                self.subshell_depth -= 1;
                return Ok(CommandState::Ends);
            }
            c => {
                self.push(offset, c);
                self.word.push_str(self.cursor.take_while(is_plain));
            }
        }
        Ok(CommandState::Continues)
    }

    fn push(&mut self, offset: usize, c: char) {
        self.word.begin(offset);
        self.word.push(c);
    }

    fn end_word(&mut self) {
        self.command.words.extend(self.word.finish(&mut self.command.warnings));
    }

    /// Ends the command. The commands of a line with here-documents wait until the here-documents are read.
    fn end_command(&mut self) {
        self.end_word();
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() {
            let queue =
                if self.pending_documents.is_empty() { &mut self.ready } else { &mut self.commands_awaiting_documents };
            queue.push_back(command);
        }
    }

    /// A line break ends the command, unless the next line continues it without a backslash.
    fn newline(&mut self) -> CommandState {
        self.end_word();
        if !self.pending_documents.is_empty() {
            self.read_documents();
        }
        if self.command.words.is_empty() || eat_up_to_continuation(&mut self.cursor) {
            CommandState::Continues
        } else {
            CommandState::Ends
        }
    }

    fn backslash(&mut self, offset: usize) {
        if self.cursor.rest().is_empty() {
            // The text was copied without the next line.
            return;
        }
        if self.cursor.eat_newline() || self.cursor.eat_blank_newline() || self.eat_lost_newline() {
            return;
        }
        self.word.begin(offset);
        self.word.is_bare = false;
        if let Some(c) = self.cursor.bump() {
            self.word.push(c);
        }
    }

    fn single_quote(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        self.word.is_bare = false;
        loop {
            let quoted = self.cursor.take_while(|c| c != '\'');
            if !self.cursor.eat("'") {
                return Err(ParseError::new("the quote ' is not closed", offset));
            }
            let Some(unescaped) = quoted.strip_suffix('\\').filter(|_| self.is_lenient) else {
                self.word.push_str(quoted);
                return Ok(());
            };
            self.word.push_str(unescaped);
            self.word.push('\'');
            self.command.warnings.add(ESCAPED_QUOTE_WARNING);
        }
    }

    fn double_quote(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        self.word.is_bare = false;
        loop {
            let plain = self.cursor.take_while(|c| !matches!(c, '"' | '\\' | '$' | '`'));
            self.word.push_str(plain);
            let inner_offset = self.cursor.offset();
            match self.cursor.bump() {
                None => return Err(ParseError::new("the quote \" is not closed", offset)),
                Some('"') => return Ok(()),
                Some('\\') if self.cursor.eat_newline() => {}
                Some('\\') => match self.cursor.peek() {
                    Some(c @ ('"' | '\\' | '$' | '`')) => {
                        self.cursor.bump();
                        self.word.push(c);
                    }
                    _ => self.word.push('\\'),
                },
                Some('`') => self.backtick(inner_offset),
                Some(_) => self.substitution(),
            }
        }
    }

    fn dollar(&mut self, offset: usize) -> Result<(), ParseError> {
        self.word.begin(offset);
        if self.cursor.eat("'") {
            self.word.is_bare = false;
            return ansi_c::read(&mut self.cursor, self.word.bytes_mut());
        }
        if self.cursor.eat("\"") {
            return self.double_quote(offset);
        }
        self.substitution();
        Ok(())
    }
}

/// Whether a character has no special meaning in any part of a word.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '=' | ',' | '+' | '@' | '%')
}
