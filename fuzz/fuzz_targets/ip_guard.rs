//! Any host, and every spelling of any address: see the property.

#![no_main]

#[path = "../properties/ip_guard.rs"]
mod property;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, u32, u128)| {
    property::check_host(input.0);
    property::check_ipv4(input.1);
    property::check_ipv6(input.2);
});
