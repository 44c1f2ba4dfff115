//! Checks `properties/request_import.rs` with arbitrary texts.

#![no_main]

#[path = "../properties/request_import.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| property::check(text));
