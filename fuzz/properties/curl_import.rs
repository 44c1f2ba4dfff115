//! Any text is parsed as curl commands or rejected, and the position of an error is inside the text.

use toolgate_import::curl::{self, CurlError, Position};

/// Parses a text with both functions; each result must serialise to JSON, and each error position must be in the text.
pub(crate) fn check(text: &str) {
    match curl::import(text) {
        Ok(draft) => drop(serde_json::to_string(&draft).expect("a draft is JSON")),
        Err(error) => check_position(text, &error),
    }
    match curl::infer(text) {
        Ok(tools) => drop(serde_json::to_string(&tools).expect("drafts are JSON")),
        Err(error) => check_position(text, &error),
    }
}

/// The position must be a character of the text, or the end of one of its lines.
fn check_position(text: &str, error: &CurlError) {
    let Some(Position { line, column }) = error.position else { return };
    let line_text = line.checked_sub(1).and_then(|index| text.split('\n').nth(index));
    let columns = line_text.map(|text| 1..=text.chars().count() + 1);
    assert!(columns.is_some(), "the text has no line {line}: {text:?}");
    assert!(columns.is_some_and(|columns| columns.contains(&column)), "the line has no column {column}: {text:?}");
}
