//! Any host, and every spelling of any address: see the property.

#![no_main]

#[path = "../properties/ip_guard.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, u32, u128)| {
    property::survives(input.0);
    property::holds_for_v4(input.1);
    property::holds_for_v6(input.2);
});
