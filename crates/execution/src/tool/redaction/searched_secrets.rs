//! Secrets that are searched for in every response. One quick pass shows that most responses contain none.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use memchr::memchr_iter;
use secrecy::SecretString;

use super::needles::{Needles, ShortSecrets};

/// Maximum length of a core. Longer ones do not improve the search.
const CORE_LENGTH_MAX: usize = 24;

/// Secrets, with a quick search that excludes most texts.
#[derive(Debug)]
pub(super) struct SearchedSecrets {
    pub(super) needles: Needles,
    /// Finds the core of a needle: its longest part of letters and digits, which every encoding leaves as it is, unless
    /// it encodes letters and digits as well. `None` if a needle has no such part.
    cores: Option<AhoCorasick>,
}

impl SearchedSecrets {
    /// `None` if the secrets exceed the limits.
    pub(super) fn new(secrets: &[SecretString]) -> Option<Self> {
        let needles = Needles::from_secrets(secrets, ShortSecrets::AsWords)?;
        let cores: Option<Vec<&[u8]>> = needles.iter().map(core).collect();
        let search = cores.and_then(|cores| {
            // This kind takes the least memory; the packed search that precedes it does most of the work.
            AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(cores).ok()
        });
        Some(Self { needles, cores: search })
    }

    /// False if the text certainly contains no secret. `has_encoded_letters` is the result of [`has_encoded_letters`].
    pub(super) fn may_be_in(&self, text: &[u8], has_encoded_letters: bool) -> bool {
        !self.needles.is_empty()
            && (has_encoded_letters || self.cores.as_ref().is_none_or(|cores| cores.is_match(text)))
    }
}

/// The longest part of letters and digits; `None` if there is none.
fn core(needle: &[u8]) -> Option<&[u8]> {
    let parts = needle.split(|byte| !byte.is_ascii_alphanumeric());
    let longest = parts.max_by_key(|part| part.len()).filter(|part| !part.is_empty())?;
    longest.get(..longest.len().min(CORE_LENGTH_MAX))
}

/// Whether a text has a letter or digit as `\u0061` or `%61`.
pub(super) fn has_encoded_letters(text: &[u8]) -> bool {
    let is_encoded = |digits: Option<&[u8]>| {
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    let in_json = |at: usize| {
        let escape = text.get(at + 1..).and_then(|rest| rest.strip_prefix(b"u00"));
        is_encoded(escape.and_then(|digits| digits.get(..2)))
    };
    memchr_iter(b'\\', text).any(in_json) || memchr_iter(b'%', text).any(|at| is_encoded(text.get(at + 1..at + 3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_letters_are_found() {
        for text in [r"a\u0061", r"\\u007A", "%41", "100% %7a"] {
            assert!(has_encoded_letters(text.as_bytes()), "{text}");
        }
        for text in ["", r"\n\u00e9\u20ac\u2f", "%2F%C3%A9", "5 % %", r"\", r"\u00", "%4"] {
            assert!(!has_encoded_letters(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_core_is_the_longest_part_of_letters_and_digits() {
        assert_eq!(core(b"ab-cdef/gh"), Some(&b"cdef"[..]));
        assert_eq!(core(b"-/-"), None);
        assert_eq!(core(&[b'x'; 100]).map(<[u8]>::len), Some(CORE_LENGTH_MAX));
    }
}
