//! Checks `properties/uri_template.rs` with arbitrary templates, URIs and values.

#![no_main]

#[path = "../properties/uri_template.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, &str)| property::check(input.0, input.1, input.2));
