//! Lenient rules for text that was damaged by copying, such as lost backslashes and typographic quotes.

use super::Bash;
use crate::curl::cursor::is_blank;
use crate::curl::words::is_continuation;

/// Maximum length of a `<placeholder>`, in characters.
const PLACEHOLDER_MAX: usize = 64;

impl Bash<'_> {
    /// Moves to the next word if the line break after a backslash was lost: several blanks follow, or one blank and an
    /// option or a URL. Returns whether it did.
    pub(super) fn eat_lost_newline(&mut self) -> bool {
        let after = self.cursor.rest().trim_start_matches(is_blank);
        let blanks = self.cursor.rest().len() - after.len();
        let is_lost = !self.word.has_begun() && (blanks > 1 || blanks == 1 && is_continuation(after));
        if is_lost {
            self.cursor.take(blanks);
        }
        is_lost
    }

    /// Reads text between typographic quotes, which word processors write. Typographic quotes inside it become
    /// straight quotes.
    pub(super) fn typographic_quote(&mut self, offset: usize, open: char) {
        let is_double = !matches!(open, '‘' | '’');
        let is_closing: fn(char) -> bool =
            if is_double { |c| matches!(c, '“' | '”') } else { |c| matches!(c, '‘' | '’') };
        self.word.begin(offset);
        if is_double && self.has_unclosed_typographic_quote || !self.cursor.rest().contains(is_closing) {
            self.has_unclosed_typographic_quote |= is_double;
            self.word.push(open);
            return;
        }
        self.word.is_bare = false;
        let quoted = self.cursor.take_while(|c| !is_closing(c)).replace(['“', '”'], "\"").replace(['‘', '’'], "'");
        self.cursor.bump();
        self.word.push_str(&quoted);
        self.command.warnings.add("The command has typographic quotes. They were imported as straight quotes.");
    }

    /// Whether the `&` before the cursor is part of a URL that was pasted without quotes.
    pub(super) fn is_ampersand_of_url(&self) -> bool {
        let is_attached = self.cursor.peek().is_some_and(|next| !next.is_whitespace() && !matches!(next, '&' | '>'));
        is_attached && self.word.is_bare_url()
    }

    /// The length in bytes of a placeholder such as `<token>`, which documentation uses for missing values; without the
    /// `<`, which is before the cursor.
    pub(super) fn placeholder_length(&self) -> Option<usize> {
        let rest = self.cursor.rest();
        let is_name_char = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
        let (end, after) = rest.char_indices().take(PLACEHOLDER_MAX).find(|(_, c)| !is_name_char(*c))?;
        let name = rest.get(..end)?;
        let is_placeholder = name.starts_with(char::is_alphabetic) && !name.ends_with(' ') && after == '>';
        is_placeholder.then_some(end + 1)
    }
}
