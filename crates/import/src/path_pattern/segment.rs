//! Recognises placeholders, ids and other values by the text of one segment.

use crate::request::path;
use crate::sensitivity;
use crate::shape::date_format;
use crate::spelling;
use crate::tables::PLACEHOLDER_WORDS;

/// Minimum length of a hexadecimal id. Shorter texts may be words or codes.
const HEX_ID_MIN: usize = 8;
/// Lengths of the letters before the `_` or `-` of an id such as `cus_…`.
const ID_PREFIX_LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;
/// Minimum length of the letters and digits after the prefix of an id.
const ID_STEM_MIN: usize = 6;
/// Minimum length of an id that mixes capitals, small letters and digits.
const MIXED_ID_MIN: usize = 8;
/// Minimum length of an id of capitals and digits.
const CAPITAL_ID_MIN: usize = 6;
/// Maximum length of a segment that is used as a word, in bytes.
const WORD_MAX: usize = 200;
/// Words before the name in a placeholder.
const POSSESSIVES: [&str; 4] = ["your_", "my_", "the_", "example_"];

/// The argument name for a value that is recognised by its form, such as a date.
pub(super) fn value_name(text: &str) -> Option<&'static str> {
    if date_format::detect(text) == Some("date") {
        Some("date")
    } else if sensitivity::has_email(text) {
        Some("email")
    } else if text.contains('!') {
        Some("range")
    } else {
        None
    }
}

/// Whether the form of a segment shows that it is an argument.
pub(super) fn is_argument(segment: &str, domain_label: &str) -> bool {
    is_id(segment) || placeholder_name(segment, domain_label).is_some()
}

/// The argument name for a placeholder; empty if nothing remains of its text.
pub(super) fn placeholder_name(segment: &str, domain_label: &str) -> Option<String> {
    if let Some(name) = path::placeholder_name(segment) {
        return Some(name.to_owned());
    }
    let name = enclosed_name(segment).or_else(|| is_placeholder_by_words(segment).then_some(segment))?;
    let name = spelling::to_snake_case(name);
    let name = POSSESSIVES.iter().find_map(|word| name.strip_prefix(word)).unwrap_or(&name);
    let name = name.strip_prefix(domain_label).and_then(|rest| rest.strip_prefix('_')).unwrap_or(name);
    Some(name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_owned())
}

/// The name in `<name>`, `:name`, `$NAME`, `${NAME}`, `%NAME%` or `[NAME]`.
fn enclosed_name(segment: &str) -> Option<&str> {
    let is_word = |name: &&str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let between = |open: &str, close: &str| segment.strip_prefix(open)?.strip_suffix(close);
    let inner = |open: &str, close: &str| {
        between(open, close).filter(|name| !name.is_empty() && !name.contains(['<', '>', '[', ']']))
    };
    let after_colon = || {
        segment
            .strip_prefix(':')
            .filter(is_word)
            .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_'))
    };
    inner("<", ">")
        .or_else(|| inner("[", "]"))
        .or_else(after_colon)
        .or_else(|| between("${", "}").filter(is_word))
        .or_else(|| segment.strip_prefix('$').filter(is_word))
        .or_else(|| between("%", "%").filter(|name| is_word(name) && !name.bytes().any(|b| b.is_ascii_digit())))
}

/// Whether a segment is a placeholder by its words: `YOUR_ID`, `my-index`, `ISSUE_NUMBER`, `OWNER`.
fn is_placeholder_by_words(segment: &str) -> bool {
    let has_possessive = ["your-", "your_", "my-", "my_", "YOUR_", "MY_"]
        .iter()
        .any(|word| segment.strip_prefix(word).is_some_and(|rest| !rest.is_empty()));
    let is_capital = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
    let is_constant_case = segment.contains('_') && segment.split('_').all(is_capital);
    has_possessive || is_constant_case || PLACEHOLDER_WORDS.contains(segment)
}

