//! Any text is parsed as curl commands or rejected: no panic, no hang, and an error position is inside the text.

#![no_main]

use toolgate_import::curl::{self, CurlError, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| check_text(text));

/// Parses a text with both functions; each result must serialise to JSON, and each error position must be in the text.
pub fn check_text(text: &str) {
    match curl::import(text) {
        Ok(draft) => drop(serde_json::to_string(&draft).expect("a draft is JSON")),
        Err(error) => assert!(is_inside(text, &error), "{error}"),
    }
    match curl::infer(text) {
        Ok(tools) => drop(serde_json::to_string(&tools).expect("drafts are JSON")),
        Err(error) => assert!(is_inside(text, &error), "{error}"),
    }
}

/// Whether the error position is a character of the text or the end of one of its lines.
fn is_inside(text: &str, error: &CurlError) -> bool {
    let Some(Position { line, column }) = error.position else { return true };
    let line = line.checked_sub(1).and_then(|index| text.split('\n').nth(index));
    line.is_some_and(|line| (1..=line.chars().count() + 1).contains(&column))
}
