//! Words as bash splits them. It is lenient where people lose characters on the way: a backslash at the end of a
//! line, quotes around an address, quotes that a word processor made round.

use super::word::Draft;
use super::{Command, Read, Start, ansi_c};
use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::Misread;

mod here_document;
mod substitution;

use here_document::HereDocument;

/// The commands of a text.
pub(super) struct Bash<'a> {
    cursor: Cursor<'a>,
    is_lenient: bool,
    /// The command that is being read.
    command: Command,
    word: Draft,
    /// Here-documents announced on this line; their text begins on the next one.
    announced: Vec<HereDocument>,
    /// Brackets of subshells that are open.
    subshells: usize,
    /// Whether what a `$(` opens was looked for in vain up to the end of the text; then it is not again.
    is_never_closed: bool,
    /// Whether what ends a round double quote was.
    is_never_round: bool,
}

const ESCAPED_QUOTE: &str =
    "bash knows no \\' between single quotes; it was read as a quote, as it must have been meant.";

/// Longest `<placeholder>`, in characters.
const PLACEHOLDER_MAX: usize = 64;

/// Whether the command goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Goes,
    Ends,
}

impl Iterator for Bash<'_> {
    type Item = Read;

    fn next(&mut self) -> Option<Read> {
        while self.cursor.peek().is_some() {
            match self.step() {
                Ok(Next::Goes) => {}
                Ok(Next::Ends) => {
                    self.end_word();
                    if !self.command.words.is_empty() {
                        return Some(Ok(std::mem::take(&mut self.command)));
                    }
                    self.command = Command::default();
                }
                Err(misread) => {
                    self.end_word();
                    return Some(Err((misread, std::mem::take(&mut self.command))));
                }
            }
        }
        self.end_word();
        let command = std::mem::take(&mut self.command);
        (!command.words.is_empty()).then_some(Ok(command))
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
            word: Draft::default(),
            announced: Vec::new(),
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
            c => self.push(at, c),
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

    /// A line break ends a command, unless the next line shows that a backslash was lost before it.
    fn newline(&mut self) -> Next {
        self.end_word();
        if !self.announced.is_empty() {
            for document in std::mem::take(&mut self.announced) {
                self.command.stdin = Some(document.read(&mut self.cursor, &mut self.command.warnings));
            }
            return Next::Ends;
        }
        if self.command.words.is_empty() {
            return Next::Goes;
        }
        let next = self.cursor.rest().trim_start();
        let is_option = next.strip_prefix('-').is_some_and(|after| after.starts_with(|c: char| !c.is_whitespace()));
        let unquoted = next.trim_start_matches(['\'', '"']);
        let is_url = unquoted.starts_with("http://") || unquoted.starts_with("https://");
        if !is_option && !is_url {
            return Next::Ends;
        }
        // All at once: each of many empty lines would look as far ahead.
        let blank = self.cursor.rest().len() - next.len();
        self.cursor.take(blank);
        Next::Goes
    }

    fn backslash(&mut self, at: usize) {
        if self.cursor.eat_newline() || self.cursor.eat_blank_newline() || self.eat_lost_newline() {
            return;
        }
        self.word.begin(at);
        self.word.is_bare = false;
        if let Some(c) = self.cursor.bump() {
            self.word.push(c);
        }
    }

    /// Moves to the next word if the line break was lost that this backslash stood before.
    fn eat_lost_newline(&mut self) -> bool {
        let after = self.cursor.rest().trim_start_matches(is_blank);
        let blanks = self.cursor.rest().len() - after.len();
        let is_option = after.strip_prefix('-').is_some_and(|name| name.starts_with(char::is_alphabetic));
        let is_lost = !self.word.has_begun() && (blanks > 1 || blanks == 1 && is_option);
        if is_lost {
            self.cursor.take(blanks);
        }
        is_lost
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

    /// Quotes that a word processor made round. What is between them had straight ones as well.
    fn round_quote(&mut self, at: usize, open: char) {
        let is_double = !matches!(open, '‘' | '’');
        let is_closing: fn(char) -> bool =
            if is_double { |c| matches!(c, '“' | '”') } else { |c| matches!(c, '‘' | '’') };
        self.word.begin(at);
        if is_double && self.is_never_round || !self.cursor.rest().contains(is_closing) {
            self.is_never_round |= is_double;
            self.word.push(open);
            return;
        }
        self.word.is_bare = false;
        let quoted = self.cursor.take_while(|c| !is_closing(c)).replace(['“', '”'], "\"").replace(['‘', '’'], "'");
        self.cursor.bump();
        self.word.push_str(&quoted);
        self.command.warnings.add("The quotes are typographic ones; they were read as straight quotes.");
    }

    /// Whether an `&` stands inside of an address that was pasted without quotes.
    fn is_part_of_url(&self) -> bool {
        let is_glued = self.cursor.peek().is_some_and(|next| !next.is_whitespace() && !matches!(next, '&' | '>'));
        is_glued && self.word.is_bare_url()
    }

    /// How long the rest is of something like `<token>`, which documents write where a value is missing.
    fn placeholder_length(&self) -> Option<usize> {
        let rest = self.cursor.rest();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
        let (end, after) = rest.char_indices().take(PLACEHOLDER_MAX).find(|(_, c)| !is_name(*c))?;
        let name = rest.get(..end)?;
        let is_one = name.starts_with(char::is_alphabetic) && !name.ends_with(' ') && after == '>';
        is_one.then_some(end + 1)
    }

    /// Input comes from a here-string, a here-document or a file; of these only the file is not in the text.
    fn input(&mut self, at: usize) -> Result<(), Misread> {
        if self.cursor.starts_with("(") {
            // what another command writes, under the name of a file
            self.push(at, '<');
            let length = self.command_length().unwrap_or(0);
            self.word.push_str(self.cursor.take(length));
            return Ok(());
        }
        self.end_word();
        if self.cursor.eat("<<") {
            let text = self.target()?.unwrap_or_default();
            self.command.stdin = Some(text + "\n");
        } else if self.cursor.eat("<") {
            self.announced.extend(HereDocument::announce(&mut self.cursor, at)?);
        } else {
            self.target()?;
        }
        Ok(())
    }

    /// Output goes somewhere; where to is not ours to know.
    fn output(&mut self) -> Result<(), Misread> {
        if self.word.is_bare_number() {
            self.word = Draft::default();
        }
        self.end_word();
        while self.cursor.eat(">") || self.cursor.eat("&") || self.cursor.eat("|") {}
        self.target()?;
        Ok(())
    }

    /// The word that a redirection is followed by.
    fn target(&mut self) -> Result<Option<String>, Misread> {
        self.cursor.take_while(is_blank);
        while let Some(c) = self.cursor.peek() {
            let at = self.cursor.at();
            match c {
                c if c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>' | '(' | ')') => break,
                '\'' | '"' | '$' | '\\' => {
                    self.cursor.bump();
                    match c {
                        '\'' => self.single_quote(at)?,
                        '"' => self.double_quote(at)?,
                        '$' => self.dollar(at)?,
                        _ => self.backslash(at),
                    }
                }
                c => {
                    self.cursor.bump();
                    self.push(at, c);
                }
            }
        }
        Ok(self.word.finish(&mut self.command.warnings).map(|word| word.text))
    }
}
