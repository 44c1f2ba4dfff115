//! Splits texts into words and formats numbers.

use std::collections::BTreeSet;

use crate::search::words::{for_each_word, is_stop_word};

/// The words of a text without stop words, in lower case and without plural endings.
pub(super) fn word_set(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for_each_word(text, |word| {
        if !is_stop_word(word) {
            words.insert(word.to_owned());
        }
    });
    words
}

/// `41220` as `41,220`.
pub(super) fn with_separators(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
