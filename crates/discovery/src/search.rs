//! Full-text search over the tools of a server: BM25F over weighted fields, with prefixes, synonyms and single typing
//! errors.

mod build;
mod matching;
mod synonyms;
pub(crate) mod words;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use serde_json::Value;

use matching::WordMatcher;

/// Maximum number of words of a query that are searched.
const QUERY_WORDS_MAX: usize = 24;
/// The share of the score that depends on how many words of the query a tool contains.
const COVERAGE_SHARE: f32 = 0.5;
/// The relative difference up to which two scores are equal.
const TIE_SHARE: f32 = 0.1;

/// The texts of one tool that are searched.
#[derive(Debug, Clone, Copy)]
pub struct SearchDocument<'a> {
    /// The name of the tool.
    pub name: &'a str,
    /// Its group.
    pub group: &'a str,
    /// Its title, or an empty text.
    pub title: &'a str,
    /// Its description.
    pub description: &'a str,
    /// Its input schema, for the names and enum values of the arguments.
    pub input_schema: &'a Value,
}

/// A tool in the result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchHit {
    /// The position of the tool in the documents of the index.
    pub document: usize,
    /// How well it matches; comparable only within one search.
    pub score: f32,
}

/// An immutable search index. Its size is limited to 2 MiB: words beyond the limit are not indexed.
#[derive(Debug, Default)]
pub struct SearchIndex {
    /// All words, sorted and concatenated.
    words: Box<str>,
    /// The offset of each word in `words`, followed by the length of `words`.
    word_starts: Box<[u32]>,
    /// The index of the first posting of each word, followed by the number of postings.
    posting_starts: Box<[u32]>,
    postings: Box<[Posting]>,
    names: Box<[Box<str>]>,
}

/// An occurrence of a word in a document.
#[derive(Debug, Clone, Copy)]
struct Posting {
    document: u16,
    /// The saturated frequency of BM25, between 0 and 1, in 65,535ths.
    frequency: u16,
}

impl SearchIndex {
    /// Indexes documents; those beyond 65,535 are left out.
    pub fn new<'a>(documents: impl IntoIterator<Item = SearchDocument<'a>>) -> Self {
        build::build(documents.into_iter())
    }

    /// The documents that match a query best, best first. Only documents for which `accepts` returns true are
    /// considered. If two match equally well, the one with more `calls` comes first, then the one with the lower
    /// position.
    pub fn search(
        &self,
        query: &str,
        limit: usize,
        accepts: impl Fn(usize) -> bool,
        calls: impl Fn(usize) -> u64,
    ) -> Vec<SearchHit> {
        let scores = self.scores(query);
        let found = scores.into_iter().enumerate().filter(|(document, score)| *score > 0.0 && accepts(*document));
        let mut hits: Vec<SearchHit> = found.map(|(document, score)| SearchHit { document, score }).collect();
        hits.sort_by_cached_key(|hit| (Reverse(rank(hit.score)), Reverse(calls(hit.document)), hit.document));
        hits.truncate(limit);
        hits
    }

    /// The memory use of the index, in bytes.
    pub fn size_bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|name| name.len() + size_of::<Box<str>>()).sum();
        self.words.len()
            + size_of_val(&*self.word_starts)
            + size_of_val(&*self.posting_starts)
            + size_of_val(&*self.postings)
            + names
    }

    /// The score of every document.
    fn scores(&self, query: &str) -> Vec<f32> {
        let query_words = query_words(query);
        let mut totals = vec![0.0_f32; self.names.len()];
        let mut matched = vec![0.0_f32; self.names.len()];
        let mut words = WordMatcher::new(self);
        let mut searched = 0.0;
        for word in &query_words {
            searched += words.for_each_match(word, |document, score, idf| {
                totals[document] += score;
                matched[document] += idf;
            });
        }
        for (document, total) in totals.iter_mut().enumerate() {
            let coverage = (matched[document] / f32::max(searched, f32::MIN_POSITIVE)).min(1.0);
            *total *= 1.0 - COVERAGE_SHARE + COVERAGE_SHARE * coverage;
            if self.names[document].eq_ignore_ascii_case(query.trim()) {
                *total = f32::MAX;
            }
        }
        totals
    }

    fn document_count(&self) -> usize {
        self.names.len()
    }
}

/// The rank of a score, higher for better ones. Scores that differ by less than [`TIE_SHARE`] are equal: such a
/// difference comes from the lengths of descriptions, not from their words.
#[expect(clippy::cast_possible_truncation, reason = "a small number")]
fn rank(score: f32) -> i32 {
    (score.ln() / TIE_SHARE.ln_1p()).round() as i32
}

/// The distinct words of a query without stop words; if it has only stop words, with them.
fn query_words(query: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    words::for_each_word(query, |word| {
        if all.len() < QUERY_WORDS_MAX && all.iter().all(|other| other != word) {
            all.push(word.to_owned());
        }
    });
    let significant: Vec<String> = all.iter().filter(|word| !words::is_stop_word(word)).cloned().collect();
    if significant.is_empty() { all } else { significant }
}
