//! Where a command reads from and writes to.

use super::here_document::HereDocument;
use super::{Bash, Command, PartialWord};
use crate::curl::cursor::is_blank;
use crate::curl::error::Misread;

impl Bash<'_> {
    /// Input comes from a here-string, a here-document or a file; of these only the file is not in the text.
    pub(super) fn input(&mut self, at: usize) -> Result<(), Misread> {
        if self.cursor.starts_with("(") {
            self.process(at, '<');
            return Ok(());
        }
        self.end_word();
        if self.cursor.eat("<<") {
            let text = self.target()?.unwrap_or_default();
            self.command.stdin = Some(text + "\n");
        } else if self.cursor.eat("<") {
            let announced = HereDocument::announce(&mut self.cursor, at)?;
            self.announced.extend(announced.map(|document| (self.waiting.len(), document)));
        } else {
            self.target()?;
        }
        Ok(())
    }

    /// Output goes somewhere; where to is not ours to know.
    pub(super) fn output(&mut self) -> Result<(), Misread> {
        if self.word.is_bare_number() {
            self.word = PartialWord::default();
        }
        self.end_word();
        while self.cursor.eat(">") || self.cursor.eat("|") {}
        self.target()?;
        Ok(())
    }

    /// Reads the here-documents of a line, which is at its end.
    pub(super) fn read_documents(&mut self) {
        self.end_command();
        for (number, document) in std::mem::take(&mut self.announced) {
            let mut spare = Command::default();
            let command = self.waiting.get_mut(number).unwrap_or(&mut spare);
            command.stdin = Some(document.read(&mut self.cursor, &mut command.warnings));
        }
        self.ready.append(&mut self.waiting);
    }

    /// What another command reads or writes, under the name of a file: `<(…)`.
    fn process(&mut self, at: usize, sign: char) {
        self.push(at, sign);
        let length = self.command_length().unwrap_or(0);
        self.word.push_str(self.cursor.take(length));
    }

    /// The word that a redirection is followed by; `&1` is one.
    fn target(&mut self) -> Result<Option<String>, Misread> {
        self.cursor.eat("&");
        self.cursor.take_while(is_blank);
        while let Some(c) = self.cursor.peek() {
            let at = self.cursor.at();
            let is_process = c == '<' && !self.word.has_begun() && self.cursor.starts_with("<(");
            if !is_process && (c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>' | '(' | ')')) {
                break;
            }
            self.cursor.bump();
            match c {
                '<' => self.process(at, c),
                '\'' => self.single_quote(at)?,
                '"' => self.double_quote(at)?,
                '$' => self.dollar(at)?,
                '\\' => self.backslash(at),
                c => self.push(at, c),
            }
        }
        Ok(self.word.finish(&mut self.command.warnings).map(|word| word.text))
    }
}
