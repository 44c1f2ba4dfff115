//! Percent-encoding as RFC 6570 wants it, which is not what the `percent-encoding` crate offers: reserved
//! expansion keeps `%41` that is already there and encodes a `%` that starts nothing.

use std::fmt::Write as _;

/// Which characters survive expansion as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Letters, digits and `-._~`.
    Unreserved,
    /// Those, the delimiters of a URI, and triplets already encoded.
    Reserved,
}

/// Appends `text` in the form in which it may stand in a URI.
pub(super) fn push_encoded(out: &mut String, text: &str, keep: Keep) {
    for unit in units(text, keep) {
        match unit.chars().next() {
            Some('%') if unit.len() == TRIPLET_LEN => out.push_str(&unit.to_ascii_uppercase()),
            Some(character) if is_kept(character, keep) => out.push(character),
            _ => push_triplets(out, unit),
        }
    }
}

/// The text a prefix modifier leaves: section 2.4.1 counts a triplet that is kept as one character.
pub(super) fn prefix(text: &str, length: usize, keep: Keep) -> String {
    units(text, keep).take(length).collect()
}

/// Characters, or whole triplets where those are kept.
fn units(text: &str, keep: Keep) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (unit, tail) = match triplet(rest) {
            Some(split) if keep == Keep::Reserved => split,
            _ => rest.split_at_checked(first.len_utf8())?,
        };
        rest = tail;
        Some(unit)
    })
}

/// A URI or literal in the one spelling the matcher compares: ASCII, upper-case triplets.
pub(super) fn normalized(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_encoded(&mut out, text, Keep::Reserved);
    out
}

const TRIPLET_LEN: usize = 3;

/// Splits `%41` off the front, where there is one.
pub(super) fn triplet(text: &str) -> Option<(&str, &str)> {
    let (head, tail) = text.split_at_checked(TRIPLET_LEN)?;
    let digits = head.strip_prefix('%')?;
    digits.chars().all(|digit| digit.is_ascii_hexdigit()).then_some((head, tail))
}

fn is_kept(character: char, keep: Keep) -> bool {
    let is_unreserved = character.is_ascii_alphanumeric() || "-._~".contains(character);
    is_unreserved || (keep == Keep::Reserved && ":/?#[]@!$&'()*+,;=".contains(character))
}

fn push_triplets(out: &mut String, text: &str) {
    for byte in text.bytes() {
        // Writing to a String cannot fail.
        let _ = write!(out, "%{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, keep: Keep) -> String {
        let mut out = String::new();
        push_encoded(&mut out, text, keep);
        out
    }

    #[test]
    fn reserved_expansion_keeps_triplets_and_encodes_a_lone_percent_sign() {
        assert_eq!(encoded("50%25 %é%4", Keep::Reserved), "50%25%20%25%C3%A9%254");
    }

    #[test]
    fn simple_expansion_encodes_every_percent_sign() {
        assert_eq!(encoded("%41/é", Keep::Unreserved), "%2541%2F%C3%A9");
    }

    #[test]
    fn triplets_are_compared_in_upper_case() {
        assert_eq!(normalized("%c3%a9é"), "%C3%A9%C3%A9");
    }
}
