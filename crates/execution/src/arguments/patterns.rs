//! What the patterns of a schema take to compile and to keep. A few characters can ask for an automaton of megabytes,
//! and how many depends on the engine, so each different pattern is built once, within what is left, and measured.
//! Before that an estimate refuses those that take long to be merely read.

use std::collections::HashSet;

use regex_automata::meta::{BuildError, Regex};
use serde_json::{Map, Value};

use super::MAX_PATTERN_BYTES;
use super::price::{patterns, states};

/// What the compiled patterns of a schema may occupy together.
const MAX_BYTES: usize = 3 << 20;

/// What a compiled pattern takes beside what it owns up to: engines, pools, texts. Small patterns are little else.
const BYTES_BESIDE: usize = 8 << 10;

/// How many states the patterns may have together, by estimate.
const MAX_STATES: u64 = 1 << 18;

/// How many characters may be read to translate the patterns, by estimate.
const MAX_CHARACTERS: usize = 1 << 20;

/// What reading a class such as `\p{L}` comes to, in states.
const PRICE_OF_A_UNICODE_CLASS: u64 = 1000;

/// What ignoring the case of a range comes to, in states: each character of Unicode may be looked at.
const PRICE_OF_FOLDING: u64 = 50_000;

/// The patterns seen so far. The compiler keeps equal ones once.
#[derive(Default)]
pub(super) struct Patterns<'a> {
    seen: HashSet<&'a str>,
    states: u64,
    characters: usize,
    bytes: usize,
}

impl<'a> Patterns<'a> {
    /// Adds those of one subschema; false if they are too much together with all before.
    pub(super) fn take(&mut self, keywords: &'a Map<String, Value>) -> bool {
        let (of_texts, of_names) = patterns(keywords);
        of_names.chain(of_texts).all(|pattern| !self.seen.insert(pattern) || self.fits(pattern))
    }

    fn fits(&mut self, pattern: &str) -> bool {
        self.states += states(pattern) * width(pattern) + to_read(pattern);
        self.characters = self.characters.saturating_add(to_translate(pattern));
        if self.states > MAX_STATES || self.characters > MAX_CHARACTERS {
            return false;
        }
        let left = MAX_BYTES - self.bytes;
        match measure(pattern, left.min(MAX_PATTERN_BYTES)) {
            Size::Bytes(bytes) => self.bytes += bytes,
            Size::TooLarge if left < MAX_PATTERN_BYTES => return false,
            // The compiler refuses it by itself and says so.
            Size::TooLarge | Size::Invalid => {}
        }
        self.bytes <= MAX_BYTES
    }
}

enum Size {
    Bytes(usize),
    TooLarge,
    Invalid,
}

/// Builds a pattern as the compiler will, which is the only way to know.
fn measure(pattern: &str, limit: usize) -> Size {
    let Ok(translated) = jsonschema_regex::to_rust_regex(pattern) else { return Size::Invalid };
    let limits = Regex::config().nfa_size_limit(Some(limit));
    match Regex::builder().configure(limits).build(&translated) {
        Ok(regex) => Size::Bytes(regex.memory_usage() + BYTES_BESIDE),
        Err(error) if is_size(&error) => Size::TooLarge,
        Err(_) => Size::Invalid,
    }
}

fn is_size(error: &BuildError) -> bool {
    error.size_limit().is_some()
}

/// What a repetition of "anything but" multiplies: all of Unicode, byte by byte.
fn width(pattern: &str) -> u64 {
    let is_wide = ["[^", ".", r"\S", r"\W", r"\D"].iter().any(|class| pattern.contains(class));
    if is_wide { 12 } else { 1 }
}

/// What it costs to read a pattern, whatever becomes of it.
fn to_read(pattern: &str) -> u64 {
    let classes = count(pattern, &[r"\p", r"\P"]);
    let has_flag = |part: &str| part.split([':', ')']).next().is_some_and(|flags| flags.contains('i'));
    let folded = if pattern.split("(?").skip(1).any(has_flag) {
        let is_ascii = pattern.is_ascii() && count(pattern, &[r"\x", r"\u", r"\U"]) == 0;
        classes + count(pattern, &[r"\S", r"\W", r"\D"]) + if is_ascii { 0 } else { count(pattern, &["-"]) }
    } else {
        0
    };
    let price = |number: usize, each: u64| u64::try_from(number).unwrap_or(MAX_STATES).saturating_mul(each);
    price(classes, PRICE_OF_A_UNICODE_CLASS).saturating_add(price(folded, PRICE_OF_FOLDING))
}

/// How many characters are read to translate a pattern: jsonschema reads it anew after each class that it replaces,
/// and what it puts there is longer.
fn to_translate(pattern: &str) -> usize {
    let (spaces, others) = (count(pattern, &[r"\s", r"\S"]), count(pattern, &[r"\w", r"\W", r"\d", r"\D"]));
    let length = pattern.len() + spaces * 160 + others * 12;
    length.saturating_mul(1 + spaces + others)
}

fn count(pattern: &str, parts: &[&str]) -> usize {
    parts.iter().map(|part| pattern.matches(part).count()).sum()
}
