//! The smallest call that a schema accepts, if it is short.

use serde_json::Map;
use toolgate_domain::example_call::example_arguments;

use super::pattern;
use super::schema_view::SchemaView;

/// Longer examples are not shown.
const EXAMPLE_CHARS_MAX: usize = 160;

/// The smallest valid call as JSON; `None` if none was found, or if it needs no arguments.
pub(super) fn smallest_call(view: &SchemaView<'_>) -> Option<String> {
    let call = example_arguments(view.document, &pattern::sample);
    if call.as_object().is_none_or(Map::is_empty) {
        return None;
    }
    let text = call.to_string();
    let is_short = text.chars().nth(EXAMPLE_CHARS_MAX).is_none();
    (is_short && view.compiled.accepts(&call)).then_some(text)
}
