//! Here-documents: the lines behind a command that it reads.

use crate::curl::cursor::{Cursor, is_blank};
use crate::curl::error::Misread;
use crate::curl::warnings::Warnings;

/// A here-document that a line has announced.
#[derive(Debug)]
pub(super) struct HereDocument {
    /// The line that ends it.
    tag: String,
    /// Whether the shell leaves its text alone.
    is_literal: bool,
    /// Whether tabs at the start of lines are dropped.
    is_indented: bool,
}

impl HereDocument {
    /// Reads from behind the `<<`; `None` if no tag follows.
    pub(super) fn announce(cursor: &mut Cursor<'_>, at: usize) -> Result<Option<Self>, Misread> {
        let is_indented = cursor.eat("-");
        cursor.take_while(is_blank);
        let quote = cursor.peek().filter(|c| matches!(c, '\'' | '"'));
        let tag = match quote {
            Some(quote) => {
                cursor.bump();
                let tag = cursor.take_while(|c| c != quote && c != '\n');
                if cursor.bump() != Some(quote) {
                    return Err(Misread::new("the tag of the here-document has a quote that is not closed", at));
                }
                tag
            }
            None => cursor.take_while(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | '&' | '<' | '>')),
        };
        let is_literal = quote.is_some() || tag.contains('\\');
        let tag = tag.replace('\\', "");
        Ok((!tag.is_empty()).then_some(Self { tag, is_literal, is_indented }))
    }

    /// Reads its lines; one that is not ended reaches to the end of the text.
    pub(super) fn read(&self, cursor: &mut Cursor<'_>, warnings: &mut Warnings) -> String {
        let mut text = String::new();
        while cursor.peek().is_some() {
            let line = cursor.take_line();
            let line = if self.is_indented { line.trim_start_matches('\t') } else { line };
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
            warnings.add("The here-document may hold variables of the shell; they stay as they are written.");
        }
        unescape(&text)
    }
}

/// What the shell makes of text that it does not leave alone, variables aside.
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
