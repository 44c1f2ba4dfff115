//! Checks `properties/url_template.rs` with arbitrary paths, queries and arguments.

#![no_main]

#[path = "../properties/url_template.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, &str)| property::check(input.0, input.1, input.2));
