//! Cuts the text of a JSON string between characters: never inside an escape or a surrogate pair.

use crate::cost::{Cost, prefix_bytes};
use crate::lexer::{escape_length, is_low_surrogate};

/// Maximum distance by which a cut is moved back to the end of a word, in bytes.
const WORD_BYTES: usize = 24;

/// The offset at which the text of a string is cut, so that the first part costs at most about `limit`. It has at least
/// one character; a short text is not cut.
pub(crate) fn head_bytes(content: &str, limit: Cost) -> usize {
    let end = prefix_bytes(content, limit);
    if end == content.len() {
        return end;
    }
    let end = end_of_word(content, end);
    let end = boundary_before(content, end);
    if end > 0 { end } else { first_character(content) }
}

/// The part of a string from `start` on that costs at most about `limit`, the offset of its end, and whether it is the
/// last part.
pub(crate) fn rest_of_text(body: &str, start: usize, limit: Cost) -> Option<(&str, usize, bool)> {
    let mut string_end = start;
    let bytes = body.as_bytes();
    while *bytes.get(string_end)? != b'"' {
        string_end += if bytes[string_end] == b'\\' { escape_length(bytes.get(string_end..)?)? } else { 1 };
    }
    let content = body.get(start..string_end)?;
    let end = head_bytes(content, limit);
    Some((content.get(..end)?, start + end, end == content.len()))
}

/// The offset after `count` characters of the string whose text starts at `start`; `None` if the string is shorter.
pub(crate) fn skip_characters(body: &str, start: usize, count: usize) -> Option<usize> {
    let bytes = body.as_bytes();
    let mut at = start;
    for _ in 0..count {
        if *bytes.get(at)? == b'"' {
            return None;
        }
        at += unit_length(bytes, at);
    }
    (*bytes.get(at)? != b'"').then_some(at)
}

/// The number of characters of the text of a string; an escape is one character.
pub(crate) fn characters(content: &str) -> usize {
    let bytes = content.as_bytes();
    let mut at = 0;
    let mut count = 0;
    while at < bytes.len() {
        at += unit_length(bytes, at);
        count += 1;
    }
    count
}

/// A cut after a blank near `end`, or `end`.
fn end_of_word(content: &str, end: usize) -> usize {
    let from = content.floor_char_boundary(end.saturating_sub(WORD_BYTES));
    let tail = content.get(from..end).unwrap_or_default();
    tail.rfind(' ').map_or(end, |blank| from + blank)
}

/// The last boundary between characters that is not after `end`.
fn boundary_before(content: &str, end: usize) -> usize {
    let bytes = content.as_bytes();
    // Starts before any escape that could reach `end`: a surrogate pair has 12 bytes. A run of backslashes is read from
    // its start.
    let mut at = end.saturating_sub(16);
    while at > 0 && (bytes[at - 1] == b'\\' || !content.is_char_boundary(at) || is_inside_escape(bytes, at)) {
        at -= 1;
    }
    let mut last = at;
    while at < end {
        last = at;
        at += unit_length(bytes, at);
    }
    if at == end { end } else { last }
}

/// Whether a backslash in the 12 bytes before `at`, the length of a surrogate pair, may start an escape that reaches
/// `at`.
fn is_inside_escape(bytes: &[u8], at: usize) -> bool {
    bytes[at.saturating_sub(12)..at].contains(&b'\\')
}

fn first_character(content: &str) -> usize {
    if content.is_empty() { 0 } else { unit_length(content.as_bytes(), 0) }
}

/// The length of the character at `at` in bytes: an escape, a surrogate pair of two escapes, or a plain character.
fn unit_length(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first() {
        Some(b'\\') => {
            let length = escape_length(rest).unwrap_or(1);
            let after = rest.get(length..).unwrap_or_default();
            let is_pair = length == 6 && is_low_surrogate(after) && !is_low_surrogate(rest);
            if is_pair { length + 6 } else { length }
        }
        Some(byte) if *byte >= 0xf0 => 4,
        Some(byte) if *byte >= 0xe0 => 3,
        Some(byte) if *byte >= 0xc0 => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_string_is_a_string() {
        let content = r#"a \"quote\" \\ back\\\\slash ü漢😀 \ud83d\ude00\u00e4\n"#.repeat(20);
        let whole: String = serde_json::from_str(&format!("\"{content}\"")).unwrap();
        for limit in [0, 1000, 2500, 7000, 50_000] {
            let body = format!("\"{content}\"");
            let (mut joined, mut at) = (String::new(), 1);
            loop {
                let (part, end, is_last) = rest_of_text(&body, at, limit).unwrap();
                joined += &serde_json::from_str::<String>(&format!("\"{part}\"")).unwrap();
                at = end;
                if is_last {
                    break;
                }
            }
            assert_eq!(joined, whole, "{limit}");
        }
        assert_eq!(characters(&content), whole.chars().count());
    }

    #[test]
    fn runs_of_backslashes_are_cut_between_escapes() {
        let content = r"\\".repeat(5000);
        for limit in [1, 3000, 100_000] {
            let end = head_bytes(&content, limit);
            assert!(end > 0 && end.is_multiple_of(2), "{limit}: {end}");
        }
    }
}
