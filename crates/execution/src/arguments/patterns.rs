//! Limits on the patterns of a schema: memory when compiled, and time to compile. A few characters can require an
//! automaton of megabytes, depending on the engine, so each distinct pattern is built once within the remaining budget
//! and measured. An estimate first refuses patterns that would take long just to parse.

use std::collections::HashSet;

use regex_automata::meta::{BuildError, Regex};
use serde_json::{Map, Value};

use super::keyword_costs::{estimate_states, patterns};
use super::limits::PATTERN_BYTES_MAX;

/// The memory limit of all compiled patterns of a schema.
const PATTERNS_BYTES_MAX: usize = 3 << 20;

/// Memory of a compiled pattern that `memory_usage` does not report: engines, pools, texts. For a small pattern this is
/// most of its memory.
const PATTERN_OVERHEAD_BYTES: usize = 8 << 10;

/// The limit on the estimated states of all patterns.
const STATES_MAX: u64 = 1 << 18;

/// The limit on the estimated characters read to translate all patterns.
const TRANSLATED_CHARS_MAX: usize = 1 << 20;

/// The cost of parsing a class such as `\p{L}`, in states.
const UNICODE_CLASS_COST: u64 = 1000;

/// The cost of case folding a range, in states: it may visit each Unicode character.
const CASE_FOLDING_COST: u64 = 50_000;

/// The part of the limits that is used so far. Equal patterns count once, because the compiler caches them.
#[derive(Default)]
pub(super) struct PatternBudget<'a> {
    distinct: HashSet<&'a str>,
    states: u64,
    translated_chars: usize,
    compiled_bytes: usize,
}

impl<'a> PatternBudget<'a> {
    /// Adds the patterns of one subschema. Returns false if a limit is exceeded.
    pub(super) fn admit(&mut self, keywords: &'a Map<String, Value>) -> bool {
        let (for_strings, for_names) = patterns(keywords);
        for_names.chain(for_strings).all(|pattern| !self.distinct.insert(pattern) || self.add(pattern))
    }

    /// Adds one pattern. Returns false if a limit is exceeded.
    fn add(&mut self, pattern: &str) -> bool {
        self.states += estimate_states(pattern) * class_width(pattern) + parse_cost(pattern);
        self.translated_chars = self.translated_chars.saturating_add(translation_cost(pattern));
        if self.states > STATES_MAX || self.translated_chars > TRANSLATED_CHARS_MAX {
            return false;
        }
        let remaining = PATTERNS_BYTES_MAX - self.compiled_bytes;
        match measure(pattern, remaining.min(PATTERN_BYTES_MAX)) {
            CompiledSize::Bytes(bytes) => self.compiled_bytes += bytes,
            CompiledSize::TooLarge if remaining < PATTERN_BYTES_MAX => return false,
            // The schema compiler refuses the pattern later, with its own error.
            CompiledSize::TooLarge | CompiledSize::Invalid => {}
        }
        self.compiled_bytes <= PATTERNS_BYTES_MAX
    }
}

enum CompiledSize {
    Bytes(usize),
    TooLarge,
    Invalid,
}

/// Builds a pattern with the settings of the schema compiler, because its size cannot be computed otherwise.
fn measure(pattern: &str, limit_bytes: usize) -> CompiledSize {
    let Ok(translated) = jsonschema_regex::to_rust_regex(pattern) else { return CompiledSize::Invalid };
    let limits = Regex::config().nfa_size_limit(Some(limit_bytes));
    match Regex::builder().configure(limits).build(&translated) {
        Ok(regex) => CompiledSize::Bytes(regex.memory_usage() + PATTERN_OVERHEAD_BYTES),
        Err(error) if is_size_error(&error) => CompiledSize::TooLarge,
        Err(_) => CompiledSize::Invalid,
    }
}

fn is_size_error(error: &BuildError) -> bool {
    error.size_limit().is_some()
}

/// The factor for the states of a pattern: a class that matches nearly all of Unicode is encoded as about twelve UTF-8
/// byte sequences in each repetition.
fn class_width(pattern: &str) -> u64 {
    let is_wide = ["[^", ".", r"\S", r"\W", r"\D"].iter().any(|class| pattern.contains(class));
    if is_wide { 12 } else { 1 }
}

/// The cost of parsing a pattern, even if it is refused afterwards.
fn parse_cost(pattern: &str) -> u64 {
    let classes = count_matches(pattern, &[r"\p", r"\P"]);
    let has_case_flag = |part: &str| part.split([':', ')']).next().is_some_and(|flags| flags.contains('i'));
    let folded_ranges = if pattern.split("(?").skip(1).any(has_case_flag) {
        let is_ascii = pattern.is_ascii() && count_matches(pattern, &[r"\x", r"\u", r"\U"]) == 0;
        classes
            + count_matches(pattern, &[r"\S", r"\W", r"\D"])
            + if is_ascii { 0 } else { count_matches(pattern, &["-"]) }
    } else {
        0
    };
    let cost = |number: usize, each: u64| u64::try_from(number).unwrap_or(STATES_MAX).saturating_mul(each);
    cost(classes, UNICODE_CLASS_COST).saturating_add(cost(folded_ranges, CASE_FOLDING_COST))
}

/// How many characters are read to translate a pattern: jsonschema reads it again after each class that it replaces,
/// and the replacement is longer.
fn translation_cost(pattern: &str) -> usize {
    let (spaces, others) =
        (count_matches(pattern, &[r"\s", r"\S"]), count_matches(pattern, &[r"\w", r"\W", r"\d", r"\D"]));
    // Upper bounds for the lengths of the replacements.
    let length = pattern.len() + spaces * 160 + others * 12;
    length.saturating_mul(1 + spaces + others)
}

fn count_matches(pattern: &str, parts: &[&str]) -> usize {
    parts.iter().map(|part| pattern.matches(part).count()).sum()
}
