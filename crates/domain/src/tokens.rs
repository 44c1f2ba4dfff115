//! Estimates how many tokens of a language model a text takes, without a vocabulary.
//!
//! The text is split as the tokenizer o200k splits it before it looks up its vocabulary (`pieces`). Each piece costs
//! the weights of its classes (`weights`). For pieces in ASCII, a table of states (`step_table`) finds the cost. The
//! estimate takes one pass over the bytes and does not allocate.

mod letters;
mod pieces;
mod states;
mod step_table;
mod steps;
mod symbols;
#[cfg(test)]
mod tests;
mod weights;
mod words;

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use pieces::PieceSink;
use step_table::DecidedPieces;
use words::AsciiWord;

pub use weights::{ClassCounts, TokenClass};

/// The estimated tokens of a text, rounded up.
pub fn estimate(text: &str) -> usize {
    TokenCount::from_text(text).tokens()
}

/// Estimated tokens in thousandths, so that the counts of many parts add up without a rounding error for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenCount {
    thousandths: u64,
}

impl TokenCount {
    /// Estimates one text.
    pub fn from_text(text: &str) -> Self {
        let mut count = Self::default();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let decided = DecidedPieces::new(rest);
            count.thousandths += decided.cost;
            rest = &rest[decided.length..];
            rest = &rest[pieces::scan_outside_ascii(rest, &mut count)..];
        }
        count
    }

    /// Thousandths of tokens.
    pub fn thousandths(self) -> u64 {
        self.thousandths
    }

    /// Whole tokens, rounded up.
    pub fn tokens(self) -> usize {
        usize::try_from(self.thousandths.div_ceil(1000)).unwrap_or(usize::MAX)
    }
}

impl PieceSink for TokenCount {
    fn add(&mut self, class: TokenClass, count: u64) {
        self.thousandths += class.thousandths() * count;
    }

    fn add_word(&mut self, word: AsciiWord) {
        self.thousandths += word.cost();
    }
}

impl Add for TokenCount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { thousandths: self.thousandths.saturating_add(other.thousandths) }
    }
}

impl AddAssign for TokenCount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for TokenCount {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

/// How often each class occurs in a text, in the order of [`TokenClass::ALL`]. `bench/token_weights.rs` fits the
/// weights to these counts.
pub fn class_counts(text: &str) -> ClassCounts {
    let mut counts = [0; _];
    pieces::scan(text.as_bytes(), &mut counts);
    counts
}

impl PieceSink for ClassCounts {
    fn add(&mut self, class: TokenClass, count: u64) {
        self[class as usize] += count;
    }

    fn add_word(&mut self, word: AsciiWord) {
        for (sum, count) in self.iter_mut().zip(word.class_counts()) {
            *sum += count;
        }
    }
}
