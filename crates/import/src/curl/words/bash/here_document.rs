//! Here-documents: lines after a command that become its standard input.

use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::ParseError;
use crate::warnings::Warnings;

/// The redirection of a here-document.
#[derive(Debug)]
pub(super) struct HereDocument {
    /// The line that ends the document.
    tag: String,
    /// Whether the shell expands nothing in the document.
    is_literal: bool,
    /// Whether leading tabs are removed from each line.
    strips_tabs: bool,
}

impl HereDocument {
    /// Parses the text after `<<`; `None` if no tag follows.
    pub(super) fn parse(cursor: &mut Cursor<'_>, offset: usize) -> Result<Option<Self>, ParseError> {
        let strips_tabs = cursor.eat("-");
        cursor.take_while(is_blank);
        let quote = cursor.peek().filter(|c| matches!(c, '\'' | '"'));
        let tag = match quote {
            Some(quote) => {
                cursor.bump();
                let tag = cursor.take_while(|c| c != quote && c != '\n');
                if cursor.bump() != Some(quote) {
                    return Err(ParseError::new("the tag of the here-document has a quote that is not closed", offset));
                }
                tag
            }
            None => cursor.take_while(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | '&' | '<' | '>')),
        };
        let is_literal = quote.is_some() || tag.contains('\\');
        let tag = tag.replace('\\', "");
        Ok((!tag.is_empty()).then_some(Self { tag, is_literal, strips_tabs }))
    }

    /// Reads the lines of the document. A document without an end reaches to the end of the text.
    pub(super) fn read(&self, cursor: &mut Cursor<'_>, warnings: &mut Warnings) -> String {
        let mut text = String::new();
        while cursor.peek().is_some() {
            let line = cursor.take_line();
            let line = if self.strips_tabs { line.trim_start_matches('\t') } else { line };
            if line.trim_end() == self.tag {
                break;
            }
            text.push_str(line);
            text.push('\n');
        }
        if self.is_literal {
            return text;
        }
        if text.contains(['$', '`']) {
            warnings.add("The here-document may contain shell variables. They are not expanded.");
        }
        unescape(&text)
    }
}

/// Removes the escapes of a here-document that the shell expands. Variables are not expanded.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some('\n') if c == '\\' => drop(chars.next()),
            Some('\\' | '$' | '`') if c == '\\' => out.extend(chars.next()),
            _ => out.push(c),
        }
    }
    out
}
