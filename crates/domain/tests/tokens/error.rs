//! The error of the estimated tokens against the tokenizer o200k, on generated responses and on files of this
//! repository. The weights are not fitted to any of them.

use std::fs;
use std::path::{Path, PathBuf};

use bpe_openai::o200k_base;
use toolgate_domain::tokens::{TokenCount, estimate};

use crate::generated_text::GENERATORS;

/// Approximate length of the texts whose error is measured.
const PIECE_BYTES: usize = 6_000;

/// Relative errors in percent.
struct ErrorStats {
    mean: f64,
    p95: f64,
}

impl ErrorStats {
    fn from_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut errors: Vec<f64> = texts.map(error_percent).collect();
        errors.sort_by(f64::total_cmp);
        let count = u32::try_from(errors.len()).unwrap();
        Self { mean: errors.iter().sum::<f64>() / f64::from(count), p95: errors[errors.len() * 95 / 100] }
    }
}

fn error_percent(text: &str) -> f64 {
    let as_float = |count: usize| f64::from(u32::try_from(count).unwrap());
    let actual = as_float(o200k_base().count(text));
    (as_float(estimate(text)) - actual).abs() / actual * 100.0
}

/// Pieces of whole lines.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for line in text.split_inclusive('\n') {
        if pieces.last().is_some_and(|piece| piece.len() > PIECE_BYTES) {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push_str(line);
    }
    pieces.retain(|piece| piece.len() > 1_000);
    pieces
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every `step`th file of a folder of this repository, in pieces.
fn repository_pieces(folder: &str, extension: &str, step: usize) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let chosen = files(&root, extension).into_iter().step_by(step);
    chosen.flat_map(|path| pieces(&fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn the_error_is_small_on_every_kind_of_generated_response() {
    for (name, generate) in GENERATORS {
        let texts: Vec<String> = (1..=3).map(|seed| generate(seed, PIECE_BYTES)).collect();
        let errors = ErrorStats::from_texts(texts.iter().map(String::as_str));
        assert!(errors.mean <= 10.0, "{name}: {:.1} %", errors.mean);
    }
}

#[test]
fn the_mean_error_is_below_4_percent_and_95_of_100_errors_are_below_10_percent() {
    let mut texts: Vec<String> =
        GENERATORS.iter().flat_map(|(_, generate)| (1..=3).map(|seed| generate(seed, PIECE_BYTES))).collect();
    for (folder, extension, step) in
        [("docs", "md", 1), ("crates", "rs", 25), ("console/src", "tsx", 10), ("crates", "sql", 3)]
    {
        texts.extend(repository_pieces(folder, extension, step));
    }
    assert!(texts.len() > 100, "{}", texts.len());
    let errors = ErrorStats::from_texts(texts.iter().map(String::as_str));
    assert!(errors.mean <= 4.0 && errors.p95 <= 10.0, "mean {:.1} %, p95 {:.1} %", errors.mean, errors.p95);
}

#[test]
fn the_sum_of_the_lines_is_about_the_cost_of_the_text() {
    for (name, generate) in GENERATORS {
        let text = generate(7, PIECE_BYTES);
        let sum: TokenCount = text.split_inclusive('\n').map(TokenCount::from_text).sum();
        let lines = text.lines().count();
        assert!(sum.tokens().abs_diff(estimate(&text)) <= lines, "{name}: {} and {}", sum.tokens(), estimate(&text));
    }
}
