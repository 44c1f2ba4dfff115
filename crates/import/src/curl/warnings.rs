//! What was understood but does not fit into a tool.

use std::borrow::Cow;

use indexmap::IndexSet;
use serde::{Serialize, Serializer};

/// Most sentences; a text with more to complain about is no command that anybody wrote.
const COUNT_MAX: usize = 50;

/// Sentences, each once, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Warnings(IndexSet<Cow<'static, str>>);

impl Warnings {
    pub(super) fn add(&mut self, sentence: impl Into<Cow<'static, str>>) {
        let sentence = sentence.into();
        // the same one again is the rule in a long text
        let is_known = self.0.last() == Some(&sentence);
        if !is_known && self.0.len() < COUNT_MAX {
            self.0.insert(sentence);
        }
    }

    /// Adds one that has to be told, however many there are.
    pub(super) fn insist(&mut self, sentence: String) {
        self.0.insert(sentence.into());
    }

    pub(super) fn extend(&mut self, other: &Self) {
        for sentence in &other.0 {
            self.add(sentence.clone());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Warnings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}
