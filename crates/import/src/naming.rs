//! Makes names of tools and arguments valid and unique.

use std::collections::{HashMap, HashSet};

use crate::spelling;

/// Maximum length of the name of an argument or tool: the limit of the function-calling APIs.
pub(crate) const NAME_MAX: usize = 64;
/// Maximum length of the part of a name before an appended `_` and a number of up to seven digits.
const STEM_MAX: usize = NAME_MAX - 8;

/// The names that are taken.
#[derive(Default)]
pub(crate) struct UniqueNames {
    taken: HashSet<String>,
    /// The last number appended to each name, so that the search for the next one does not start at 2 again.
    last_numbers: HashMap<String, usize>,
}

impl UniqueNames {
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Reserves a name. If it is taken, appends the next free number.
    pub(crate) fn take(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let stem = truncate(name, STEM_MAX);
        let number = self.last_numbers.entry(stem.clone()).or_insert(1);
        loop {
            *number += 1;
            let name = format!("{stem}_{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Converts a name to one that consists of ASCII letters, digits, `_`, `.` and `-`.
pub(crate) fn to_argument_name(name: &str) -> String {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let mut out = String::with_capacity(name.len());
    // Invalid characters between words become one underscore; at the start and end they are removed.
    let mut is_after_invalid = false;
    for c in spelling::to_ascii(name).chars() {
        if is_valid(c) {
            if is_after_invalid && !out.is_empty() && !out.ends_with('_') && c != '_' {
                out.push('_');
            }
            out.push(c);
        }
        is_after_invalid = !is_valid(c);
    }
    let out = truncate(&out, NAME_MAX);
    if out.is_empty() { "argument".to_owned() } else { out }
}

/// A name with a suffix, within the maximum length.
pub(crate) fn with_suffix(name: &str, suffix: &str) -> String {
    format!("{}_{suffix}", truncate(name, NAME_MAX - 1 - suffix.len()))
}

/// The first `max_bytes` bytes of an ASCII name.
pub(crate) fn truncate(name: &str, max_bytes: usize) -> String {
    name.get(..max_bytes).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argument_names_have_only_valid_characters() {
        for (name, expected) in [
            ("user_id", "user_id"),
            ("_id", "_id"),
            ("X-Request.Id", "X-Request.Id"),
            ("ids[]", "ids"),
            ("_ids[]", "_ids"),
            ("filter[name]", "filter_name"),
            ("filter[a][b]", "filter_a_b"),
            ("a_[b]", "a_b"),
            ("$top", "top"),
            ("a b", "a_b"),
            ("größe", "grosse"),
            ("名", "ming"),
            ("", "argument"),
            ("[]", "argument"),
        ] {
            assert_eq!(to_argument_name(name), expected, "{name}");
        }
        assert_eq!(to_argument_name(&"x".repeat(100)).len(), 64);
        assert_eq!(to_argument_name(&"é".repeat(100)), "e".repeat(64));
    }

    #[test]
    fn names_are_unique_and_within_the_maximum_length() {
        let mut names = UniqueNames::default();
        assert_eq!(["a", "a", "a_2", "a"].map(|name| names.take(name)), ["a", "a_2", "a_2_2", "a_3"]);
        let long = "x".repeat(64);
        assert_eq!(names.take(&long), long);
        assert_eq!(names.take(&long), format!("{}_2", "x".repeat(56)));
        assert!(names.is_taken("a_3") && !names.is_taken("a_4"));
    }
}
