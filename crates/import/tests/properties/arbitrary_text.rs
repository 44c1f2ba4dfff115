//! Any text is parsed or rejected: no panic, no hang, and an error position is inside the text.

use proptest::prelude::*;
use toolgate_import::curl::{self, CurlError, Position};

use crate::cases;
use crate::fragments::FRAGMENTS;

/// Reads a text both ways; what comes out must be JSON, or a place in the text.
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

/// The place is a character of the text, or the end of one of its lines.
fn check_position(text: &str, error: &CurlError) -> Result<(), TestCaseError> {
    let Some(Position { line, column }) = error.position else { return Ok(()) };
    let pointed = line.checked_sub(1).and_then(|line| text.split('\n').nth(line));
    let Some(pointed) = pointed else { return Err(TestCaseError::fail(format!("no line {line}: {text:?}"))) };
    prop_assert!((1..=pointed.chars().count() + 1).contains(&column), "no column {}: {:?}", column, text);
    Ok(())
}

fn fragment_mix() -> impl Strategy<Value = String> {
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
    fn any_text_is_read_or_refused(text in any::<String>()) {
        check_text(&text)?;
    }

    #[test]
    fn any_arguments_are_read_or_refused(text in any::<String>()) {
        check_text(&format!("curl {text}"))?;
    }

    #[test]
    fn any_mixture_of_fragments_is_read_or_refused(text in fragment_mix()) {
        check_text(&text)?;
    }

    #[test]
    fn any_lines_of_print_are_read_or_refused(text in "curl (\\PC|\n){0,80}") {
        check_text(&text)?;
    }
}

proptest! {
    #![proptest_config(cases(0.015))]

    #[test]
    fn long_runs_are_read_or_refused(
        start in prop::sample::select(vec!["curl ", "curl https://a.example/ -d ", "curl -d '", "curl -H \"", "curl $'", "curl ^\"", "curl `\n\"", ""]),
        run in prop::sample::select(FRAGMENTS.to_vec()),
        length in 1..=curl::TEXT_MAX,
        end in prop::sample::select(FRAGMENTS.to_vec()),
    ) {
        check_text(&format!("{start}{}{end}", run.repeat(length / run.len())))?;
    }
}
