//! A text that matches a pattern: from the description of the argument, or made from the pattern itself.

use regex_automata::meta::Regex;
use serde_json::Value;

use crate::arguments::limits::PATTERN_BYTES_MAX;

/// How many words of a description are tried.
const WORDS_MAX: usize = 100;
/// The longest text that is made from a pattern, in characters.
const SAMPLE_CHARS_MAX: usize = 40;
/// Longer patterns are not read.
const PATTERN_CHARS_MAX: usize = 200;

/// A text that the schema's pattern accepts, or, without a pattern, one that the description quotes as an example.
pub(super) fn sample(schema: &Value) -> Option<String> {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let Some(pattern) = schema.get("pattern").and_then(Value::as_str) else { return quoted_example(description) };
    if pattern.chars().nth(PATTERN_CHARS_MAX).is_some() {
        return None;
    }
    let regex = compile(pattern)?;
    let from_description = words(description).find(|word| regex.is_match(*word)).map(str::to_owned);
    from_description.or_else(|| generate(pattern).filter(|text| regex.is_match(text.as_str())))
}

fn compile(pattern: &str) -> Option<Regex> {
    let translated = jsonschema_regex::to_rust_regex(pattern).ok()?;
    let limits = Regex::config().nfa_size_limit(Some(PATTERN_BYTES_MAX));
    Regex::builder().configure(limits).build(&translated).ok()
}

/// The words of a text without the punctuation around them, those with a digit first: they look like identifiers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let trim = |word: &'static [char]| word;
    let punctuation = trim(&['"', '\'', '`', ',', '.', ';', ':', '(', ')', '“', '”']);
    let all = move || {
        text.split_whitespace()
            .take(WORDS_MAX)
            .map(move |word| word.trim_matches(punctuation))
            .filter(|word| !word.is_empty())
    };
    let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    all().filter(has_digit).chain(all().filter(move |word| !has_digit(word)))
}

/// The word after `e.g.`, `such as`, `like` or `example`.
fn quoted_example(description: &str) -> Option<String> {
    let lower = description.to_lowercase();
    ["e.g. ", "e.g.: ", "such as ", "for example ", "for example: ", "example: ", "like "].iter().find_map(|marker| {
        let at = lower.find(marker)? + marker.len();
        let rest = description.get(at..)?.split_whitespace().next()?;
        let word = rest.trim_matches(['"', '\'', '`', ',', '.', ';', ':', '(', ')', '“', '”']);
        let looks_like_value =
            word.chars().any(|c| c.is_ascii_digit() || "-_/@".contains(c)) || rest.starts_with(['"', '\'', '`']);
        (looks_like_value && word.chars().count() <= SAMPLE_CHARS_MAX).then(|| word.to_owned())
    })
}

/// A text that matches a pattern of literals, classes and repetitions; `None` for any other pattern.
fn generate(pattern: &str) -> Option<String> {
    let mut chars = pattern.trim_start_matches('^').trim_end_matches('$').chars().peekable();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        let unit = match c {
            '\\' => match chars.next()? {
                'd' => Class::new(&['1', '0', '2']),
                'w' => Class::new(&['a', 'b', 'c']),
                's' => Class::new(&[' ']),
                escaped if escaped.is_ascii_punctuation() => Class::new(&[escaped]),
                _ => return None,
            },
            '.' => Class::new(&['x']),
            '[' => read_class(&mut chars)?,
            '(' | ')' | '|' | '*' | '+' | '?' | '{' => return None,
            literal => Class::new(&[literal]),
        };
        for index in 0..read_count(&mut chars)? {
            out.push(unit.nth(index));
            if out.len() > SAMPLE_CHARS_MAX {
                return None;
            }
        }
    }
    Some(out)
}

/// Some characters of a class.
struct Class(Vec<char>);

impl Class {
    fn new(chars: &[char]) -> Self {
        Self(chars.to_vec())
    }

    fn nth(&self, index: usize) -> char {
        self.0.get(index % self.0.len().max(1)).copied().unwrap_or('x')
    }
}

/// The rest of a class such as `a-f0-9]`: the first character of each of its parts.
fn read_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Class> {
    let mut members = Vec::new();
    loop {
        match chars.next()? {
            ']' if !members.is_empty() => return Some(Class(members)),
            '^' | '[' | ']' => return None,
            '\\' => members.push(match chars.next()? {
                'd' => '1',
                'w' => 'a',
                escaped if escaped.is_ascii_punctuation() => escaped,
                _ => return None,
            }),
            first => {
                members.push(first);
                if chars.peek() == Some(&'-') {
                    chars.next();
                    match chars.next()? {
                        ']' => return Some(Class(members)),
                        '\\' => return None,
                        _ => {}
                    }
                }
            }
        }
    }
}

/// How often the preceding unit is repeated in the sample.
fn read_count(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<usize> {
    match chars.peek() {
        Some('+') => {
            chars.next();
            Some(4)
        }
        Some('*' | '?') => {
            chars.next();
            Some(0)
        }
        Some('{') => {
            chars.next();
            let digits: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_digit)).take(3).collect();
            while chars.next()? != '}' {}
            digits.parse().ok().filter(|count| *count <= SAMPLE_CHARS_MAX)
        }
        _ => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn samples_match_their_pattern() {
        for pattern in ["^agt_[a-f0-9]+$", r"^T-\d{4}$", "^[A-Z]{3}$", r"^\d{4}-\d{2}$", "^v1$", "[a-z]+@[a-z]+"] {
            let found = sample(&json!({"pattern": pattern})).unwrap_or_else(|| panic!("{pattern}"));
            assert!(compile(pattern).unwrap().is_match(found.as_str()), "{pattern}: {found}");
        }
        for pattern in ["^(a|b)$", "^a{9999}$", "(", "^[^a]$", r"\p{L}+", "^$x"] {
            assert_eq!(sample(&json!({"pattern": pattern})), None, "{pattern}");
        }
    }

    #[test]
    fn a_sample_in_the_description_is_preferred_to_a_generated_one() {
        let schema = json!({"pattern": "^agt_[a-f0-9]+$", "description": "Id of an agent (`agt_31c0`)."});
        assert_eq!(sample(&schema).as_deref(), Some("agt_31c0"));
        assert_eq!(sample(&json!({"description": "Id, e.g. T-1001."})).as_deref(), Some("T-1001"));
        assert_eq!(sample(&json!({"description": "Something like a name."})), None);
    }
}
