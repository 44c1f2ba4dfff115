//! Redirections of input and output.

use super::Bash;
use super::here_document::HereDocument;
use crate::curl::cursor::is_blank;
use crate::curl::error::ParseError;
use crate::curl::words::ShellCommand;
use crate::curl::words::word::PartialWord;

impl Bash<'_> {
    /// Reads a redirection of input: a here-string, a here-document or a file. The content of a file is unknown.
    pub(super) fn input_redirection(&mut self, offset: usize) -> Result<(), ParseError> {
        if self.cursor.starts_with("(") {
            self.process_substitution(offset);
            return Ok(());
        }
        self.end_word();
        if self.cursor.eat("<<") {
            let text = self.redirection_word()?.unwrap_or_default();
            self.command.stdin = Some(text + "\n");
        } else if self.cursor.eat("<") {
            let document = HereDocument::parse(&mut self.cursor, offset)?;
            self.pending_documents.extend(document.map(|document| (self.commands_awaiting_documents.len(), document)));
        } else {
            self.redirection_word()?;
        }
        Ok(())
    }

    /// Skips a redirection of output.
    pub(super) fn output_redirection(&mut self) -> Result<(), ParseError> {
        // A number directly before the sign is a descriptor, as in `2>`.
        if self.word.is_bare_number() {
            self.word = PartialWord::default();
        }
        self.end_word();
        while self.cursor.eat(">") || self.cursor.eat("|") {}
        self.redirection_word()?;
        Ok(())
    }

    /// Reads the here-documents of the current line. The cursor must be at the start of the next line.
    pub(super) fn read_documents(&mut self) {
        self.end_command();
        for (index, document) in std::mem::take(&mut self.pending_documents) {
            let mut discarded = ShellCommand::default();
            let command = self.commands_awaiting_documents.get_mut(index).unwrap_or(&mut discarded);
            command.stdin = Some(document.read(&mut self.cursor, &mut command.warnings));
        }
        self.ready.append(&mut self.commands_awaiting_documents);
    }

    /// Reads a process substitution: `<(…)`.
    fn process_substitution(&mut self, offset: usize) {
        self.push(offset, '<');
        let length = self.command_length().unwrap_or(0);
        self.word.push_str(self.cursor.take(length));
    }

    /// Reads the word after the operator of a redirection: a file name, a descriptor such as `&1`, or the text of a
    /// here-string (`<<<`).
    fn redirection_word(&mut self) -> Result<Option<String>, ParseError> {
        self.cursor.eat("&");
        self.cursor.take_while(is_blank);
        while let Some(c) = self.cursor.peek() {
            let offset = self.cursor.offset();
            let is_process_substitution = c == '<' && !self.word.has_begun() && self.cursor.starts_with("<(");
            if !is_process_substitution && (c.is_whitespace() || matches!(c, ';' | '|' | '&' | '<' | '>' | '(' | ')')) {
                break;
            }
            self.cursor.bump();
            match c {
                '<' => self.process_substitution(offset),
                '\'' => self.single_quote(offset)?,
                '"' => self.double_quote(offset)?,
                '$' => self.dollar(offset)?,
                '\\' => self.backslash(offset),
                c => self.push(offset, c),
            }
        }
        Ok(self.word.finish(&mut self.command.warnings).map(|word| word.text))
    }
}
