//! URI templates: parsing preserves the source, the variables of a matching URI can be expanded again, and an expanded
//! URI matches again.

use std::collections::HashSet;

use toolgate_domain::uri_template::{UriTemplate, Variables};

/// Checks any text as a template, any text as a URI and any value.
pub(crate) fn check(source: &str, uri: &str, value: &str) {
    let Ok(template) = UriTemplate::parse(source) else { return };
    assert_eq!(template.as_str(), source);
    let all = template.variables().fold(Variables::new(), |all, name| all.with(name, value));
    let expanded = template.expand(&all);
    assert!(expanded.is_ascii() || !source.is_ascii(), "{source} -> {expanded}");
    check_match(&template, uri);
    check_match(&template, &expanded);
}

/// The variables of a matching URI belong to the template, and expand to a URI that matches.
fn check_match(template: &UriTemplate, uri: &str) {
    let Some(found) = template.matches(uri) else { return };
    let known: HashSet<&str> = template.variables().collect();
    assert!(found.iter().all(|(name, _)| known.contains(name.as_str())), "{template}: {found:?}");
    assert!(template.is_matchable(), "{template}");
    // A variable that occurs twice may be matched in one position only, and is then expanded in both.
    if names(template.as_str()).count() == known.len() {
        let again = template.expand(&found.iter().cloned().collect());
        assert!(template.matches(&again).is_some(), "{template}: {uri} -> {again}");
    }
}

/// All occurrences of variables in a template.
fn names(source: &str) -> impl Iterator<Item = &str> {
    source.split('{').skip(1).filter_map(|rest| rest.split('}').next()).flat_map(|names| names.split(','))
}
