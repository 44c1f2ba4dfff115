//! Any text is parsed or rejected: the parser neither panics nor hangs, and the position of an error is inside the
//! text.

use proptest::prelude::*;
use toolgate_import::curl::{self, CurlError, Position};

use crate::cases;
use crate::fragments::FRAGMENTS;

/// Parses a text with both functions; each result must serialise to JSON, and each error position must be in the text.
fn check_text(text: &str) -> Result<(), TestCaseError> {
    match curl::import(text) {
        Ok(draft) => drop(serde_json::to_string(&draft).expect("a draft is JSON")),
        Err(error) => check_position(text, &error)?,
    }
    match curl::infer(text) {
        Ok(tools) => drop(serde_json::to_string(&tools).expect("drafts are JSON")),
        Err(error) => check_position(text, &error)?,
    }
    Ok(())
}

/// The position must be a character of the text, or the end of one of its lines.
fn check_position(text: &str, error: &CurlError) -> Result<(), TestCaseError> {
    let Some(Position { line, column }) = error.position else { return Ok(()) };
    let line_text = line.checked_sub(1).and_then(|index| text.split('\n').nth(index));
    let Some(line_text) = line_text else {
        return Err(TestCaseError::fail(format!("the text has no line {line}: {text:?}")));
    };
    prop_assert!(
        (1..=line_text.chars().count() + 1).contains(&column),
        "the line has no column {}: {:?}",
        column,
        text
    );
    Ok(())
}

fn mixed_fragments() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(FRAGMENTS.to_vec()).prop_map(str::to_owned),
        1 => "[a-z=:,0-9]{1,6} ?",
        1 => any::<char>().prop_map(String::from),
    ];
    let start = prop::sample::select(vec!["curl ", "curl https://a.example/ ", ""]);
    (start, prop::collection::vec(piece, 0..40)).prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

proptest! {
    #![proptest_config(cases(1.0))]

    #[test]
    fn any_text_is_parsed_or_rejected(text in any::<String>()) {
        check_text(&text)?;
    }

    #[test]
    fn any_arguments_are_parsed_or_rejected(text in any::<String>()) {
        check_text(&format!("curl {text}"))?;
    }

    #[test]
    fn any_mixture_of_fragments_is_parsed_or_rejected(text in mixed_fragments()) {
        check_text(&text)?;
    }

    #[test]
    fn any_lines_of_printable_text_are_parsed_or_rejected(text in "curl (\\PC|\n){0,80}") {
        check_text(&text)?;
    }
}

proptest! {
    #![proptest_config(cases(0.015))]

    #[test]
    fn long_repetitions_are_parsed_or_rejected(
        start in prop::sample::select(vec!["curl ", "curl https://a.example/ -d ", "curl -d '", "curl -H \"", "curl $'", "curl ^\"", "curl `\n\"", ""]),
        repeated in prop::sample::select(FRAGMENTS.to_vec()),
        length in 1..=curl::TEXT_MAX,
        end in prop::sample::select(FRAGMENTS.to_vec()),
    ) {
        check_text(&format!("{start}{}{end}", repeated.repeat(length / repeated.len())))?;
    }
}
