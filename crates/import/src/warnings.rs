//! Warnings about parts of a request that a tool cannot represent.

use std::borrow::Cow;

use indexmap::IndexSet;
use serde::Serialize;

/// Maximum number of warnings. Only machine-generated input causes more.
const WARNINGS_MAX: usize = 50;

/// Distinct sentences, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Warnings(IndexSet<Cow<'static, str>>);

impl Warnings {
    pub(crate) fn add(&mut self, sentence: impl Into<Cow<'static, str>>) {
        let sentence = sentence.into();
        // A long text often repeats its last warning: this comparison is cheaper than hashing the sentence.
        let is_repeated = self.0.last() == Some(&sentence);
        if !is_repeated && self.0.len() < WARNINGS_MAX {
            self.0.insert(sentence);
        }
    }

    /// Adds a warning regardless of [`WARNINGS_MAX`].
    pub(crate) fn add_unlimited(&mut self, sentence: String) {
        self.0.insert(sentence.into());
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        for sentence in &other.0 {
            self.add(sentence.clone());
        }
    }

    /// Removes the warnings that contain a text.
    pub(crate) fn remove_containing(&mut self, part: &str) {
        self.0.retain(|sentence| !sentence.contains(part));
    }

    /// The sentences.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(AsRef::as_ref)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
