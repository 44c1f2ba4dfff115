//! Which patterns a tool can have: those that the linear-time regex engine accepts, within its limits.
//!
//! The validation of tools compiles each pattern and limits all patterns of a schema together. The cost here is an
//! upper bound of a pattern's share of those limits.

use std::cell::RefCell;
use std::collections::HashMap;

use regex_automata::meta::Regex;

/// Maximum cost of all patterns of a schema together.
pub(super) const COST_MAX: u64 = 1_000_000;
/// Maximum cost of one pattern.
const PATTERN_COST_MAX: u64 = COST_MAX / 4;
/// Maximum length of a pattern, in bytes.
const PATTERN_BYTES_MAX: usize = 4000;
/// The limits in the validation of tools, for all patterns of a schema.
const COMPILED_BYTES: u64 = 3 << 20;
const STATES: u64 = 1 << 18;
const TRANSLATED_CHARS: u64 = 1 << 20;
/// Allowance for memory of a compiled pattern that `memory_usage` does not report.
const OVERHEAD_BYTES: u64 = 8 << 10;
/// Assumed states for each character of a pattern, because a class such as `[^a]` needs many states.
const STATES_PER_CLASS: u64 = 12;
/// Assumed states for each Unicode property such as `\p{L}`.
const STATES_PER_PROPERTY: u64 = 6000;

/// Cached costs of the patterns of a document.
#[derive(Default)]
pub(super) struct PatternCache(RefCell<HashMap<String, Option<u64>>>);

impl PatternCache {
    /// The cost of a pattern as a share of [`COST_MAX`]; `None` if a tool cannot have the pattern.
    pub(super) fn cost(&self, pattern: &str) -> Option<u64> {
        if let Some(cost) = self.0.borrow().get(pattern) {
            return *cost;
        }
        let cost = measure(pattern).filter(|cost| *cost <= PATTERN_COST_MAX);
        self.0.borrow_mut().insert(pattern.to_owned(), cost);
        cost
    }
}

fn measure(pattern: &str) -> Option<u64> {
    // Groups with flags or names are not ECMA-262, or not linear (look-around).
    let has_special_group = pattern.split("(?").skip(1).any(|group| !group.starts_with(':'));
    if pattern.len() > PATTERN_BYTES_MAX || has_special_group || has_unknown_property(pattern) {
        return None;
    }
    let cost = states(pattern) * COST_MAX / STATES + translated_chars(pattern) * COST_MAX / TRANSLATED_CHARS;
    if cost > PATTERN_COST_MAX {
        return None;
    }
    let translated = jsonschema_regex::to_rust_regex(pattern).ok()?;
    let limits = Regex::config().nfa_size_limit(Some(1 << 20));
    let regex = Regex::builder().configure(limits).build(&translated).ok()?;
    let bytes = u64::try_from(regex.memory_usage()).ok()? + OVERHEAD_BYTES;
    Some(cost + bytes * COST_MAX / COMPILED_BYTES)
}

/// Names of general categories and the usual binary properties of Unicode that ECMA-262 defines.
const PROPERTIES: [&str; 24] = [
    "LC",
    "Letter",
    "Uppercase_Letter",
    "Lowercase_Letter",
    "Mark",
    "Number",
    "Decimal_Number",
    "Punctuation",
    "Symbol",
    "Separator",
    "Space_Separator",
    "Other",
    "Control",
    "Any",
    "Assigned",
    "ASCII",
    "Alphabetic",
    "Uppercase",
    "Lowercase",
    "White_Space",
    "Emoji",
    "Emoji_Presentation",
    "ID_Start",
    "ID_Continue",
];

/// Whether a pattern has a class `\p{…}` that ECMA-262 does not define, such as `\p{Han}` for `\p{Script=Han}`:
/// validators of clients would refuse the schema.
fn has_unknown_property(pattern: &str) -> bool {
    let mut chars = pattern.char_indices();
    while let Some((_, c)) = chars.next() {
        if c != '\\' {
            continue;
        }
        let Some((at, 'p' | 'P')) = chars.next() else { continue };
        let name = pattern.get(at + 1..).and_then(|rest| rest.strip_prefix('{')?.split('}').next());
        if !name.is_some_and(is_property) {
            return true;
        }
    }
    false
}

fn is_property(name: &str) -> bool {
    let is_category = match name.as_bytes() {
        [group] => b"LMNPSZC".contains(group),
        [group, kind] => b"LMNPSZC".contains(group) && b"ultmocndlkespifcrs".contains(kind),
        _ => false,
    };
    let is_script = ["Script=", "sc=", "Script_Extensions=", "scx=", "General_Category=", "gc="]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|value| !value.is_empty()));
    is_category || is_script || PROPERTIES.contains(&name)
}

/// An upper bound of the states: a repetition adds its count, or multiplies everything before it if it repeats a group.
fn states(pattern: &str) -> u64 {
    let mut states = to_u64(pattern.len());
    let mut before = '\0';
    for (index, c) in pattern.char_indices() {
        if c == '{' {
            let counts = pattern.get(index + 1..).unwrap_or_default().split('}').next().unwrap_or_default();
            let count = counts.split(',').filter_map(|count| count.trim().parse().ok()).max().unwrap_or(1_u64).max(1);
            let repeats_group = matches!(before, ')' | '}' | '?' | '*' | '+');
            states = if repeats_group { states.saturating_mul(count) } else { states.saturating_add(count) };
        }
        before = c;
    }
    let properties = to_u64(pattern.matches("\\p").count() + pattern.matches("\\P").count());
    states.saturating_mul(STATES_PER_CLASS).saturating_add(properties * STATES_PER_PROPERTY).min(STATES)
}

/// An upper bound of the characters that the translation to Rust syntax reads: it reads the pattern again for each
/// class.
fn translated_chars(pattern: &str) -> u64 {
    let count = |classes: &[&str]| to_u64(classes.iter().map(|class| pattern.matches(class).count()).sum());
    let (spaces, others) = (count(&["\\s", "\\S"]), count(&["\\w", "\\W", "\\d", "\\D"]));
    let length = to_u64(pattern.len()) + spaces * 160 + others * 12;
    length.saturating_mul(1 + spaces + others).min(TRANSLATED_CHARS)
}

fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_properties_of_ecma_262_are_accepted() {
        let cache = PatternCache::default();
        for pattern in [r"^\p{L}+$", r"\p{Lu}", r"\P{Script=Han}", r"\p{Alphabetic}", r"\\pa", r"a\\\\pb"] {
            assert!(cache.cost(pattern).is_some(), "{pattern}");
        }
        for pattern in [r"\p{Han}", r"^[A-Za-z \p{Katakana}-]*$", r"\pL", r"\p{L", r"\p{Lx}"] {
            assert!(cache.cost(pattern).is_none(), "{pattern}");
        }
    }
}
