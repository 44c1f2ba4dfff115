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
    pub(super) per_evaluation: u64,
    pub(super) per_text_unit: u64,
    pub(super) per_name_unit: u64,
    /// How often the schemas applied in place are evaluated.
    pub(super) rounds: usize,
    pub(super) compares_items: bool,
}

impl Default for Rates {
    fn default() -> Self {
        Self { per_evaluation: 1, per_text_unit: 0, per_name_unit: 0, rounds: 1, compares_items: false }
    }
}

impl Rates {
    pub(in super::super) fn of(keywords: &Map<String, Value>) -> Self {
        let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
        let (pattern, name_patterns) = patterns(keywords);
        let reads_texts = has(&["format", "minLength", "maxLength", "contentEncoding", "contentMediaType"]);
        let lists = ["enum", "const", "required", "dependentRequired", "dependencies"];
        let compared: u64 = lists.iter().filter_map(|name| keywords.get(*name)).map(size).sum();
        let compiles = keywords.get("format").is_some_and(|format| format == "regex");
        Self {
            per_evaluation: 1 + compared / 8 + if compiles { PRICE_OF_COMPILING } else { 0 },
            per_text_unit: pattern.map_or(0, states) + u64::from(reads_texts),
            per_name_unit: name_patterns.map(states).sum(),
            rounds: if has(&["unevaluatedProperties", "unevaluatedItems"]) { UNEVALUATED_ROUNDS } else { 1 },
            compares_items: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
        }
    }
}

/// The pattern of texts and the patterns of names.
pub(in super::super) fn patterns(keywords: &Map<String, Value>) -> (Option<&str>, impl Iterator<Item = &str>) {
    let names = keywords.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    (keywords.get("pattern").and_then(Value::as_str), names.map(String::as_str))
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
pub(in super::super) fn states(pattern: &str) -> u64 {
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
