//! Words as bash splits them.

mod forgiveness;
mod here_document;
mod redirection;
mod substitution;

use std::collections::VecDeque;

use super::word::PartialWord;
use super::{Command, Read, Start, ansi_c};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::Misread;
use here_document::HereDocument;

/// The commands of a text.
pub(super) struct Bash<'a> {
    cursor: Cursor<'a>,
    is_lenient: bool,
    /// The command that is being read.
    command: Command,
    word: PartialWord,
    /// Here-documents announced on this line, each with the number of its command there; their text begins on the next.
    announced: Vec<(usize, HereDocument)>,
    /// Commands of this line that wait for them.
    waiting: VecDeque<Command>,
    /// Commands that are complete.
    ready: VecDeque<Command>,
    /// Brackets of subshells that are open.
    subshells: usize,
    /// Whether what a `$(` opens was looked for in vain up to the end of the text; then it is not again.
    is_never_closed: bool,
    /// Whether what ends a round double quote was.
    is_never_round: bool,
}

const ESCAPED_QUOTE: &str =
    "bash knows no \\' between single quotes; it was read as a quote, as it must have been meant.";

/// Whether the command goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Goes,
    Ends,
}

impl Iterator for Bash<'_> {
    type Item = Read;

    fn next(&mut self) -> Option<Read> {
        while self.ready.is_empty() && self.cursor.peek().is_some() {
            match self.step() {
                Ok(Next::Goes) => {}
                Ok(Next::Ends) => self.end_command(),
                Err(misread) => {
                    self.end_word();
                    return Some(Err((misread, std::mem::take(&mut self.command))));
                }
            }
        }
        if self.ready.is_empty() {
            self.end_command();
            self.ready.append(&mut self.waiting);
        }
        self.ready.pop_front().map(Ok)
    }
}

impl<'a> Bash<'a> {
    pub(super) fn new(text: &'a str, Start { at: from, is_lenient }: Start) -> Self {
        let mut cursor = Cursor::new(text);
        cursor.take(from);
        Self {
            cursor,
            is_lenient,
            command: Command::default(),
            word: PartialWord::default(),
            announced: Vec::new(),
            waiting: VecDeque::new(),
            ready: VecDeque::new(),
            // from inside of a substitution it goes to the end of that
            subshells: usize::from(text.get(..from).is_some_and(|before| before.ends_with("$("))),
            is_never_closed: false,
            is_never_round: false,
        }
    }

    fn step(&mut self) -> Result<Next, Misread> {
        let at = self.cursor.at();
        if self.cursor.eat_newline() {
            return Ok(self.newline());
        }
        let Some(c) = self.cursor.bump() else { return Ok(Next::Ends) };
        match c {
            c if is_blank(c) => self.end_word(),
            '\\' => self.backslash(at),
            '\'' => self.single_quote(at)?,
            '"' => self.double_quote(at)?,
            '$' => self.dollar(at)?,
            '`' => self.backtick(at),
            '“' | '”' | '„' | '‘' | '’' if !self.word.has_begun() => self.round_quote(at, c),
            '#' if !self.word.has_begun() => drop(self.cursor.take_while(|c| c != '\n')),
            ';' => return Ok(Next::Ends),
            '|' => {
                self.command.is_piped = !self.cursor.eat("|");
                return Ok(Next::Ends);
            }
            '&' if self.is_part_of_url() => self.word.push(c),
            '&' if self.cursor.starts_with(">") => self.end_word(),
            '&' => {
                self.cursor.eat("&");
                return Ok(Next::Ends);
            }
            '<' => match self.placeholder_length() {
                Some(length) => {
                    self.push(at, c);
                    self.word.push_str(self.cursor.take(length));
                }
                None => self.input(at)?,
            },
            '>' => self.output()?,
            '(' if !self.word.has_begun() && self.command.words.is_empty() => self.subshells += 1,
            ')' if self.subshells > 0 => {
                self.subshells -= 1;
                return Ok(Next::Ends);
            }
            c => {
                self.push(at, c);
                self.word.push_str(self.cursor.take_while(is_plain));
            }
        }
        Ok(Next::Goes)
    }

    fn push(&mut self, at: usize, c: char) {
        self.word.begin(at);
        self.word.push(c);
    }

    fn end_word(&mut self) {
        self.command.words.extend(self.word.finish(&mut self.command.warnings));
    }

    /// Ends the command. As long as a here-document is to come, the commands of the line wait for it.
    fn end_command(&mut self) {
        self.end_word();
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() {
            let queue = if self.announced.is_empty() { &mut self.ready } else { &mut self.waiting };
            queue.push_back(command);
        }
    }

    /// A line break ends a command, unless the next line shows that a backslash was lost before it.
    fn newline(&mut self) -> Next {
        self.end_word();
        if !self.announced.is_empty() {
            self.read_documents();
        }
        if self.command.words.is_empty() || self.eat_up_to_continuation() { Next::Goes } else { Next::Ends }
    }

    fn backslash(&mut self, at: usize) {
        if self.cursor.rest().is_empty() {
            // The next line was not copied.
            return;
        }
        if self.cursor.eat_newline() || self.cursor.eat_blank_newline() || self.eat_lost_newline() {
            return;
        }
        self.word.begin(at);
        self.word.is_bare = false;
        if let Some(c) = self.cursor.bump() {
            self.word.push(c);
        }
    }

    fn single_quote(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        self.word.is_bare = false;
        loop {
            let quoted = self.cursor.take_while(|c| c != '\'');
            if !self.cursor.eat("'") {
                return Err(Misread::new("the quote ' is not closed", at));
            }
            let Some(unescaped) = quoted.strip_suffix('\\').filter(|_| self.is_lenient) else {
                self.word.push_str(quoted);
                return Ok(());
            };
            self.word.push_str(unescaped);
            self.word.push('\'');
            self.command.warnings.add(ESCAPED_QUOTE);
        }
    }

    fn double_quote(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        self.word.is_bare = false;
        loop {
            let plain = self.cursor.take_while(|c| !matches!(c, '"' | '\\' | '$' | '`'));
            self.word.push_str(plain);
            let inner = self.cursor.at();
            match self.cursor.bump() {
                None => return Err(Misread::new("the quote \" is not closed", at)),
                Some('"') => return Ok(()),
                Some('\\') if self.cursor.eat_newline() => {}
                Some('\\') => match self.cursor.peek() {
                    Some(c @ ('"' | '\\' | '$' | '`')) => {
                        self.cursor.bump();
                        self.word.push(c);
                    }
                    _ => self.word.push('\\'),
                },
                Some('`') => self.backtick(inner),
                Some(_) => self.substitution(),
            }
        }
    }

    fn dollar(&mut self, at: usize) -> Result<(), Misread> {
        self.word.begin(at);
        if self.cursor.eat("'") {
            self.word.is_bare = false;
            return ansi_c::read(&mut self.cursor, self.word.bytes());
        }
        if self.cursor.eat("\"") {
            return self.double_quote(at);
        }
        self.substitution();
        Ok(())
    }
}

/// Whether a character means nothing to the shell, wherever it stands in a word.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '=' | ',' | '+' | '@' | '%')
}
