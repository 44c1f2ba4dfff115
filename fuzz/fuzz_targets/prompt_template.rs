//! Checks `properties/prompt_template.rs` with arbitrary templates and values.

#![no_main]

#[path = "../properties/prompt_template.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| property::check(input.0, input.1));
