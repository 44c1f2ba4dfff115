//! Validation of text that people and models read.
//!
//! Descriptions are instructions to a model: characters that are invisible to people but not to models (tag characters,
//! bidirectional overrides) are rejected.

use serde_json::Value;

use crate::fault::Fault;

/// Maximum length of a display name, in characters.
pub const NAME_MAX: usize = 200;
/// Maximum length of the machine-readable name of a tool or prompt, in characters.
pub const IDENTIFIER_MAX: usize = 128;
/// Maximum length of a description, in characters.
pub const DESCRIPTION_MAX: usize = 65_535;
/// Maximum length of a template or static content, in bytes.
pub const CONTENT_MAX: usize = 1024 * 1024;
/// The pattern of a tool's or prompt's name, for messages and schemas.
pub const IDENTIFIER_PATTERN: &str = "^[A-Za-z0-9_.-]{1,128}$";

/// Validates a display name: trimmed, not empty, no invisible characters.
pub fn display_name(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    check_not_empty(field, text, NAME_MAX)?;
    if text.chars().any(|c| c.is_control() || is_deceptive(c)) {
        return Err(invisible_character(field));
    }
    Ok(text.to_owned())
}

/// Validates a description; line breaks are allowed.
pub fn description(field: &str, text: &str) -> Result<String, Fault> {
    check_length(field, text, DESCRIPTION_MAX)?;
    if text.chars().any(|c| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || is_deceptive(c)) {
        return Err(invisible_character(field));
    }
    Ok(text.to_owned())
}

/// Validates the name of a tool or prompt: the characters that MCP and function-calling APIs accept.
pub fn identifier(field: &str, text: &str) -> Result<String, Fault> {
    check_not_empty(field, text, IDENTIFIER_MAX)?;
    if !text.bytes().all(is_identifier_byte) {
        return Err(Fault::invalid_pattern(
            field,
            format!("{field} may hold only letters, digits, '_', '.' and '-' (pattern {IDENTIFIER_PATTERN})."),
        ));
    }
    Ok(text.to_owned())
}

/// Whether a machine-readable name may contain this byte.
pub(crate) fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// Validates a long text, such as a template: at most [`CONTENT_MAX`], without NUL, which PostgreSQL cannot store.
pub fn content(field: &str, text: &str) -> Result<String, Fault> {
    if text.len() > CONTENT_MAX {
        return Err(Fault::too_long(field, CONTENT_MAX, "bytes"));
    }
    if text.contains('\0') {
        return Err(invisible_character(field));
    }
    Ok(text.to_owned())
}

/// Checks that a text has at most `max` characters.
pub(crate) fn check_length(field: &str, text: &str, max: usize) -> Result<(), Fault> {
    if text.chars().count() > max { Err(Fault::too_long(field, max, "characters")) } else { Ok(()) }
}

/// Checks that a text is not empty and has at most `max` characters.
pub(crate) fn check_not_empty(field: &str, text: &str, max: usize) -> Result<(), Fault> {
    if text.is_empty() { Err(Fault::empty(field)) } else { check_length(field, text, max) }
}

/// Whether a character can hide the meaning of a text: tag characters, bidirectional embeddings, overrides and
/// isolates.
pub fn is_deceptive(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{E0000}'..='\u{E007F}')
}

/// Validates a document that models read, such as a schema: no string or name in it may contain invisible characters.
pub fn document(field: &str, document: &Value) -> Result<(), Fault> {
    if has_deceptive_text(document) { Err(invisible_character(field)) } else { Ok(()) }
}

fn has_deceptive_text(value: &Value) -> bool {
    let is_deceptive_text = |text: &str| text.chars().any(is_deceptive);
    match value {
        Value::String(text) => is_deceptive_text(text),
        Value::Array(items) => items.iter().any(has_deceptive_text),
        Value::Object(members) => {
            members.iter().any(|(name, value)| is_deceptive_text(name) || has_deceptive_text(value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn invisible_character(field: &str) -> Fault {
    Fault::invalid_pattern(
        field,
        format!("{field} contains a control, tag or bidirectional-override character; remove it."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_of_tools_with_characters_outside_the_mcp_charset_are_refused() {
        assert!(identifier("name", "get_user.v2-beta").is_ok());
        for bad in ["", "with space", "naïve", "a/b", "x (copy)", "a\u{200B}b"] {
            assert!(identifier("name", bad).is_err(), "{bad:?}");
        }
        assert!(identifier("name", &"x".repeat(128)).is_ok());
        assert!(identifier("name", &"x".repeat(129)).is_err());
    }

    #[test]
    fn hidden_instructions_are_refused() {
        for bad in ["a\u{202E}b", "a\u{E0041}b", "a\0b", "a\u{1b}b"] {
            assert!(description("description", bad).is_err(), "{bad:?}");
        }
        assert!(description("description", "two\nlines\tand عربى").is_ok());
        for bad in [json!({"a": ["b\u{202E}"]}), json!({"a\u{2066}": 1})] {
            assert!(document("input_schema", &bad).is_err(), "{bad}");
        }
        assert!(document("input_schema", &json!({"pattern": "^\n$", "n": [1, true, null]})).is_ok());
    }
}
