//! Matching undoes expansion wherever the way back is defined: for the examples of the RFC, and for templates
//! made up at random.

use proptest::prelude::*;

use super::examples::{examples, variables};
use super::*;

/// Examples that do not come back as they went, and why.
const ONE_WAY: [(&str, &str); 6] = [
    ("O{empty}X", "a simple value is at least one character long, for `users/` is no user"),
    ("O{undef}X", "the same"),
    ("O{+empty}X", "the same"),
    ("O{+undef}X", "the same"),
    ("?{undef,y}", "without names, the first value found is the first variable's"),
    ("up{+path}{var}/here", "nothing shows where one value ends; the first takes all it can"),
];

/// What a value looks like in a URI, decoded: a list or map without `*` is one text with commas.
fn as_text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::List(items) => items.join(","),
        Value::Map(entries) => entries.iter().map(|(key, text)| format!("{key},{text}")).collect::<Vec<_>>().join(","),
    }
}

#[test]
fn every_example_of_the_rfc_comes_back_where_that_is_defined() {
    let variables = variables();
    let mut checked = 0;
    for (source, uri) in examples() {
        let template = template(source);
        if template.specs().any(|spec| spec.modifier.is_some()) {
            assert!(!template.is_matchable(), "{source}: modifiers leave out or take apart what they are given");
            continue;
        }
        let found = template.matches(uri);
        let defined = |name: &str| Some((name.to_owned(), as_text(variables.get(name)?)));
        let expected: Vec<_> = template.variables().filter_map(defined).collect();
        let is_one_way = ONE_WAY.iter().any(|(known, _)| *known == source);
        assert_eq!(found == Some(expected), !is_one_way, "{source} against {uri}: {found:?}");
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

/// A template, or a part of one, and the variables it is expanded with; variables are numbered later.
#[derive(Clone, Debug, Default)]
struct Part {
    source: String,
    values: Vec<Option<String>>,
}

/// Any value, with a taste for the characters that mean something in a URI.
fn value(shortest: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![any::<char>(), prop::sample::select("%/:?#,;&=.+ é".chars().collect::<Vec<_>>())],
        shortest..8,
    )
    .prop_map(String::from_iter)
}

/// `before{operator$,$}`, where `$` stands for a variable.
fn part(before: &str, operator: &str, values: Vec<Option<String>>) -> Part {
    let names = vec!["$"; values.len()].join(",");
    Part { source: format!("{before}{{{operator}{names}}}"), values }
}

/// Values without names can only be absent at the end: the rest would move up.
fn leading(mut values: Vec<Option<String>>) -> Vec<Option<String>> {
    values.sort_by_key(Option::is_none);
    values
}

/// A stretch of path. All begin with `/:`, which no value of theirs can contain once it is encoded.
fn segment() -> impl Strategy<Value = Part> {
    let some = |shortest, most| prop::collection::vec(value(shortest).prop_map(Some), 1..=most);
    let maybe = || prop::collection::vec(prop::option::of(value(0)), 1..=3);
    prop_oneof![
        some(1, 1).prop_map(|values| part("/:", "", values)),
        some(1, 3).prop_map(|values| part("/:/x", "", values)),
        maybe().prop_map(|values| part("/:", "/", leading(values))),
        maybe().prop_map(|values| part("/:", ";", values)),
        some(0, 1).prop_map(|values| part("/:", ".", values)),
    ]
}

/// What may only stand at the end: a query and a fragment, or all that is left.
fn tail() -> impl Strategy<Value = Vec<Part>> {
    let maybe = || prop::collection::vec(prop::option::of(value(0)), 1..=3);
    let plain = |shortest| value(shortest).prop_map(|text| text.replace(['%', ':'], "_"));
    let fragment = || prop::option::of(plain(0)).prop_map(|value| part("", "#", vec![value]));
    prop_oneof![
        (maybe(), fragment()).prop_map(|(query, fragment)| vec![part("", "?", query), fragment]),
        // Without a query before it, `&name=value` may as well belong to the path.
        (maybe(), fragment()).prop_map(|(query, fragment)| vec![part("?fixed=yes", "&", query), fragment]),
        plain(1).prop_map(|rest| vec![part("/:/", "+", vec![Some(rest)])]),
        Just(Vec::new()),
    ]
}

/// A template, and the variables that it is to be expanded with, in its order.
fn invertible() -> impl Strategy<Value = (String, Vec<(String, String)>)> {
    (prop::collection::vec(segment(), 0..4), tail()).prop_map(|(segments, tail)| {
        let (mut source, mut pairs) = ("n://h".to_owned(), Vec::new());
        let mut count = 0;
        for part in segments.into_iter().chain(tail) {
            source.push_str(&part.source);
            for value in part.values {
                let name = format!("v{count}");
                source = source.replacen('$', &name, 1);
                pairs.extend(value.map(|value| (name, value)));
                count += 1;
            }
        }
        (source, pairs)
    })
}

proptest! {
    #[test]
    fn made_up_templates_come_back((source, pairs) in invertible()) {
        let template = template(&source);
        let uri = template.expand(&pairs.iter().cloned().collect());
        prop_assert_eq!(template.matches(&uri), Some(pairs), "{} -> {}", source, uri);
    }
}
