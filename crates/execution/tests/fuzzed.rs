//! Tests the properties of `fuzz/` on a stable compiler, with inputs made from the tokens of each parser. The inputs
//! are the same in every run; the fuzzer searches for new ones.

extern crate toolgate_execution as execution;

#[cfg(test)]
#[path = "../../../fuzz/properties/ip_guard.rs"]
mod ip_guard;
#[cfg(test)]
#[path = "../../../fuzz/properties/url_template.rs"]
mod url_template;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Random addresses, and addresses near the ranges that the guard blocks.
fn ipv4_bits() -> impl Strategy<Value = u32> {
    let first_octet = prop::sample::select(vec![0_u32, 10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 255]);
    prop_oneof![any::<u32>(), (first_octet, any::<u32>()).prop_map(|(first_octet, rest)| first_octet << 24 | rest >> 8)]
}

fn ipv6_bits() -> impl Strategy<Value = u128> {
    let prefix = prop::sample::select(vec![
        0_u128,
        0xffff << 32,
        0x0064_ff9b << 96,
        0x0064_ff9b_0001 << 80,
        0x2002 << 112,
        0xfe80 << 112,
        0xfc00 << 112,
        0xfd00 << 112,
        0x2001 << 112,
        0x2001_0db8 << 96,
        0xff02 << 112,
    ]);
    prop_oneof![any::<u128>(), (prefix, ipv4_bits()).prop_map(|(prefix, rest)| prefix | u128::from(rest))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, rng_seed: RngSeed::Fixed(6570), ..ProptestConfig::default() })]

    #[test]
    fn every_spelling_of_an_ipv4_address_gets_the_same_verdict(bits in ipv4_bits()) {
        ip_guard::check_ipv4(bits);
    }

    #[test]
    fn every_spelling_of_an_ipv6_address_gets_the_same_verdict(bits in ipv6_bits()) {
        ip_guard::check_ipv6(bits);
    }

    #[test]
    fn any_host_gets_the_verdict_of_its_address(host in r"(0x|0|[0-9]{1,3}|[a-f]|\.|:|\[|\]|%3[0-9]|@|localhost|\u{3002}|\u{ff11}){0,10}") {
        ip_guard::check_host(&host);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(3986), ..ProptestConfig::default() })]

    #[test]
    fn no_argument_changes_the_host_of_a_url(
        suffix in r"([a-z0-9./?&=#%@:\\]|\{id\}|\{q\}|%2[eEfF]|\.\.){0,10}",
        id in r"(.|[/?#%@:\\]|\.\.|%2[eF]|\{q\}|@evil\.example){0,6}",
        q in r"(.|[/?#%@:&=+]|\r\n|\{id\}){0,6}",
    ) {
        url_template::check(&suffix, &id, &q);
    }
}
