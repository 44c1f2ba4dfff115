//! Percent-encoding as RFC 6570 requires. The `percent-encoding` crate cannot do it: reserved expansion preserves
//! existing triplets such as `%41` and encodes any other `%`.

use std::fmt::Write as _;

/// The characters that expansion does not encode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnencodedSet {
    /// Letters, digits and `-._~`.
    Unreserved,
    /// The unreserved characters, the delimiters of a URI, and existing triplets.
    Reserved,
}

/// Appends `text`, percent-encoded for a URI.
pub(super) fn push_encoded(out: &mut String, text: &str, unencoded: UnencodedSet) {
    for unit in units(text, unencoded) {
        match unit.chars().next() {
            Some('%') if unit.len() == TRIPLET_LEN => out.push_str(&unit.to_ascii_uppercase()),
            Some(character) if is_unencoded(character, unencoded) => out.push(character),
            _ => push_triplets(out, unit),
        }
    }
}

/// Applies a prefix modifier. Section 2.4.1 counts an existing triplet as one character.
pub(super) fn prefix(text: &str, length: usize, unencoded: UnencodedSet) -> String {
    units(text, unencoded).take(length).collect()
}

/// Splits a text into characters, and into whole triplets if those are not encoded.
fn units(text: &str, unencoded: UnencodedSet) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (unit, tail) = match split_triplet(rest) {
            Some(split) if unencoded == UnencodedSet::Reserved => split,
            _ => rest.split_at_checked(first.len_utf8())?,
        };
        rest = tail;
        Some(unit)
    })
}

/// Converts a URI or a literal to the normal form that the matcher compares: ASCII, with upper-case triplets.
pub(super) fn normalize(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_encoded(&mut out, text, UnencodedSet::Reserved);
    out
}

/// `%` and two hexadecimal digits.
const TRIPLET_LEN: usize = 3;

/// Splits off a leading triplet such as `%41`, if there is one.
pub(super) fn split_triplet(text: &str) -> Option<(&str, &str)> {
    let (head, tail) = text.split_at_checked(TRIPLET_LEN)?;
    let digits = head.strip_prefix('%')?;
    digits.chars().all(|digit| digit.is_ascii_hexdigit()).then_some((head, tail))
}

fn is_unencoded(character: char, unencoded: UnencodedSet) -> bool {
    let is_unreserved = character.is_ascii_alphanumeric() || "-._~".contains(character);
    is_unreserved || (unencoded == UnencodedSet::Reserved && ":/?#[]@!$&'()*+,;=".contains(character))
}

fn push_triplets(out: &mut String, text: &str) {
    for byte in text.bytes() {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "%{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(text: &str, unencoded: UnencodedSet) -> String {
        let mut out = String::new();
        push_encoded(&mut out, text, unencoded);
        out
    }

    #[test]
    fn reserved_expansion_preserves_triplets_and_encodes_a_lone_percent_sign() {
        assert_eq!(encode("50%25 %é%4", UnencodedSet::Reserved), "50%25%20%25%C3%A9%254");
    }

    #[test]
    fn simple_expansion_encodes_every_percent_sign() {
        assert_eq!(encode("%41/é", UnencodedSet::Unreserved), "%2541%2F%C3%A9");
    }

    #[test]
    fn triplets_are_compared_in_upper_case() {
        assert_eq!(normalize("%c3%a9é"), "%C3%A9%C3%A9");
    }
}
