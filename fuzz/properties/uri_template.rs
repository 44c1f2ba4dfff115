//! URI templates: what is parsed is kept as it was written, what matches can be expanded again, and what was
//! expanded is found again.

use std::collections::HashSet;

use toolgate_domain::uri_template::{UriTemplate, Variables};

/// Holds for any text as a template, any text as a URI and any value.
pub(crate) fn check(source: &str, uri: &str, value: &str) {
    let Ok(template) = UriTemplate::parse(source) else { return };
    assert_eq!(template.as_str(), source);
    let all = template.variables().fold(Variables::new(), |all, name| all.with(name, value));
    let expanded = template.expand(&all);
    assert!(expanded.is_ascii() || !source.is_ascii(), "{source} -> {expanded}");
    check_match(&template, uri);
    check_match(&template, &expanded);
}

/// What was found in a URI belongs to the template, and leads to a URI that means the same.
fn check_match(template: &UriTemplate, uri: &str) {
    let Some(found) = template.matches(uri) else { return };
    let known: HashSet<&str> = template.variables().collect();
    assert!(found.iter().all(|(name, _)| known.contains(name.as_str())), "{template}: {found:?}");
    assert!(template.is_matchable(), "{template}");
    // A variable that stands in two places may be found in one of them, and is then expanded in both.
    if names(template.as_str()).count() == known.len() {
        let again = template.expand(&found.iter().cloned().collect());
        assert!(template.matches(&again).is_some(), "{template}: {uri} -> {again}");
    }
}

/// The variables of a template as often as they stand in it.
fn names(source: &str) -> impl Iterator<Item = &str> {
    source.split('{').skip(1).filter_map(|behind| behind.split('}').next()).flat_map(|names| names.split(','))
}
