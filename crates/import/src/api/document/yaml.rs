//! YAML 1.2 documents as JSON values.
//!
//! Aliases are replaced by their values, merge keys (`<<`) by the members they name, within limits. Tags other than
//! `!!str` are ignored.

mod builder;
mod scalar;

use granit_parser::{Event, Marker, Parser};
use serde_json::Value;

use super::DocumentError;
use super::text::printable_yaml;
use crate::api::problem::ApiWarning;
use builder::ValueBuilder;

/// Maximum length of a key, in characters. It is above the limit of YAML, because JSON has none.
const KEY_CHARS_MAX: usize = 1 << 16;
/// Nesting limit of the YAML parser. It is above the limit of a document, so that the builder, which knows the pointer,
/// reports the error.
const NESTING_MAX: usize = 250;

/// Parses a YAML document.
pub(super) fn parse(source: &str) -> Result<(Value, Vec<ApiWarning>), DocumentError> {
    let (text, removed) = printable_yaml(source);
    let mut builder = ValueBuilder::new(removed);
    let options = granit_parser::options! {
        simple_key_max_lookahead: KEY_CHARS_MAX,
        flow_nesting_limit: NESTING_MAX,
        block_nesting_limit: NESTING_MAX,
    };
    let mut has_content = false;
    for event in Parser::new_from_str_with_options(&text, options) {
        let (event, span) = event.map_err(|error| builder.scan_error(&error))?;
        match event {
            // An empty second document, after a final `---`, is not an error.
            Event::DocumentStart(..) if has_content => builder.start_second_document(),
            Event::DocumentStart(..) => has_content = true,
            event => builder.add(event).map_err(|error| error.into_document_error(span.start))?,
        }
    }
    Ok(builder.finish())
}

/// A syntax error at a position of the YAML text.
fn syntax_error_at(message: String, marker: Marker) -> DocumentError {
    DocumentError::Syntax { message, line: marker.line(), column: marker.col() + 1 }
}
