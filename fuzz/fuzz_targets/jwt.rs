//! Checks `properties/jwt.rs` with arbitrary key documents, tokens, headers and claims.

#![no_main]

#[path = "../properties/jwt.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &str, &str, &str)| property::check(input.0, input.1, input.2, input.3));
