//! Properties of shaping that hold for every document.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::Value;
use toolgate_domain::shaping::Shaping;
use toolgate_shaping::ShapedText;

use crate::helpers::{all_parts, json, rules, start};

/// The shape of a document. `WrittenDocument` fills it with words that occur only once.
#[derive(Clone, Debug)]
enum DocumentShape {
    /// A text of this many words.
    Text(usize),
    Number,
    /// A value that is written as this text: an empty value or `true`.
    Literal(&'static str),
    Array(Vec<DocumentShape>),
    Object(Vec<DocumentShape>),
}

fn shapes() -> impl Strategy<Value = DocumentShape> {
    let leaf = prop_oneof![
        4 => (1..12usize).prop_map(DocumentShape::Text),
        1 => (100..250usize).prop_map(DocumentShape::Text),
        2 => Just(DocumentShape::Number),
        1 => prop::sample::select(vec!["null", "\"\"", "[]", "{}", "true"]).prop_map(DocumentShape::Literal),
    ];
    let value = leaf.prop_recursive(9, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(DocumentShape::Array),
            prop::collection::vec(inner.clone(), 0..8).prop_map(DocumentShape::Object),
            // A list of similar objects.
            (prop::collection::vec(inner, 1..4), 5..12usize)
                .prop_map(|(members, rows)| DocumentShape::Array(vec![DocumentShape::Object(members); rows])),
        ]
    });
    let root = prop::collection::vec(value.clone(), 0..8);
    prop_oneof![
        root.clone().prop_map(DocumentShape::Object),
        prop::collection::vec(value, 0..16).prop_map(DocumentShape::Array)
    ]
}

/// The text of a document, and the words and numbers in it.
struct WrittenDocument {
    text: String,
    words: Vec<String>,
    indent: bool,
}

impl WrittenDocument {
    fn new(shape: &DocumentShape, indent: bool) -> Self {
        let mut document = Self { text: String::new(), words: Vec::new(), indent };
        document.write(shape);
        document
    }

    fn word(&mut self) -> String {
        let word = format!("w{}x", self.words.len());
        self.words.push(word.clone());
        word
    }

    fn line_break(&mut self) {
        if self.indent {
            self.text.push_str("\n ");
        }
    }

    fn write(&mut self, shape: &DocumentShape) {
        match shape {
            DocumentShape::Text(words) => {
                let texts: Vec<String> = (0..*words).map(|_| self.word()).collect();
                self.text.extend(["\"é\\n", &texts.join(" "), "\""]);
            }
            DocumentShape::Number => {
                // A float would lose some of these digits.
                let word = format!("9{:08}12345678901234567890", self.words.len());
                self.text.push_str(&word);
                self.words.push(word);
            }
            DocumentShape::Literal(text) => self.text.push_str(text),
            DocumentShape::Array(elements) => self.container(elements, '[', ']'),
            DocumentShape::Object(members) => self.container(members, '{', '}'),
        }
    }

    fn container(&mut self, children: &[DocumentShape], open: char, close: char) {
        self.text.push(open);
        for (position, child) in children.iter().enumerate() {
            if position > 0 {
                self.text.push(',');
            }
            self.line_break();
            if open == '{' {
                self.text.extend(["\"key", &(position % 6).to_string(), "\":"]);
                self.line_break();
            }
            self.write(child);
        }
        self.line_break();
        self.text.push(close);
    }
}