/// Whether a segment is an id.
pub(super) fn is_id(segment: &str) -> bool {
    let has = |is_kind: fn(&u8) -> bool| segment.bytes().any(|b| is_kind(&b));
    let has_only = |is_kind: fn(&u8) -> bool| !segment.is_empty() && segment.bytes().all(|b| is_kind(&b));
    let has_digit = has(u8::is_ascii_digit);
    has_only(u8::is_ascii_digit)
        || is_uuid(segment)
        || (segment.len() >= HEX_ID_MIN && has_digit && has_only(u8::is_ascii_hexdigit))
        || is_prefixed_id(segment)
        || is_issue_key(segment)
        || segment.contains("XXXX")
        || (segment.len() >= MIXED_ID_MIN
            && has_only(|b| b.is_ascii_alphanumeric() || b"_-".contains(b))
            && has_digit
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase))
        || (segment.len() >= CAPITAL_ID_MIN && has_digit && has_only(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
        || sensitivity::is_opaque(segment)
        || segment.len() > WORD_MAX
}

fn is_uuid(segment: &str) -> bool {
    let parts = segment.split('-').map(|part| part.bytes().all(|b| b.is_ascii_hexdigit()).then_some(part.len()));
    parts.eq([8, 4, 4, 4, 12].map(Some))
}

/// Whether a segment is an id with a prefix: `cus_…`, `file-abc123`.
fn is_prefixed_id(segment: &str) -> bool {
    segment.split_once(['_', '-']).is_some_and(|(prefix, stem)| {
        ID_PREFIX_LENGTHS.contains(&prefix.len())
            && prefix.bytes().all(|b| b.is_ascii_alphabetic())
            && stem.len() >= ID_STEM_MIN
            && stem.bytes().all(|b| b.is_ascii_alphanumeric())
            && stem.bytes().any(|b| b.is_ascii_digit())
    })
}

/// Whether a segment is the key of an issue: `EX-24`.
fn is_issue_key(segment: &str) -> bool {
    segment.split_once('-').is_some_and(|(project, number)| {
        project.len() >= 2
            && project.starts_with(|c: char| c.is_ascii_uppercase())
            && project.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinguished_from_words() {
        for id in [
            "1",
            "0042",
            "deadbeef1",
            "1234567a",
            "6F9619FF-8B86-D011-B42D-00CF4FC964FF",
            "cus_NffrFeUfNV2Hib",
            "file-abc123",
            "EX-24",
            "ACXXXXXXXX",
            "1BxiMVs0XRA5",
            "T00000000",
            "abcdefgh12345678",
        ] {
            assert!(is_id(id), "{id}");
        }
        for word in
            ["", "users", "deadbeef", "12ab", "v1", "a1b2-c3", "{id}.json", "1.5", "１", "hello-world", "BTC-USD"]
        {
            assert!(!is_id(word), "{word}");
        }
    }

    #[test]
    fn placeholders_have_names() {
        for (segment, expected) in [
            ("{userId}", "userId"),
            ("<user id>", "user_id"),
            (":id", "id"),
            ("$USER_ID", "user_id"),
            ("${userId}", "user_id"),
            ("%USER_ID%", "user_id"),
            ("[ID]", "id"),
            ("YOUR_ID", "id"),
            ("your-domain", "domain"),
            ("my-index-000001", "index"),
            ("EXAMPLE_ACCOUNT_SID", "account_sid"),
            ("HOST_ACCOUNT_SID", "account_sid"),
            ("OWNER", "owner"),
        ] {
            assert_eq!(placeholder_name(segment, "host").as_deref(), Some(expected), "{segment}");
        }
        for segment in ["", "{a}{b}", "users", "USD", "$", "$count-all", ":", "yours", "my-", "a_B"] {
            assert_eq!(placeholder_name(segment, "host"), None, "{segment}");
        }
    }
}
