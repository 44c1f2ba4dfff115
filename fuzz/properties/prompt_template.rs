//! Prompt templates: no placeholder of a declared argument remains, and a filled JSON document is valid JSON.

use serde_json::Value;
use toolgate_domain::prompt_template::{fill, fill_json};

/// A value of the argument `a` that cannot form a new placeholder in any template.
const INERT_VALUE: &str = "\u{a7}";

/// Checks any template and any value of the argument `a`.
pub(crate) fn check(template: &str, value: &str) {
    let fill_with = |text: &str, value: &str| fill(text, |name| (name == "a").then(|| value.to_owned()));
    if let Ok(filled) = fill_with(template, INERT_VALUE) {
        assert!(!filled.contains("{{a}}") && !filled.contains("{{ a }}"), "{template:?} -> {filled:?}");
        assert_eq!(fill_with(&filled, "again").as_ref(), Ok(&filled), "{template:?} was not filled in one pass");
    }
    // A value is inserted verbatim: the text around it does not depend on it.
    if let (Ok(with_inert), Ok(with_value)) = (fill_with(template, INERT_VALUE), fill_with(template, value))
        && !template.contains(INERT_VALUE)
    {
        assert_eq!(with_inert.replace(INERT_VALUE, value), with_value, "{template:?}");
    }
    if serde_json::from_str::<Value>(template).is_ok()
        && let Ok(filled) = fill_json(template, |name| (name == "a").then(|| value.to_owned()))
    {
        assert!(serde_json::from_str::<Value>(&filled).is_ok(), "{template:?} -> {filled:?}");
    }
}
