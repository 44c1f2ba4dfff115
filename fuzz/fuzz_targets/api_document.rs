//! Checks `properties/api_document.rs` with arbitrary bytes.

#![no_main]

#[path = "../properties/api_document.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| property::check(bytes));
