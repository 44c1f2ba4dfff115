//! Property tests: rules that hold for all curl commands and all texts.
//!
//! `TOOLGATE_CASES=100000` makes a long run of it.

#![expect(clippy::expect_used, reason = "a test that cannot go on ends")]

mod arbitrary_text;
mod argv;
mod bash;
mod body;
mod choices;
mod cmd;
mod credential;
mod expected;
mod fragments;
mod powershell;
mod request;
mod round_trip;
mod text;

use proptest::prelude::ProptestConfig;

/// A share of the cases that the environment asks for; without it, of a number that takes some seconds.
fn cases(share: f64) -> ProptestConfig {
    let whole = std::env::var("TOOLGATE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2048.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
    let cases = (share * whole).ceil() as u32;
    // The smallest failing input is printed; no regression file is needed.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
