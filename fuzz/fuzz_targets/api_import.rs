//! Checks `properties/api_import.rs` with arbitrary bytes.

#![no_main]

#[path = "../properties/api_import.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| property::check(bytes));
