//! Examples of placeholders, and properties that hold for any template and any value.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// `a` and `b c` have values; the value of `a` looks like a placeholder.
fn value_of(name: &str) -> Option<&'static str> {
    match name {
        "a" => Some("{{b c}}"),
        "b c" => Some("B"),
        _ => None,
    }
}

fn filled(template: &str) -> String {
    fill(template, value_of).unwrap()
}

#[test]
fn placeholders_are_filled_once_and_other_text_stays() {
    for (template, expected) in [
        ("", ""),
        ("{{b c}}", "B"),
        ("x{{ b c }}y{{\tb c\n}}", "xByB"),
        ("{{a}}", "{{b c}}"),
        ("{{a}}{{a}}", "{{b c}}{{b c}}"),
        ("{{unknown}} {{b  c}} {{A}}", "{{unknown}} {{b  c}} {{A}}"),
        ("{b c} {{b c} {b c}}", "{b c} {{b c} {b c}}"),
        ("{{}} {{ }}", "{{}} {{ }}"),
        ("{{{b c}}}", "{B}"),
        ("{{{{b c}}}}", "{{B}}"),
        ("{{ {{b c}} }}", "{{ B }}"),
        ("{{x {{b c}}", "{{x B"),
        ("}}{{b c}}{{", "}}B{{"),
        ("{{é{{b c}}é}}", "{{éBé}}"),
    ] {
        assert_eq!(filled(template), expected, "{template}");
    }
}

#[test]
fn values_may_be_owned_or_borrowed() {
    assert_eq!(fill("{{x}}", |name| Some(name.to_uppercase())).unwrap(), "X");
    assert_eq!(fill("{{x}}", |_| Some(std::borrow::Cow::Borrowed("y"))).unwrap(), "y");
}

#[test]
fn string_values_of_a_document_are_filled_and_their_escapes_decoded() {
    let fill = |document: &str| fill_json(document, |name| (name == "q").then_some("\"\\\n")).unwrap();
    assert_eq!(fill(r#""{{q}}""#), r#""\"\\\n""#);
    assert_eq!(fill(r#""\u007b{q}\u007D""#), r#""\"\\\n""#);
    assert_eq!(fill(r#"{"{{q}}" : [1.0e5, "{{q}}", "\\"]}"#), r#"{"{{q}}" : [1.0e5, "\"\\\n", "\\"]}"#);
    assert_eq!(fill(r#"{"{{q": "}}", "a\"": "\/"}"#), r#"{"{{q": "}}", "a\"": "\/"}"#);
}

#[test]
fn the_size_of_the_result_is_limited() {
    let value = "x".repeat(CONTENT_MAX);
    assert_eq!(fill(&"{{x}}".repeat(8), |_| Some(&value)).map(|text| text.len()), Ok(FILLED_MAX));
    assert_eq!(fill(&"{{x}}".repeat(9), |_| Some(&value)), Err(TooLong));
    assert_eq!(fill_json(&json!(vec!["{{x}}"; 9]).to_string(), |_| Some(&value)), Err(TooLong));
    assert_eq!(fill_json(&json!("{{x}}".repeat(9)).to_string(), |_| Some(&value)), Err(TooLong));
}

#[test]
fn hostile_templates_take_linear_time() {
    for unit in ["{{", "}}", "{{{{ ", "{{ }}", "{", "\"", "\\"] {
        let template = unit.repeat(CONTENT_MAX / unit.len());
        assert_eq!(filled(&template), template);
        assert_eq!(fill_json(&template, value_of).unwrap(), template);
    }
}

/// A template of texts and placeholders, and its expected result.
fn template_and_result() -> impl Strategy<Value = (String, String)> {
    let text = "[^{}]{0,8}".prop_map(|text| (text.clone(), text));
    let known = prop::sample::select(vec!["{{a}}", "{{ a}}", "{{a  }}"]);
    let known = known.prop_map(|placeholder| (placeholder.to_owned(), "{{b c}}".to_owned()));
    let unknown = "\\{\\{[d-z]{0,4}\\}\\}".prop_map(|text| (text.clone(), text));
    prop::collection::vec(prop_oneof![text, known, unknown], 0..12)
        .prop_map(|pieces| pieces.into_iter().fold(<(String, String)>::default(), |(a, b), (c, d)| (a + &c, b + &d)))
}

/// Documents whose strings and names contain many braces and quotes.
fn document() -> impl Strategy<Value = Value> {
    let text = "([{}\"\\\\a\n ]|\\{\\{a\\}\\}|é){0,8}";
    let leaf = prop_oneof![
        any::<Option<bool>>().prop_map(|flag| json!(flag)),
        any::<i64>().prop_map(|number| json!(number)),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text, inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The expected result of filling a document, computed on its tree.
fn filled_tree(tree: Value, value: &str) -> Value {
    match tree {
        Value::String(text) => Value::String(fill(&text, |name| (name == "a").then_some(value)).unwrap()),
        Value::Array(items) => items.into_iter().map(|item| filled_tree(item, value)).collect(),
        Value::Object(members) => members.into_iter().map(|(name, item)| (name, filled_tree(item, value))).collect(),
        other => other,
    }
}

proptest! {
    #[test]
    fn values_are_never_expanded_again((template, expected) in template_and_result()) {
        prop_assert_eq!(filled(&template), expected);
    }

    #[test]
    fn a_text_without_placeholders_stays(text in "([^{]|\\{[^{]){0,40}") {
        prop_assert_eq!(fill(&text, |_| Some("value")).unwrap(), text);
    }

    #[test]
    fn the_result_grows_by_at_most_one_value_per_placeholder(template in "[{}a ]{0,60}", value in ".{0,10}") {
        let placeholders = template.matches("}}").count();
        let len = fill(&template, |_| Some(&value)).unwrap().len();
        prop_assert!(len <= template.len() + placeholders * value.len());
    }

    #[test]
    fn a_filled_document_is_the_document_with_its_strings_filled(
        tree in document(),
        value in "([{}\"\\\\\n]|\\{\\{a\\}\\}|.){0,8}",
        is_pretty: bool,
    ) {
        let text = if is_pretty { serde_json::to_string_pretty(&tree) } else { serde_json::to_string(&tree) };
        let filled = fill_json(&text.unwrap(), |name| (name == "a").then_some(&value)).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&filled).unwrap(), filled_tree(tree, &value));
    }
}
