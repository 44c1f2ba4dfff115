//! The cost of the keywords of a schema, estimated once when it is compiled. Estimates are upper bounds.

use serde_json::{Map, Value};

/// How many times jsonschema may evaluate the sibling keywords of `unevaluatedProperties` or `unevaluatedItems`.
const UNEVALUATED_PASSES: usize = 3;

/// The cost of compiling a pattern that is passed as an argument.
const PATTERN_COMPILE_COST: u64 = 50_000;

/// The maximum number of states of a pattern: a larger one is refused when it is compiled.
const PATTERN_STATES_MAX: u64 = 1 << 16;

/// The estimated number of states of a class such as `\p{L}`.
const UNICODE_CLASS_STATES: u64 = 300;

/// The cost of the keywords of one schema, without its subschemas.
#[derive(Debug)]
pub(super) struct KeywordCosts {
    pub(super) per_evaluation: u64,
    /// The cost for every 32 bytes of a string value.
    pub(super) per_text_unit: u64,
    /// The cost for every 32 bytes of a property name.
    pub(super) per_name_unit: u64,
    /// How many times the in-place subschemas are evaluated.
    pub(super) in_place_passes: usize,
    /// Whether the items of an array are compared with each other.
    pub(super) compares_items: bool,
}

impl Default for KeywordCosts {
    fn default() -> Self {
        Self { per_evaluation: 1, per_text_unit: 0, per_name_unit: 0, in_place_passes: 1, compares_items: false }
    }
}

impl KeywordCosts {
    pub(super) fn from_keywords(keywords: &Map<String, Value>) -> Self {
        let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
        let (pattern, name_patterns) = patterns(keywords);
        let reads_texts = has(&["format", "minLength", "maxLength", "contentEncoding", "contentMediaType"]);
        let compared_keywords = ["enum", "const", "required", "dependentRequired", "dependencies"];
        let compared_values: u64 =
            compared_keywords.iter().filter_map(|name| keywords.get(*name)).map(count_values).sum();
        let compiles_pattern = keywords.get("format").is_some_and(|format| format == "regex");
        Self {
            // Eight comparisons take about one cost unit.
            per_evaluation: 1 + compared_values / 8 + if compiles_pattern { PATTERN_COMPILE_COST } else { 0 },
            per_text_unit: pattern.map_or(0, estimate_states) + u64::from(reads_texts),
            per_name_unit: name_patterns.map(estimate_states).sum(),
            in_place_passes: if has(&["unevaluatedProperties", "unevaluatedItems"]) { UNEVALUATED_PASSES } else { 1 },
            compares_items: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
        }
    }
}

/// The pattern for strings, and the patterns for property names.
pub(super) fn patterns(keywords: &Map<String, Value>) -> (Option<&str>, impl Iterator<Item = &str>) {
    let names = keywords.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    (keywords.get("pattern").and_then(Value::as_str), names.map(String::as_str))
}

/// The number of values in a value, itself included.
pub(super) fn count_values(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(count_values).sum(),
        Value::Object(members) => members.values().map(count_values).sum(),
        _ => 0,
    }
}

/// Estimates the number of states of a pattern's automaton: a counted repetition adds its count, or multiplies the
/// total where it may repeat another repetition.
pub(super) fn estimate_states(pattern: &str) -> u64 {
    let classes = pattern.matches(r"\p").chain(pattern.matches(r"\P")).count();
    let to_u64 = |number: usize| u64::try_from(number).unwrap_or(PATTERN_STATES_MAX);
    let mut states = to_u64(pattern.len()) + to_u64(classes) * UNICODE_CLASS_STATES;
    let mut previous = "";
    for part in pattern.split('{') {
        let counts = part.split('}').next().unwrap_or_default().split(',');
        let repetitions = counts.filter_map(|count| count.parse().ok()).max().unwrap_or(1_u64);
        if previous.ends_with([')', '}', '?', '*', '+']) {
            states = states.saturating_mul(repetitions.max(1));
        } else if !previous.is_empty() {
            states = states.saturating_add(repetitions);
        }
        previous = part;
    }
    states.min(PATTERN_STATES_MAX)
}
