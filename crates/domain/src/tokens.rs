//! Estimates how many tokens of a language model a text takes, without a vocabulary.
//!
//! The text is split as the tokenizer o200k splits it before it looks up its vocabulary ([`pieces`]). Each piece costs
//! the weights of its classes ([`weights`]). Both are fixed tables: one pass over the bytes, no allocation.

mod letters;
mod pieces;
#[cfg(test)]
mod tests;
mod weights;

use std::iter::Sum;
use std::ops::{Add, AddAssign};

pub use weights::TokenClass;

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
        let mut thousandths = 0;
        pieces::scan(text.as_bytes(), |class, count| thousandths += class.thousandths() * count);
        Self { thousandths }
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
pub fn class_counts(text: &str) -> [u64; TokenClass::ALL.len()] {
    let mut counts = [0; TokenClass::ALL.len()];
    pieces::scan(text.as_bytes(), |class, count| counts[class as usize] += count);
    counts
}
