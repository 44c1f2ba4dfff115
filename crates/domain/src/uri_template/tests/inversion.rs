//! Matching inverts expansion where that is defined: for the examples of the RFC, and for generated templates.

use proptest::prelude::*;

use super::examples::{examples, variables};
use super::*;

/// Examples that matching does not invert, and why.
const NOT_INVERTIBLE: [(&str, &str); 6] = [
    ("O{empty}X", "a simple value has at least one character: `users/` does not name a user"),
    ("O{undef}X", "as for `O{empty}X`"),
    ("O{+empty}X", "as for `O{empty}X`"),
    ("O{+undef}X", "as for `O{empty}X`"),
    ("?{undef,y}", "without names, the first value belongs to the first variable"),
    ("up{+path}{var}/here", "there is no delimiter; the first value is as long as possible"),
];

/// A value as matching returns it: a list or map without `*` is one text with commas.
fn as_text(value: &VariableValue) -> String {
    match value {
        VariableValue::Text(text) => text.clone(),
        VariableValue::List(items) => items.join(","),
        VariableValue::Map(entries) => {
            entries.iter().map(|(key, text)| format!("{key},{text}")).collect::<Vec<_>>().join(",")
        }
    }
}

#[test]
fn matching_inverts_every_example_of_the_rfc_where_that_is_defined() {
    let variables = variables();
    let mut checked = 0;
    for (source, uri) in examples() {
        let template = template(source);
        if template.variable_specs().any(|spec| spec.modifier.is_some()) {
            assert!(!template.is_matchable(), "{source} has a modifier and must not be matchable");
            continue;
        }
        let matched = template.matches(uri);
        let defined = |name: &str| Some((name.to_owned(), as_text(variables.get(name)?)));
        let expected: Vec<_> = template.variables().filter_map(defined).collect();
        let is_not_invertible = NOT_INVERTIBLE.iter().any(|(example, _)| *example == source);
        assert_eq!(matched == Some(expected), !is_not_invertible, "{source} against {uri}: {matched:?}");
        checked += 1;
    }
    assert!(checked > 100, "only {checked} examples were checked");
}

/// A part of a generated template, and the values of its variables; the variables are named later.
#[derive(Clone, Debug, Default)]
struct GeneratedPart {
    source: String,
    values: Vec<Option<String>>,
}

/// Any value, with many characters that have a meaning in a URI.
fn value(length_min: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![any::<char>(), prop::sample::select("%/:?#,;&=.+ é".chars().collect::<Vec<_>>())],
        length_min..8,
    )
    .prop_map(String::from_iter)
}

/// `before{operator$,$}`, where `$` is a placeholder for a variable name.
fn part(before: &str, operator: &str, values: Vec<Option<String>>) -> GeneratedPart {
    let names = vec!["$"; values.len()].join(",");
    GeneratedPart { source: format!("{before}{{{operator}{names}}}"), values }
}

/// Moves absent values to the end: values without names can only be absent there.
fn absent_last(mut values: Vec<Option<String>>) -> Vec<Option<String>> {
    values.sort_by_key(Option::is_none);
    values
}

/// A path segment. All start with `/:`, which no encoded value can contain.
fn segment() -> impl Strategy<Value = GeneratedPart> {
    let present = |length_min, count_max| prop::collection::vec(value(length_min).prop_map(Some), 1..=count_max);
    let optional = || prop::collection::vec(prop::option::of(value(0)), 1..=3);
    prop_oneof![
        present(1, 1).prop_map(|values| part("/:", "", values)),
        present(1, 3).prop_map(|values| part("/:/x", "", values)),
        optional().prop_map(|values| part("/:", "/", absent_last(values))),
        optional().prop_map(|values| part("/:", ";", values)),
        present(0, 1).prop_map(|values| part("/:", ".", values)),
    ]
}

/// The end of a template: a query and a fragment, or a reserved expression.
fn tail() -> impl Strategy<Value = Vec<GeneratedPart>> {
    let optional = || prop::collection::vec(prop::option::of(value(0)), 1..=3);
    let plain = |length_min| value(length_min).prop_map(|text| text.replace(['%', ':'], "_"));
    let fragment = || prop::option::of(plain(0)).prop_map(|value| part("", "#", vec![value]));
    prop_oneof![
        (optional(), fragment()).prop_map(|(query, fragment)| vec![part("", "?", query), fragment]),
        // Without a query before it, `&name=value` could belong to the path.
        (optional(), fragment()).prop_map(|(query, fragment)| vec![part("?fixed=yes", "&", query), fragment]),
        plain(1).prop_map(|rest| vec![part("/:/", "+", vec![Some(rest)])]),
        Just(Vec::new()),
    ]
}

/// A template, and its variables in order.
fn invertible_template() -> impl Strategy<Value = (String, Vec<(String, String)>)> {
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
    fn matching_inverts_generated_templates((source, pairs) in invertible_template()) {
        let template = template(&source);
        let uri = template.expand(&pairs.iter().cloned().collect());
        prop_assert_eq!(template.matches(&uri), Some(pairs), "{} -> {}", source, uri);
    }
}
