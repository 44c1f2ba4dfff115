//! Names that models can use, each once.

use std::collections::{HashMap, HashSet};

use super::spelling;

/// Longest name of an argument or a tool: what the function-calling APIs accept.
pub(super) const NAME_MAX: usize = 64;
/// What a name is cut to where a number is put behind it.
const STEM_MAX: usize = NAME_MAX - 8;

/// Names that are in use.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The last number behind each stem, so that the next is found at once.
    numbers: HashMap<String, usize>,
}

impl Names {
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes a name, or where somebody has it, the same with the next number behind it.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let stem = cut(wanted, STEM_MAX);
        let number = self.numbers.entry(stem.clone()).or_insert(1);
        loop {
            *number += 1;
            let name = format!("{stem}_{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A name of letters, digits, `_`, `.` and `-`, close to the given one.
pub(super) fn suitable(name: &str) -> String {
    let is_suitable = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let mut out = String::with_capacity(name.len());
    // signs stand between words, or at an end where nothing is put for them
    let mut is_after_sign = false;
    for c in spelling::ascii(name).chars() {
        if is_suitable(c) {
            if is_after_sign && !out.is_empty() && !out.ends_with('_') && c != '_' {
                out.push('_');
            }
            out.push(c);
        }
        is_after_sign = !is_suitable(c);
    }
    let out = cut(&out, NAME_MAX);
    if out.is_empty() { "argument".to_owned() } else { out }
}

/// A name with a word behind it.
pub(super) fn with_ending(name: &str, ending: &str) -> String {
    format!("{}_{ending}", cut(name, NAME_MAX - 1 - ending.len()))
}

/// The beginning of an ASCII name.
pub(super) fn cut(name: &str, max: usize) -> String {
    name.get(..max).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_what_models_can_write() {
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
            assert_eq!(suitable(name), expected, "{name}");
        }
        assert_eq!(suitable(&"x".repeat(100)).len(), 64);
        assert_eq!(suitable(&"é".repeat(100)), "e".repeat(64));
    }

    #[test]
    fn no_two_names_are_alike_and_none_is_too_long() {
        let mut names = Names::default();
        assert_eq!(["a", "a", "a_2", "a"].map(|name| names.take(name)), ["a", "a_2", "a_2_2", "a_3"]);
        let long = "x".repeat(64);
        assert_eq!(names.take(&long), long);
        assert_eq!(names.take(&long), format!("{}_2", "x".repeat(56)));
        assert!(names.is_taken("a_3") && !names.is_taken("a_4"));
    }
}
