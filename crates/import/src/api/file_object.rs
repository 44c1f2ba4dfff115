//! File objects: arguments whose content is a file.

use serde_json::{Map, Value, json};

/// The schema of a file object.
pub(crate) fn file_schema(description: &str) -> Map<String, Value> {
    let description = format!("{description} A file: its content as `text` or as `base64`.");
    let schema = json!({
        "type": "object",
        "description": description.trim_start(),
        "properties": {
            "text": {"type": "string"},
            "base64": {"type": "string"},
            "filename": {"type": "string"},
            "media_type": {"type": "string"},
        },
        "oneOf": [{"required": ["text"]}, {"required": ["base64"]}],
        "additionalProperties": false,
    });
    schema.as_object().cloned().unwrap_or_default()
}
