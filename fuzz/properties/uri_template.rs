//! URI templates: the variables of a matching URI can be expanded again, and an expanded URI matches again.

use std::collections::HashSet;

use toolgate_domain::uri_template::{UriTemplate, Variables};

/// Checks any text as a template, any text as a URI and any value.
pub(crate) fn check(source: &str, uri: &str, value: &str) {
    let Ok(template) = UriTemplate::parse(source) else { return };
    let variables = template.variables().fold(Variables::new(), |variables, name| variables.with(name, value));
    let expanded = template.expand(&variables);
    assert!(expanded.is_ascii() || !source.is_ascii(), "{source} -> {expanded}");
    check_match(source, &template, uri);
    check_match(source, &template, &expanded);
}

/// The variables of a matching URI belong to the template, and expand to a URI that matches.
fn check_match(source: &str, template: &UriTemplate, uri: &str) {
    let Some(captures) = template.matches(uri) else { return };
    let declared: HashSet<&str> = template.variables().collect();
    assert!(
        captures.iter().all(|(name, _)| declared.contains(name.as_str())),
        "{source} has no variable for one of {captures:?}"
    );
    assert!(template.is_matchable(), "{source} matches, but is not matchable");
    // A variable that occurs twice may be matched in one position only, and is then expanded in both.
    if variable_occurrences(source).count() == declared.len() {
        let again = template.expand(&captures.iter().cloned().collect());
        assert!(template.matches(&again).is_some(), "{source}: {uri} -> {again}");
    }
}

/// All occurrences of variables in a template.
fn variable_occurrences(source: &str) -> impl Iterator<Item = &str> {
    source.split('{').skip(1).filter_map(|rest| rest.split('}').next()).flat_map(|names| names.split(','))
}
