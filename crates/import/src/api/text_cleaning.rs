//! Removes characters that people do not see but models read.

use serde_json::Value;

/// Removes control characters except line breaks and tabs, zero-width characters, tag characters and characters that
/// change the direction of the text. Joiners, which Indic scripts and emoji need, stay.
pub(crate) fn strip_invisible(text: &str) -> String {
    text.chars().filter(|c| !is_invisible(*c)).collect()
}

fn is_invisible(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(
            c,
            '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// Removes invisible characters from the descriptions in a schema. Values stay as they are, because calls send them.
pub(crate) fn strip_descriptions(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                match (key.as_str(), &mut *value) {
                    ("description" | "title" | "$comment", Value::String(text)) => *text = strip_invisible(text),
                    ("enum" | "const" | "default" | "examples", _) => {}
                    _ => strip_descriptions(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(strip_descriptions),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn invisible_characters_are_removed_from_texts_but_not_from_values() {
        assert_eq!(strip_invisible("a\u{202E}b\u{E0041}\0\r\n\tc\u{feff}"), "ab\n\tc");
        let mut schema = json!({
            "description": "a\u{2066}b",
            "properties": {"description": {"description": "\u{200B}x", "enum": ["\u{200B}"]}},
        });
        strip_descriptions(&mut schema);
        let expected = json!({
            "description": "ab",
            "properties": {"description": {"description": "x", "enum": ["\u{200B}"]}},
        });
        assert_eq!(schema, expected);
    }
}
