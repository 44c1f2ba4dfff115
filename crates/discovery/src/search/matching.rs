//! Finds the words of the index that match a word of a query.

use super::synonyms::{repeated_action, synonyms};
use super::{Posting, SearchIndex};

/// Weight of an index word that starts with the query word, relative to an exact match.
const PREFIX_WEIGHT: f32 = 0.7;
/// Weight of such a word if the query word itself is also in the index: `new` hardly means `newest`.
const KNOWN_PREFIX_WEIGHT: f32 = 0.3;
/// Weight of another form of the query word.
const INFLECTED_WEIGHT: f32 = 0.8;
/// Weight of a synonym.
const SYNONYM_WEIGHT: f32 = 0.5;
/// Share of the weaker score that is added if a document contains both the word and a synonym.
const BOTH_SHARE: f32 = 0.3;
/// Weight of a word that differs by one typing error.
const TYPO_WEIGHT: f32 = 0.6;
/// Minimum length of a query word that is searched as a prefix, in bytes.
const PREFIX_MIN: usize = 3;
/// Minimum length of a query word in which a typing error is assumed, in characters.
const TYPO_MIN: usize = 4;
/// Maximum number of index words to which one query word is expanded.
const EXPANSIONS_MAX: usize = 64;
/// Maximum length of a word in which a typing error is searched, in characters.
const TYPO_WORD_MAX: usize = 32;

/// Matches the words of one query. Its buffers are reused for all words.
pub(super) struct WordMatcher<'a> {
    index: &'a SearchIndex,
    /// The best match of each document for the current word.
    best: Vec<WordMatch>,
    /// The documents with a match for the current word.
    matched_documents: Vec<u16>,
}

/// How a document matches a word of a query.
#[derive(Debug, Clone, Copy, Default)]
struct WordMatch {
    /// The score of the word itself.
    direct: f32,
    /// The score of the best synonym. It is not simply added to `direct`: `report` is a word of every tool for bug
    /// reports, and a synonym of `create`.
    related: f32,
    /// The highest IDF that was matched.
    idf: f32,
}

impl<'a> WordMatcher<'a> {
    pub(super) fn new(index: &'a SearchIndex) -> Self {
        Self { index, best: vec![WordMatch::default(); index.document_count()], matched_documents: Vec::new() }
    }

    /// Calls `add` for each document that matches the word, with its score and the IDF of the matched word. Returns the
    /// IDF of the word, or of its best expansion.
    pub(super) fn for_each_match(&mut self, word: &str, mut add: impl FnMut(usize, f32, f32)) -> f32 {
        let direct = self.direct(word).into_iter().map(|expansion| (expansion, true));
        let related = self.related(word).into_iter().map(|expansion| (expansion, false));
        let mut best_idf = 0.0_f32;
        for ((id, weight), is_direct) in direct.chain(related) {
            let idf = self.index.idf(id) * weight;
            best_idf = best_idf.max(idf);
            for posting in self.index.postings(id) {
                let score = idf * f32::from(posting.frequency) / f32::from(u16::MAX);
                let best = &mut self.best[usize::from(posting.document)];
                if best.idf == 0.0 {
                    self.matched_documents.push(posting.document);
                }
                let kind = if is_direct { &mut best.direct } else { &mut best.related };
                *kind = kind.max(score);
                best.idf = best.idf.max(idf);
            }
        }
        for document in self.matched_documents.drain(..) {
            let WordMatch { direct, related, idf } = std::mem::take(&mut self.best[usize::from(document)]);
            add(usize::from(document), direct.max(related) + BOTH_SHARE * direct.min(related), idf);
        }
        best_idf
    }

    /// The index words that match the query word itself, with their weights. Typing errors are considered only if no
    /// word matches.
    fn direct(&self, word: &str) -> Vec<(usize, f32)> {
        let mut found = Vec::new();
        found.extend(self.index.word(word).map(|id| (id, 1.0)));
        if word.len() >= PREFIX_MIN {
            let weight = if found.is_empty() { PREFIX_WEIGHT } else { KNOWN_PREFIX_WEIGHT };
            found.extend(self.index.words_with_prefix(word).map(|id| (id, weight)));
        }
        if let Some(stem) = inflection_stem(word) {
            found.extend(
                self.index
                    .words_with_prefix(stem)
                    .filter(|id| self.index.text(*id).len() <= word.len() + 1)
                    .map(|id| (id, INFLECTED_WEIGHT)),
            );
        }
        if found.is_empty() && word.chars().count() >= TYPO_MIN {
            found.extend(self.index.words_with_typo(word).map(|id| (id, TYPO_WEIGHT)));
        }
        found.truncate(EXPANSIONS_MAX);
        found
    }

    /// The synonyms of the query word in the index, with their weights.
    fn related(&self, word: &str) -> Vec<(usize, f32)> {
        let mut found = Vec::new();
        for_each_base(word, |base| {
            found.extend(repeated_action(base).and_then(|verb| self.index.word(verb)));
            found.extend(synonyms(base).filter_map(|other| self.index.word(other)));
        });
        found.truncate(EXPANSIONS_MAX);
        found.into_iter().map(|id| (id, SYNONYM_WEIGHT)).collect()
    }
}

