//! Expansion: the examples of the RFC, and cases beyond them.

use super::examples::{examples, variables};
use super::*;

#[test]
fn every_example_of_the_rfc_expands_as_specified() {
    for (source, expected) in examples() {
        assert_eq!(template(source).expand(&variables()), expected, "{source}");
    }
}

#[test]
fn undefined_non_ascii_and_truncated_values_expand_as_specified() {
    for (source, expected) in [
        ("{?undef}", ""),
        ("{?empty_list*}", ""),
        ("/é/%c3", "/%C3%A9/%C3"),
        // A prefix modifier on a list or map makes it undefined.
        ("O{list:2}{?keys:1}X", "OX"),
        ("/{keys*}", "/semi=%3B,dot=.,comma=%2C"),
        ("find{?list*}", "find?list=red&list=green&list=blue"),
    ] {
        assert_eq!(template(source).expand(&variables()), expected, "{source}");
    }
    let text = Variables::new().with("a", "日本語");
    assert_eq!(template("{a:2}").expand(&text), "%E6%97%A5%E6%9C%AC");
    let triplets = Variables::new().with("a", "%41%42");
    assert_eq!(template("{a:1}{+a:1}").expand(&triplets), "%25%41");
}
