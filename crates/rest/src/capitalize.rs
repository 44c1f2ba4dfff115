//! Upper-case initials for header names and operation ids.

/// The text with its first letter in upper case.
pub(crate) fn capitalize(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
