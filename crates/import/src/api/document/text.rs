//! Removes characters that the texts of a document must not contain.

use std::borrow::Cow;

/// Whether a character hides the meaning of a text: bidirectional embeddings, overrides and isolates, and tags. The
/// rules for tools refuse them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether YAML forbids a character, also within quotes.
fn is_forbidden_in_yaml(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}'
        | '\u{FFFE}' | '\u{FFFF}')
}

/// A string of the document without invisible characters, and how many there were.
pub(super) fn without_invisible(text: Cow<'_, str>) -> (String, usize) {
    // All invisible characters have three bytes or more, so ASCII texts are not searched.
    if text.is_ascii() { (text.into_owned(), 0) } else { without(text, is_invisible) }
}

/// The source of a YAML document without forbidden characters, and how many there were.
pub(super) fn printable_yaml(source: &str) -> (Cow<'_, str>, usize) {
    if !source.chars().any(is_forbidden_in_yaml) {
        return (Cow::Borrowed(source), 0);
    }
    let (text, removed) = without(Cow::Borrowed(source), is_forbidden_in_yaml);
    (Cow::Owned(text), removed)
}

fn without(text: Cow<'_, str>, is_removed: fn(char) -> bool) -> (String, usize) {
    let removed = text.chars().filter(|c| is_removed(*c)).count();
    if removed == 0 { (text.into_owned(), 0) } else { (text.chars().filter(|c| !is_removed(*c)).collect(), removed) }
}
