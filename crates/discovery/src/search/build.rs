//! Builds the search index.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::words::{for_each_word, is_stop_word};
use super::{Posting, SearchDocument, SearchIndex};
use crate::schema::for_each_subschema;

/// `k1` of BM25: the smaller, the less repetitions of a word count.
const SATURATION: f32 = 1.2;
/// Maximum number of distinct words of one document.
const DOCUMENT_WORDS_MAX: usize = 240;
/// Maximum number of words of one field that are read.
const FIELD_WORDS_MAX: usize = 400;
/// Maximum number of bytes of one text that are read.
const TEXT_BYTES_MAX: usize = 4096;
/// Maximum total length of all distinct words, in bytes.
const WORDS_BYTES_MAX: usize = 384 * 1024;
/// Maximum number of postings, which need 4 bytes each: 1 MiB.
const POSTINGS_MAX: usize = 256 * 1024;
/// Maximum nesting of arguments whose names are indexed.
const ARGUMENT_DEPTH_MAX: usize = 4;

/// The searched fields of a tool.
#[derive(Clone, Copy)]
enum SearchField {
    Name,
    Group,
    Title,
    Description,
    Argument,
    EnumValue,
}

const FIELD_COUNT: usize = 6;
/// The weight of an occurrence in each field, in the order of [`SearchField`].
const WEIGHTS: [f32; FIELD_COUNT] = [3.0, 2.0, 1.0, 1.0, 0.5, 0.5];
/// `b` of BM25 for each field: how much the length of the field reduces the weight of its words.
const LENGTH_SHARES: [f32; FIELD_COUNT] = [0.3, 0.0, 0.3, 0.15, 0.3, 0.3];

type FieldCounts = [u16; FIELD_COUNT];

/// The words of one document, with the number of occurrences in each field.
#[derive(Default)]
struct DocumentWords {
    counts: BTreeMap<u32, FieldCounts>,
    lengths: FieldCounts,
}

#[derive(Default)]
struct IndexBuilder {
    word_ids: HashMap<Box<str>, u32>,
    words_bytes: usize,
    postings: usize,
    documents: Vec<DocumentWords>,
    names: Vec<Box<str>>,
}

pub(super) fn build<'a>(documents: impl Iterator<Item = SearchDocument<'a>>) -> SearchIndex {
    let mut builder = IndexBuilder::default();
    for document in documents.take(usize::from(u16::MAX)) {
        builder.add(&document);
    }
    builder.finish()
}

impl IndexBuilder {
    fn add(&mut self, document: &SearchDocument<'_>) {
        let mut words = DocumentWords::default();
        // The fields are added by descending weight, so that the limits cut the least important ones.
        self.add_text(SearchField::Name, document.name, &mut words);
        self.add_text(SearchField::Group, document.group, &mut words);
        self.add_text(SearchField::Title, document.title, &mut words);
        self.add_text(SearchField::Description, document.description, &mut words);
        self.add_arguments(document.input_schema, 0, &mut words);
        self.documents.push(words);
        self.names.push(document.name.into());
    }

    fn add_text(&mut self, field: SearchField, text: &str, words: &mut DocumentWords) {
        let (text, _) = text.split_at(text.floor_char_boundary(TEXT_BYTES_MAX));
        for_each_word(text, |word| {
            let is_ignored = !matches!(field, SearchField::Name | SearchField::Group) && is_stop_word(word);
            if is_ignored || usize::from(words.lengths[field as usize]) >= FIELD_WORDS_MAX {
                return;
            }
            words.lengths[field as usize] += 1;
            let Some(id) = self.word_id(word) else { return };
            if words.counts.len() >= DOCUMENT_WORDS_MAX && !words.counts.contains_key(&id) {
                return;
            }
            let counts = words.counts.entry(id).or_insert_with(|| {
                self.postings += 1;
                FieldCounts::default()
            });
            counts[field as usize] += 1;
        });
    }

    /// The id of a word; `None` if the index is full.
    fn word_id(&mut self, word: &str) -> Option<u32> {
        if self.postings >= POSTINGS_MAX {
            return None;
        }
        if let Some(id) = self.word_ids.get(word) {
            return Some(*id);
        }
        if self.words_bytes + word.len() > WORDS_BYTES_MAX {
            return None;
        }
        let id = u32::try_from(self.word_ids.len()).ok()?;
        self.words_bytes += word.len() + size_of::<u32>() * 2;
        self.word_ids.insert(word.into(), id);
        Some(id)
    }

    /// Indexes the names and the enum values of arguments.
    fn add_arguments(&mut self, schema: &Value, depth: usize, words: &mut DocumentWords) {
        if depth > ARGUMENT_DEPTH_MAX || usize::from(words.lengths[SearchField::Argument as usize]) >= FIELD_WORDS_MAX {
            return;
        }
        for name in schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|object| object.keys()) {
            self.add_text(SearchField::Argument, name, words);
        }
        for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            self.add_text(SearchField::EnumValue, value, words);
        }
        for_each_subschema(schema, |subschema| self.add_arguments(subschema, depth + 1, words));
    }

    /// Concatenates the words in sorted order with their postings.
    fn finish(self) -> SearchIndex {
        let averages = self.average_lengths();
        let mut by_word: Vec<Vec<Posting>> = vec![Vec::new(); self.word_ids.len()];
        for (document, words) in (0_u16..).zip(&self.documents) {
            for (word, counts) in &words.counts {
                let frequency = saturated_frequency(counts, words.lengths, averages);
                by_word[*word as usize].push(Posting { document, frequency });
            }
        }
        let mut sorted: Vec<(Box<str>, u32)> = self.word_ids.into_iter().collect();
        sorted.sort_unstable();
        let (mut words, mut postings) = (String::new(), Vec::new());
        let (mut word_starts, mut posting_starts) = (vec![0], vec![0]);
        for (word, id) in sorted {
            words.push_str(&word);
            postings.append(&mut by_word[id as usize]);
            word_starts.push(u32::try_from(words.len()).unwrap_or(u32::MAX));
            posting_starts.push(u32::try_from(postings.len()).unwrap_or(u32::MAX));
        }
        SearchIndex {
            words: words.into(),
            word_starts: word_starts.into(),
            posting_starts: posting_starts.into(),
            postings: postings.into(),
            names: self.names.into(),
        }
    }

    fn average_lengths(&self) -> [f32; FIELD_COUNT] {
        let mut sums = [0.0; FIELD_COUNT];
        for document in &self.documents {
            for (sum, length) in sums.iter_mut().zip(document.lengths) {
                *sum += f32::from(length);
            }
        }
        let count = f32::from(u16::try_from(self.documents.len().max(1)).unwrap_or(u16::MAX));
        sums.map(|sum| f32::max(sum / count, 1.0))
    }
}

/// The weighted frequency of a word over all fields, saturated once, as in BM25F.
fn saturated_frequency(counts: &FieldCounts, lengths: FieldCounts, averages: [f32; FIELD_COUNT]) -> u16 {
    let weighted: f32 = (0..FIELD_COUNT)
        .map(|field| {
            let share = LENGTH_SHARES[field];
            let relative_length = 1.0 - share + share * f32::from(lengths[field]) / averages[field];
            WEIGHTS[field] * f32::from(counts[field]) / relative_length
        })
        .sum();
    to_fraction(weighted / (SATURATION + weighted))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is between 0 and 65,535")]
fn to_fraction(share: f32) -> u16 {
    (share.clamp(0.0, 1.0) * f32::from(u16::MAX)) as u16
}
