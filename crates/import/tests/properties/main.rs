//! Property tests: rules that hold for all curl commands and all texts.
//!
//! `TOOLGATE_CASES=100000` sets the number of cases for a long run.

#![expect(clippy::expect_used, reason = "a failed expectation fails the test")]

mod arbitrary_text;
mod argv;
mod bash;
mod body;
mod choices;
mod cmd;
mod collections_and_recordings;
mod credential;
#[path = "../../../../fuzz/properties/curl_import.rs"]
mod curl_import;
mod expected;
mod fragments;
mod powershell;
mod request;
#[path = "../../../../fuzz/properties/request_import.rs"]
mod request_import;
mod round_trip;
mod text;

use proptest::prelude::ProptestConfig;

/// A share of the cases that `TOOLGATE_CASES` sets. With the default of 2,048 cases, the tests take some seconds.
fn cases(share: f64) -> ProptestConfig {
    let total = std::env::var("TOOLGATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2048.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let cases = (share * total).ceil() as u32;
    // The smallest failing input is printed; no regression file is needed.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