/// Calls `try_base` with the word and with its possible base forms: `stopp`, `stoppe` and `stop` for `stopped`.
fn for_each_base(word: &str, mut try_base: impl FnMut(&str)) {
    try_base(word);
    let Some(stem) = ["ing", "ed"].iter().find_map(|ending| word.strip_suffix(ending)) else { return };
    if stem.len() < PREFIX_MIN {
        return;
    }
    try_base(stem);
    try_base(&format!("{stem}e"));
    let mut letters = stem.chars().rev();
    if let (Some(last), Some(before)) = (letters.next(), letters.next())
        && last == before
    {
        try_base(stem.strip_suffix(last).unwrap_or(stem));
    }
}

impl SearchIndex {
    fn word_count(&self) -> usize {
        self.word_starts.len().saturating_sub(1)
    }

    fn text(&self, id: usize) -> &str {
        self.words.get(self.word_starts[id] as usize..self.word_starts[id + 1] as usize).unwrap_or_default()
    }

    fn postings(&self, id: usize) -> &[Posting] {
        &self.postings[self.posting_starts[id] as usize..self.posting_starts[id + 1] as usize]
    }

    /// How rare a word is, as in BM25.
    #[expect(clippy::cast_precision_loss, reason = "counts of at most 65,535")]
    fn idf(&self, id: usize) -> f32 {
        let (documents, with_word) = (self.document_count() as f32, self.postings(id).len() as f32);
        (1.0 + (documents - with_word + 0.5) / (with_word + 0.5)).ln()
    }

    /// The first word that is not less than `text`.
    fn lower_bound(&self, text: &str) -> usize {
        let (mut low, mut high) = (0, self.word_count());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.text(middle) < text { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn word(&self, text: &str) -> Option<usize> {
        let id = self.lower_bound(text);
        (id < self.word_count() && self.text(id) == text).then_some(id)
    }

    /// The words that begin with `prefix` and are longer.
    fn words_with_prefix<'b>(&'b self, prefix: &'b str) -> impl Iterator<Item = usize> + 'b {
        let ids = self.lower_bound(prefix)..self.word_count();
        ids.take_while(move |id| self.text(*id).starts_with(prefix)).filter(move |id| self.text(*id) != prefix)
    }

    /// The words that differ from `text` by one inserted, missing, replaced or swapped character.
    fn words_with_typo<'b>(&'b self, text: &'b str) -> impl Iterator<Item = usize> + 'b {
        (0..self.word_count()).filter(move |id| {
            let length = (self.word_starts[id + 1] - self.word_starts[*id]) as usize;
            // A replaced character changes the length by at most three bytes, an inserted one by at most four.
            length.abs_diff(text.len()) <= 4 && is_one_edit(self.text(*id), text)
        })
    }
}

/// The part of a word before `ing`, `ed` or another ending of a verb or of its noun.
fn inflection_stem(word: &str) -> Option<&str> {
    ["ation", "ing", "ed", "er", "e"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > PREFIX_MIN))
}

/// Whether two different texts differ by one inserted, missing, replaced or swapped character.
fn is_one_edit(a: &str, b: &str) -> bool {
    let common_start = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    // Only the texts after the common start are compared. It may end inside of a character, so it is moved back.
    let common_start = a.floor_char_boundary(common_start).min(b.floor_char_boundary(common_start));
    let (Some(a), Some(b)) = (a.get(common_start..), b.get(common_start..)) else { return false };
    if a.len().max(b.len()) > TYPO_WORD_MAX * 4 {
        return false;
    }
    let after_first =
        |text: &str| text.chars().next().and_then(|first| text.get(first.len_utf8()..)).map(str::to_owned);
    let (rest_a, rest_b) = (after_first(a), after_first(b));
    let has_replaced = rest_a.is_some() && rest_a == rest_b;
    let has_inserted = rest_a.as_deref() == Some(b) || rest_b.as_deref() == Some(a);
    has_replaced || has_inserted || is_swapped(a, b)
}

/// Whether two texts differ only in the order of their first two characters.
fn is_swapped(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.chars(), b.chars());
    let firsts = (a.next(), a.next(), b.next(), b.next());
    matches!(firsts, (Some(a1), Some(a2), Some(b1), Some(b2)) if a1 == b2 && a2 == b1) && a.as_str() == b.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_verbs_lead_to_their_bases() {
        for (word, base) in
            [("stopped", "stop"), ("archived", "archive"), ("cancelling", "cancel"), ("accepted", "accept")]
        {
            let mut bases = Vec::new();
            for_each_base(word, |base| bases.push(base.to_owned()));
            assert!(bases.iter().any(|other| other == base), "{word}: {bases:?}");
        }
        assert_eq!(repeated_action("reassign"), Some("assign"));
        assert_eq!(repeated_action("release"), None);
    }

    #[test]
    fn one_edit_is_an_inserted_missing_replaced_or_swapped_character() {
        for (a, b) in [
            ("issue", "isue"),
            ("issue", "isssue"),
            ("issue", "issie"),
            ("issue", "isseu"),
            ("é", "e"),
            ("größe", "grösse"),
        ] {
            assert_eq!(is_one_edit(a, b), is_one_edit(b, a), "the order does not matter: {a} {b}");
        }
        for (a, b) in [
            ("issue", "isue"),
            ("issue", "isssue"),
            ("issue", "issie"),
            ("issue", "issuee"),
            ("sisue", "issue"),
            ("é", "e"),
        ] {
            assert!(is_one_edit(a, b), "{a} {b}");
        }
        for (a, b) in [("issue", "isu"), ("issue", "tissues"), ("label", "table"), ("", "ab")] {
            assert!(!is_one_edit(a, b), "{a} {b}");
        }
    }
}
