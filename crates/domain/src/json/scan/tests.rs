//! Compares the scanner with `serde_json`.

use indexmap::IndexMap;
use proptest::prelude::*;
use serde_json::value::RawValue;

use super::super::check::find_fault;
use super::*;

type RawMembers<'d> = IndexMap<String, &'d RawValue>;

/// The members that `serde_json` finds; none if the document is not an object.
fn members_of(text: &str) -> RawMembers<'_> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Asserts that `serde_json` and the scanner accept or refuse the document alike and find the same members, whether or
/// not members are collected.
fn assert_agrees(document: &str) {
    assert_eq!(validate(document), ScannedDocument::parse(document).map(|scanned| scanned.text), "{document:?}");
    let Some(scanned) = ScannedDocument::parse(document) else {
        assert!(find_fault(document.as_bytes()).is_err(), "{document:?} is refused although `serde_json` accepts it");
        return;
    };
    find_fault(document.as_bytes())
        .unwrap_or_else(|fault| panic!("{document:?} is accepted although `serde_json` refuses it: {fault}"));
    assert_eq!(scanned.text, document.trim_matches([' ', '\t', '\n', '\r']));
    let expected = members_of(scanned.text);
    assert_eq!(scanned.members().count(), expected.len(), "{document:?}");
    for ((member, inner), (name, value)) in scanned.members().zip(expected) {
        assert_eq!((&*member.name, member.value), (&*name, value.get()), "{document:?}");
        assert_eq!(member.string(), serde_json::from_str(value.get()).ok(), "{document:?}");
        let expected = members_of(value.get()).into_iter().map(|(name, value)| (name, value.get()));
        assert!(inner.iter().map(|one| (one.name.clone().into_owned(), one.value)).eq(expected), "{document:?}");
    }
}

#[test]
fn members_and_their_members_are_collected_as_written() {
    let text = r#" {"a": {"b" : [1, {"c":2}], "\u0064":"\n"}, "e":[{"f":1}] ,"g":{}, "":"x"} "#;
    let scanned = ScannedDocument::parse(text).unwrap();
    let collected = scanned.members().flat_map(|(member, inner)| {
        let inner = inner.iter().map(|one| format!("{}.{}={}", member.name, one.name, one.value));
        std::iter::once(format!("{}={}", member.name, member.value)).chain(inner)
    });
    let expected = [
        r#"a={"b" : [1, {"c":2}], "\u0064":"\n"}"#,
        r#"a.b=[1, {"c":2}]"#,
        r#"a.d="\n""#,
        r#"e=[{"f":1}]"#,
        "g={}",
        r#"="x""#,
    ];
    assert_eq!(collected.collect::<Vec<_>>(), expected);
    assert_agrees(text);
}

/// Documents that are nearly JSON, separated by bars.
const NEARLY_JSON: &str = r#"| |{|}|[|[1|[1,|[1,]|[,1]|{,}|{"a"}|{"a":}|{"a":1,}|{a:1}|{1:1}|{"a":1 "b":2}|[1 2]|tru|truex|nul|null|true |
fals|falsey|nan|Infinity|-|-a|0|-0|00|01|-01|1.|.1|1.0|1e|1e+|1e5|1E-5|1e+5|1.5e3|1e999|-1e999|1e-999|0e999|+1|1_0|0x1|"|"\"|
"\\"|"\x"|"\u12"|"\u1234"|"\ud800"|"\ud800\udc00"|"\udc00"|"\ud800x"|"é"|"\é"|"\|{"a":1,"a":1}|{"a":1,"\u0061":1}|
{"a":{"b":1,"b":2}}|[{"a":1,"a":1}]|{} {}|[]]|/**/1|1//|
{"$serde_json::private::RawValue":"1"}|{"a":{"b":1,"\u0024serde_json::private::RawValue":1}}|"$serde_json::private::RawValue"|
{"$serde_json::private::Number":"1"}"#;

#[test]
fn nearly_valid_json_is_accepted_or_refused_as_by_serde_json() {
    let invisible = ["\"a\nb\"", "\"\t\"", "\"\u{7f}\"", "\u{feff}1", "\u{a0}1", "1\u{2003}", "\u{0}"];
    for document in NEARLY_JSON.split('|').chain(invisible) {
        assert_agrees(document);
    }
    for digits in [17, 20, 299, 300, 308, 309, 310, 400] {
        for number in ["9", "1", "17976931348623157"] {
            let number = format!("{number}{}", "0".repeat(digits - number.len()));
            assert_agrees(&number);
            assert_agrees(&format!("-{number}.5"));
        }
    }
    for depth in 63..=66 {
        assert_agrees(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        assert_agrees(&format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth)));
    }
    for values in [VALUES_MAX - 6, VALUES_MAX - 5, VALUES_MAX - 4, VALUES_MAX] {
        assert_agrees(&format!("[0{}]", ",0".repeat(values - 1)));
        assert_agrees(&format!("[[]{}]", ",[]".repeat(values / 5 - 1)));
    }
}

#[test]
fn strings_of_any_length_end_at_their_quote() {
    for length in (0..200).chain([1000, 4096]) {
        for end in ["\"", "\\\"\"", "\n\"", "é\"", "", "\\"] {
            assert_agrees(&format!("\"{}{end}", "x".repeat(length)));
        }
    }
}

fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        r#""([a-c\u{e9}\u{1f600} ]|\\["\\/bfnrt]|\\u[0-9a-d][0-9a-f]{3}){0,6}""#,
        r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
        "true|false|null",
    ];
    let space = "[ \t\n\r]{0,2}";
    scalar.prop_recursive(4, 30, 5, move |value| {
        let name = r#""([a-f]|\\u006[1-6]){0,2}""#;
        let list = prop::collection::vec((space, value.clone()), 0..5);
        let object = prop::collection::vec((space, name, space, value), 0..5);
        prop_oneof![
            list.prop_map(|items| join('[', items.into_iter().map(|(space, value)| space + &value), ']')),
            object.prop_map(|members| {
                let members =
                    members.into_iter().map(|(one, name, two, value)| format!("{one}{name}{two}:{two}{value}{one}"));
                join('{', members, '}')
            }),
        ]
    })
}

fn join(open: char, parts: impl Iterator<Item = String>, close: char) -> String {
    format!("{open}{}{close}", parts.collect::<Vec<_>>().join(","))
}

proptest! {
    #[test]
    fn valid_json_is_accepted_as_by_serde_json(document in json()) {
        assert_agrees(&document);
    }

    #[test]
    fn mutated_json_is_accepted_or_refused_as_by_serde_json(
        document in json(),
        index in any::<prop::sample::Index>(),
        removed in 0..3_usize,
        inserted in r#"|[\[\]{}:,"\\0-9eE.+\- a\n]"#,
    ) {
        let mut document: Vec<char> = document.chars().collect();
        let start = index.index(document.len() + 1);
        let range = start..(start + removed).min(document.len());
        document.splice(range, inserted.chars());
        assert_agrees(&document.into_iter().collect::<String>());
    }

    #[test]
    fn any_text_is_accepted_or_refused_as_by_serde_json(document in ".{0,60}") {
        assert_agrees(&document);
    }
}
