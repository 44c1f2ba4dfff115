//! What bash would not read as it was meant: characters get lost on the way from a page to a text field.

use super::Bash;
use crate::curl::cursor::is_blank;
use crate::curl::words::goes_on;

/// Longest `<placeholder>`, in characters.
const PLACEHOLDER_MAX: usize = 64;

impl Bash<'_> {
    /// Moves to the next line that says something, if that goes on with the command: the backslash before it was lost.
    pub(super) fn eat_up_to_continuation(&mut self) -> bool {
        let next = self.cursor.rest().trim_start();
        let is_continued = goes_on(next);
        if is_continued {
            // All at once: each of many empty lines would look as far ahead.
            self.cursor.take(self.cursor.rest().len() - next.len());
        }
        is_continued
    }

    /// Moves to the next word if the line break was lost that this backslash stood before.
    pub(super) fn eat_lost_newline(&mut self) -> bool {
        let after = self.cursor.rest().trim_start_matches(is_blank);
        let blanks = self.cursor.rest().len() - after.len();
        let is_lost = !self.word.has_begun() && (blanks > 1 || blanks == 1 && goes_on(after));
        if is_lost {
            self.cursor.take(blanks);
        }
        is_lost
    }

    /// Quotes that a word processor made round. What is between them had straight ones as well.
    pub(super) fn round_quote(&mut self, at: usize, open: char) {
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
    pub(super) fn is_part_of_url(&self) -> bool {
        let is_glued = self.cursor.peek().is_some_and(|next| !next.is_whitespace() && !matches!(next, '&' | '>'));
        is_glued && self.word.is_bare_url()
    }

    /// How long the rest is of something like `<token>`, which documents write where a value is missing.
    pub(super) fn placeholder_length(&self) -> Option<usize> {
        let rest = self.cursor.rest();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
        let (end, after) = rest.char_indices().take(PLACEHOLDER_MAX).find(|(_, c)| !is_name(*c))?;
        let name = rest.get(..end)?;
        let is_one = name.starts_with(char::is_alphabetic) && !name.ends_with(' ') && after == '>';
        is_one.then_some(end + 1)
    }
}
