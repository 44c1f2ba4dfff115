//! Matching: typical templates of resources, and hostile URIs.

use super::*;

fn captures(source: &str, uri: &str) -> Option<Vec<(String, String)>> {
    template(source).matches(uri)
}

/// Template, URI and expected variables.
type MatchCase<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

fn assert_matches(cases: &[MatchCase]) {
    for (source, uri, expected) in cases {
        let expected = expected.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        assert_eq!(captures(source, uri), Some(expected), "{source} against {uri}");
    }
}

#[test]
fn every_operator_can_be_matched() {
    assert_matches(&[
        ("file:///{name}.{ext}", "file:///a.tar.gz", &[("name", "a.tar"), ("ext", "gz")]),
        ("map?{x,y}", "map?1024,768", &[("x", "1024"), ("y", "768")]),
        ("file:///{+path}", "file:///etc/hosts", &[("path", "etc/hosts")]),
        ("{+base}/raw", "a/raw/b/raw", &[("base", "a/raw/b")]),
        ("doc{#part}", "doc#a/b", &[("part", "a/b")]),
        ("www{.host}", "www.example.com", &[("host", "example.com")]),
        ("www{.a,b}", "www.example.com", &[("a", "example"), ("b", "com")]),
        ("users{/id,tab}", "users/7/posts", &[("id", "7"), ("tab", "posts")]),
        ("a{;x,y}/b", "a;x=1;y/b", &[("x", "1"), ("y", "")]),
        ("find{?q,n}", "find?q=a%20b&n=2", &[("q", "a b"), ("n", "2")]),
        ("find?fixed=yes{&q}", "find?fixed=yes&q=1", &[("q", "1")]),
        ("plain", "plain", &[]),
    ]);
}

#[test]
fn optional_values_may_be_absent() {
    assert_matches(&[
        ("users{/id,tab}", "users", &[]),
        ("users{/id,tab}", "users/7", &[("id", "7")]),
        ("users{/id}", "users/", &[("id", "")]),
        ("find{?q,n}", "find", &[]),
        ("find{?q,n}#x", "find?n=2#x", &[("n", "2")]),
        ("{a,b}", "1", &[("a", "1")]),
    ]);
}

#[test]
fn query_parameters_match_in_any_order_and_unencoded() {
    assert_matches(&[
        ("find{?q,n}", "find?n=2&q=1", &[("n", "2"), ("q", "1")]),
        ("find{?q}", "find?q=why?/é", &[("q", "why?/é")]),
        ("find{?q}{&n}", "find?q=1&n=2", &[("q", "1"), ("n", "2")]),
        ("find{?q}&fixed=1", "find?q=1&fixed=1", &[("q", "1")]),
    ]);
}

#[test]
fn captures_are_decoded_and_compared_in_normal_form() {
    assert_matches(&[
        ("n://{a}", "n://caf%c3%a9", &[("a", "café")]),
        ("n://{a}", "n://café", &[("a", "café")]),
        ("n://é/{a}", "n://%c3%a9/x", &[("a", "x")]),
        ("n://{a}", "n://a%2Fb", &[("a", "a/b")]),
        ("n://{a}", "n://50%", &[("a", "50%")]),
        ("{a}/{a}", "x/x", &[("a", "x")]),
    ]);
}

#[test]
fn uris_with_missing_additional_or_invalid_parts_do_not_match() {
    let cases = [
        ("users/{id}", "users/"),
        ("users/{id}", "users/1/2"),
        ("users/{id}", "users/1?x"),
        ("users/{id}", "xusers/1"),
        ("users/{id}/x", "users/1/xx"),
        ("{+path}", ""),
        ("find{?q}", "find?z=1"),
        ("find{?q}", "find?q=1&q=2"),
        ("find{?q}", "find?"),
        ("{a}/{a}", "x/y"),
        ("{a}F", "%2F"),
        ("n://{a}", "n://%ff"),
    ];
    for (source, uri) in cases {
        assert_eq!(captures(source, uri), None, "{source} against {uri}");
    }
}

#[test]
fn modifiers_make_a_template_unmatchable() {
    assert!(template("{a}{?b}").is_matchable());
    for source in ["{a*}", "{?b*}", "{a:3}", "x{/a,b:2}"] {
        assert!(!template(source).is_matchable(), "{source}");
        assert_eq!(captures(source, "x"), None, "{source}");
    }
}

/// A backtracking matcher would take exponential time for these.
#[test]
fn hostile_templates_and_uris_take_bounded_time() {
    assert_eq!(captures(&format!("{}/", "{a}".repeat(400)), &"a".repeat(8_000)), None);
    let reserved = "{+a}a".repeat(400);
    assert_eq!(captures(&format!("{reserved}!"), &"a".repeat(8_000)), None);
    assert_eq!(captures("{+a}{?b}!", &"?b=".repeat(2_000)), None);
    assert_eq!(captures("{+a}", &"a".repeat(9_000)), None);
}
