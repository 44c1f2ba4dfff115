//! What the keywords of a schema cost, estimated once when it is compiled. Estimates err on the dear side.

use serde_json::{Map, Value};

/// How often jsonschema may look at the neighbours of `unevaluatedProperties` or `unevaluatedItems`.
const UNEVALUATED_ROUNDS: usize = 3;

/// Compiling a pattern that came as an argument.
const PRICE_OF_COMPILING: u64 = 50_000;

/// A pattern has at most so many states, else it is too large to be compiled.
const MAX_PATTERN_STATES: u64 = 1 << 16;

/// What a class such as `\p{L}` comes to.
const STATES_OF_A_UNICODE_CLASS: u64 = 300;

/// What the keywords of one schema cost by themselves.
#[derive(Debug)]
pub(in super::super) struct Rates {
    /// The states of all its patterns, which are paid for once, when the schema is compiled.
    pub(in super::super) to_compile: u64,
    pub(super) per_evaluation: u64,
    pub(super) per_text_unit: u64,
    pub(super) per_name_unit: u64,
    /// How often the schemas applied in place are evaluated.
    pub(super) rounds: usize,
    pub(super) compares_items: bool,
}

impl Default for Rates {
    fn default() -> Self {
        Self { to_compile: 0, per_evaluation: 1, per_text_unit: 0, per_name_unit: 0, rounds: 1, compares_items: false }
    }
}

impl Rates {
    pub(in super::super) fn of(keywords: &Map<String, Value>) -> Self {
        let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
        let pattern = keywords.get("pattern").and_then(Value::as_str);
        let reads_texts = has(&["format", "minLength", "maxLength", "contentEncoding", "contentMediaType"]);
        let lists = ["enum", "const", "required", "dependentRequired", "dependencies"];
        let compared: u64 = lists.iter().filter_map(|name| keywords.get(*name)).map(size).sum();
        let compiles = keywords.get("format").is_some_and(|format| format == "regex");
        let name_patterns =
            keywords.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        let name_patterns = name_patterns.map(String::as_str);
        Self {
            per_evaluation: 1 + compared / 8 + if compiles { PRICE_OF_COMPILING } else { 0 },
            per_text_unit: pattern.map_or(0, states) + u64::from(reads_texts),
            per_name_unit: name_patterns.clone().map(states).sum(),
            to_compile: name_patterns.chain(pattern).map(|pattern| states(pattern) * width(pattern)).sum(),
            rounds: if has(&["unevaluatedProperties", "unevaluatedItems"]) { UNEVALUATED_ROUNDS } else { 1 },
            compares_items: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
        }
    }
}

/// How many values there are in a value.
fn size(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// About how many states the automaton of a pattern has: a counted repetition adds its count, or
/// multiplies everything where it may repeat another one.
fn states(pattern: &str) -> u64 {
    let classes = pattern.matches(r"\p").chain(pattern.matches(r"\P")).count();
    let count = |number: usize| u64::try_from(number).unwrap_or(MAX_PATTERN_STATES);
    let mut states = count(pattern.len()) + count(classes) * STATES_OF_A_UNICODE_CLASS;
    let mut before = "";
    for part in pattern.split('{') {
        let counts = part.split('}').next().unwrap_or_default().split(',');
        let count = counts.filter_map(|count| count.parse().ok()).max().unwrap_or(1_u64);
        if before.ends_with([')', '}', '?', '*', '+']) {
            states = states.saturating_mul(count.max(1));
        } else if !before.is_empty() {
            states = states.saturating_add(count);
        }
        before = part;
    }
    states.min(MAX_PATTERN_STATES)
}

/// What a repetition of "anything but" multiplies: all of Unicode, byte by byte.
fn width(pattern: &str) -> u64 {
    let is_wide = ["[^", ".", r"\S", r"\W", r"\D"].iter().any(|class| pattern.contains(class));
    if is_wide { 12 } else { 1 }
}