/// How often each word occurs in the parts.
fn occurrences(parts: &[ShapedText]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    // The escape `\n` may be right before a word.
    let words = parts.iter().flat_map(|part| part.text.split(|c: char| !c.is_ascii_alphanumeric()));
    for word in words.map(|word| word.strip_prefix('n').unwrap_or(word)) {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

fn budgets() -> impl Strategy<Value = Shaping> {
    let max_tokens = prop::sample::select(vec![400, 700, 1500, 4000]);
    (max_tokens, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(max_tokens, drop_empty, tables, wrap)| {
        let mut shaping = rules(r#"{"wrap":true}"#);
        shaping.max_tokens = Some(max_tokens);
        shaping.drop_empty = drop_empty;
        shaping.tables = tables;
        shaping.wrap = wrap;
        shaping
    })
}

/// The number of elements, if the root is an array.
fn shown_elements(text: &str) -> Option<usize> {
    serde_json::from_str::<Value>(text).ok()?.as_array().map(Vec::len)
}

proptest! {
    #![proptest_config(Config { cases: 64, max_shrink_iters: 500, failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_parts_contain_every_word_exactly_once(shape in shapes(), shaping in budgets(), indent in any::<bool>()) {
        let document = WrittenDocument::new(&shape, indent);
        let parts = all_parts(&json(&document.text), &shaping);
        let counts = occurrences(&parts);
        for word in &document.words {
            prop_assert_eq!(counts.get(word.as_str()), Some(&1), "{} in {:#?}", word, parts);
        }
    }

    #[test]
    fn every_part_is_json_within_its_budget(shape in shapes(), mut shaping in budgets(), indent in any::<bool>()) {
        shaping.tables = false;
        let document = WrittenDocument::new(&shape, indent);
        let max_tokens = shaping.max_tokens.unwrap_or_default();
        for part in all_parts(&json(&document.text), &shaping) {
            prop_assert!(serde_json::from_str::<Value>(&part.text).is_ok(), "{}", part.text);
            prop_assert!(part.tokens_after * 100 <= max_tokens * 115, "{} of {}: {}", part.tokens_after, max_tokens, part.text);
        }
    }

    #[test]
    fn a_part_with_tables_is_json_or_csv(shape in shapes(), mut shaping in budgets()) {
        shaping.tables = true;
        let document = WrittenDocument::new(&shape, false);
        for part in all_parts(&json(&document.text), &shaping) {
            let is_json = serde_json::from_str::<Value>(&part.text).is_ok();
            prop_assert!(is_json || !part.text.starts_with(['{', '[']), "{}", part.text);
        }
    }

    #[test]
    fn the_reported_counts_are_those_of_the_text(shape in shapes(), mut shaping in budgets()) {
        shaping.tables = false;
        let document = WrittenDocument::new(&shape, false);
        let part = start(&json(&document.text), &shaping);
        let left_out = part.left_out.unwrap_or_default();
        prop_assert_eq!(part.text.matches(" characters)\"").count(), left_out.long_texts);
        prop_assert_eq!(part.text.matches("\"{… ").count() + part.text.matches("\"[… ").count(), left_out.subtrees);
        if let (DocumentShape::Array(elements), Some(shown)) = (&shape, shown_elements(&part.text)) {
            let left_out_of_root = elements.len() - shown;
            prop_assert!(left_out.items >= left_out_of_root);
            if left_out.items_total == elements.len() {
                prop_assert_eq!(left_out.items, left_out_of_root);
            }
        }
    }

    #[test]
    fn without_a_budget_only_white_space_and_empty_members_are_removed(shape in shapes(), indent in any::<bool>(), drop_empty in any::<bool>()) {
        let document = WrittenDocument::new(&shape, indent);
        let mut shaping = rules(r#"{"wrap":true}"#);
        shaping.drop_empty = drop_empty;
        let part = start(&json(&document.text), &shaping);
        prop_assert!(part.left_out.is_none() && part.next.is_none());
        let compact = WrittenDocument::new(&shape, false).text;
        if drop_empty {
            prop_assert_eq!(without_empty_members(&compact), part.text);
        } else {
            prop_assert_eq!(&compact, &part.text);
        }
        shaping.wrap = false;
        shaping.drop_empty = false;
        prop_assert_eq!(start(&json(&document.text), &shaping).text, document.text);
    }

    #[test]
    fn the_parts_of_any_plain_text_are_joined_to_the_same_text(text in "[a-z \\n\\r\"{}\\[\\],:é漢]{0,3000}", max_tokens in 200..600usize) {
        let mut shaping = rules(r#"{"wrap":false}"#);
        shaping.max_tokens = Some(max_tokens);
        let parts = all_parts(&toolgate_shaping::ShapingInput { media_type: "text/plain", ..json(&text) }, &shaping);
        if serde_json::from_str::<Value>(&text).is_err() {
            let joined: String = parts.iter().map(|part| part.text.as_str()).collect();
            prop_assert_eq!(joined, text);
        }
    }
}

/// Removes empty members with text replacements until there are none.
fn without_empty_members(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let mut next = text.clone();
        for key in 0..6 {
            for empty in ["null", "\"\"", "[]", "{}"] {
                for (pattern, replacement) in [
                    (format!("{{\"key{key}\":{empty},"), "{"),
                    (format!("{{\"key{key}\":{empty}}}"), "{}"),
                    (format!(",\"key{key}\":{empty},"), ","),
                    (format!(",\"key{key}\":{empty}}}"), "}"),
                ] {
                    next = next.replace(&pattern, replacement);
                }
            }
        }
        if next == text {
            return text;
        }
        text = next;
    }
}
