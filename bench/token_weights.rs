//! Compares the estimate of tokens with the tokenizer o200k, and fits the weights of the estimate.
//!
//! `token_weights FILE`: each line of the file is `{"kind": "rust", "text": "…", "held_out": false}`, a sample of
//! about 6 KB. Prints the errors for each kind of text on the samples that are held out, then the weights that fit the
//! other samples best. Hold out whole sources, such as all samples of one package, so that no text is close to a fitted
//! one.

#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "a command-line program that prints ratios")]

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bpe_openai::Tokenizer;
use serde::Deserialize;
use toolgate_domain::tokens::{TokenClass, TokenCount, class_counts};

const CLASSES: usize = TokenClass::ALL.len();
type ClassVector = [f64; CLASSES];

/// The weight of the error of a whole sample, relative to the errors of its words.
const SAMPLE_FACTOR: f64 = 0.05;

#[derive(Deserialize)]
struct TextSample {
    kind: String,
    text: String,
    held_out: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: token_weights FILE")?;
    let samples: Vec<TextSample> =
        fs::read_to_string(path)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let tokenizer = bpe_openai::o200k_base();
    let mut equations = NormalEquations::default();
    let mut errors: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for sample in &samples {
        if sample.held_out {
            let error = relative_error(&sample.text, tokenizer);
            errors.entry(&sample.kind).or_default().push(error);
            errors.entry("(all)").or_default().push(error);
        } else {
            equations.add_sample(&sample.text, tokenizer);
        }
    }
    for (kind, errors) in &mut errors {
        print_errors(kind, errors);
    }
    print_speed(&samples);
    for (class, weight) in TokenClass::ALL.into_iter().zip(equations.solve()) {
        println!("{class:?} = {:.0}, now {}", weight * 1000.0, class.thousandths());
    }
    Ok(())
}

fn relative_error(text: &str, tokenizer: &Tokenizer) -> f64 {
    let actual = tokenizer.count(text) as f64;
    (TokenCount::from_text(text).tokens() as f64 - actual) / actual
}

fn print_errors(kind: &str, errors: &mut [f64]) {
    let count = errors.len() as f64;
    let bias = errors.iter().sum::<f64>() / count;
    for error in errors.iter_mut() {
        *error = error.abs();
    }
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / count;
    let p95 = errors[(errors.len() * 95).div_ceil(100) - 1];
    let percent = |ratio: f64| ratio * 100.0;
    println!(
        "{kind:20} {count:5} samples, mean {:4.1} %, p95 {:4.1} %, bias {:+5.1} %",
        percent(mean),
        percent(p95),
        percent(bias)
    );
}

/// The best of several runs for each sample, because other processes disturb single ones.
fn print_speed(samples: &[TextSample]) {
    let time = |text: &str| {
        let start = Instant::now();
        black_box(TokenCount::from_text(black_box(text)));
        start.elapsed()
    };
    let best = |sample: &TextSample| (0..20).map(|_| time(&sample.text)).min().unwrap_or_default();
    let total: Duration = samples.iter().map(best).sum();
    let bytes: usize = samples.iter().map(|sample| sample.text.len()).sum();
    println!("{bytes} bytes at {:.0} MB/s", bytes as f64 / total.as_secs_f64() / 1e6);
}

/// Least squares over the words of all samples and over the samples as a whole, weighted by one over their tokens.
struct NormalEquations {
    products: [ClassVector; CLASSES],
    targets: ClassVector,
}

impl Default for NormalEquations {
    fn default() -> Self {
        Self { products: [[0.0; CLASSES]; CLASSES], targets: [0.0; CLASSES] }
    }
}

impl NormalEquations {
    fn add_sample(&mut self, text: &str, tokenizer: &Tokenizer) {
        let tokens = tokenizer.count(text) as f64;
        for word in tokenizer.split(text) {
            self.add(word, tokenizer.bpe.count(word.as_bytes()) as f64, 1.0 / tokens);
        }
        self.add(text, tokens, SAMPLE_FACTOR / tokens);
    }

    /// The first class, `Whole`, has the fixed weight of one token, so its count is subtracted from the target.
    fn add(&mut self, text: &str, tokens: f64, factor: f64) {
        let counts = class_counts(text).map(|count| count as f64);
        let used: Vec<usize> = (1..CLASSES).filter(|class| counts[*class] > 0.0).collect();
        for &row in &used {
            for &column in &used {
                self.products[row][column] += factor * counts[row] * counts[column];
            }
            self.targets[row] += factor * counts[row] * (tokens - counts[0]);
        }
    }

    /// Coordinate descent, with no weight below zero.
    fn solve(&self) -> ClassVector {
        let mut weights = [0.0; CLASSES];
        weights[0] = 1.0;
        for _ in 0..20_000 {
            for row in (1..CLASSES).filter(|row| self.products[*row][*row] > 0.0) {
                let others: f64 = (1..CLASSES)
                    .filter(|other| *other != row)
                    .map(|other| self.products[row][other] * weights[other])
                    .sum();
                weights[row] = ((self.targets[row] - others) / self.products[row][row]).max(0.0);
            }
        }
        weights
    }
}
