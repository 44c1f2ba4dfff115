//! Any text is parsed or rejected: the parser neither panics nor hangs. The fuzz target in `fuzz/` checks the same
//! property.

use proptest::prelude::*;
use toolgate_import::curl;

use crate::cases;
use crate::curl_import;
use crate::fragments::FRAGMENTS;

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
        curl_import::check(&text);
    }

    #[test]
    fn any_arguments_are_parsed_or_rejected(text in any::<String>()) {
        curl_import::check(&format!("curl {text}"));
    }

    #[test]
    fn any_mixture_of_fragments_is_parsed_or_rejected(text in mixed_fragments()) {
        curl_import::check(&text);
    }

    #[test]
    fn any_lines_of_printable_text_are_parsed_or_rejected(text in "curl (\\PC|\n){0,80}") {
        curl_import::check(&text);
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
        curl_import::check(&format!("{start}{}{end}", repeated.repeat(length / repeated.len())));
    }
}
