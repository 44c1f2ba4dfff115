//! Any text is read as curl commands or refused: no panic, no hang, and a refusal points into the text.

#![no_main]

use toolgate_import::curl::{self, CurlError, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| check_text(text));

/// Reads a text both ways; what comes out must be JSON, or a place in the text.
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

/// Whether the place is a character of the text, or the end of one of its lines.
fn is_inside(text: &str, error: &CurlError) -> bool {
    let Some(Position { line, column }) = error.position else { return true };
    let pointed = line.checked_sub(1).and_then(|line| text.split('\n').nth(line));
    pointed.is_some_and(|pointed| (1..=pointed.chars().count() + 1).contains(&column))
}
