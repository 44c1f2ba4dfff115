//! Checks `properties/ip_guard.rs` with arbitrary hosts and addresses.

#![no_main]

#[path = "../properties/ip_guard.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, u32, u128)| {
    property::check_host(input.0);
    property::check_ipv4(input.1);
    property::check_ipv6(input.2);
});
