//! Prompt templates: no placeholder of a declared argument remains, and a filled JSON document is valid JSON.

use serde_json::Value;
use toolgate_domain::prompt_template::{fill, fill_json};

/// A value of the argument `a` that cannot form a new placeholder in any template.
const FILLING: &str = "\u{a7}";

/// Checks any template and any value of the argument `a`.
pub(crate) fn check(template: &str, value: &str) {
    let fill_with = |text: &str, value: &str| fill(text, |name| (name == "a").then(|| value.to_owned()));
    if let Ok(filled) = fill_with(template, FILLING) {
        assert!(!filled.contains("{{a}}") && !filled.contains("{{ a }}"), "{template:?} -> {filled:?}");
        assert_eq!(fill_with(&filled, "again").as_ref(), Ok(&filled), "{template:?} was not filled in one pass");
    }
    // A value is inserted verbatim: the text around it does not depend on it.
    if let (Ok(one), Ok(other)) = (fill_with(template, FILLING), fill_with(template, value))
        && !template.contains(FILLING)
    {
        assert_eq!(one.replace(FILLING, value), other, "{template:?}");
    }
    if serde_json::from_str::<Value>(template).is_ok()
        && let Ok(filled) = fill_json(template, |name| (name == "a").then(|| value.to_owned()))
    {
        assert!(serde_json::from_str::<Value>(&filled).is_ok(), "{template:?} -> {filled:?}");
    }
}
