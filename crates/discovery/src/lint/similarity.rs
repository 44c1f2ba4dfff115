//! Checks for tools that a model may confuse with each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::lint::LintedTool;
use crate::lint::finding::{Finding, FindingCode};
use crate::lint::prose::word_set;

/// Similarity of two descriptions from which a finding is reported, in percent.
const SIMILAR_PERCENT: usize = 80;
/// Minimum number of words of a description that is compared.
const WORDS_MIN: usize = 3;

/// Reports each tool at most once, with the most similar tool before it.
pub(super) fn check(tools: &[LintedTool<'_>], findings: &mut Vec<Finding>) {
    let word_sets: Vec<Vec<usize>> = numbered_word_sets(tools);
    for (index, (tool, words)) in tools.iter().zip(&word_sets).enumerate() {
        let earlier = tools.iter().zip(&word_sets).take(index);
        let similarities = earlier.map(|(other, other_words)| (similarity_percent(words, other_words), other));
        // `max_by_key` returns the last of equal values, so `rev` selects the first tool.
        let closest = similarities.rev().max_by_key(|(percent, _)| *percent);
        if let Some((percent @ SIMILAR_PERCENT.., other)) = closest {
            let message = format!(
                "\"{}\" and \"{}\" read alike to a model ({percent} % the same words): say in each when to use the \
                 other.",
                other.name, tool.name
            );
            findings.push(Finding::tool(tool.id, FindingCode::SimilarTools, message));
        }
    }
}

/// The words of each description as sorted numbers, which are faster to compare than texts.
fn numbered_word_sets(tools: &[LintedTool<'_>]) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = |words: BTreeSet<String>| {
        let mut set: Vec<usize> = words
            .into_iter()
            .map(|word| {
                let next = numbers.len();
                *numbers.entry(word).or_insert(next)
            })
            .collect();
        set.sort_unstable();
        set
    };
    tools.iter().map(|tool| word_set(tool.description)).map(numbered).collect()
}

/// The cosine similarity of two sets of words, in percent.
fn similarity_percent(left: &[usize], right: &[usize]) -> usize {
    let product = left.len() * right.len();
    if left.len().min(right.len()) < WORDS_MIN {
        return 0;
    }
    let common = left.iter().filter(|word| right.binary_search(word).is_ok()).count();
    (common * common * 10_000 / product).isqrt()
}
