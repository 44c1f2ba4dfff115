//! Files: bodies and parts whose content is binary.

use serde_json::{Map, Value, json};

use crate::api::argument::ArgumentDraft;
use crate::api::description::argument_description;
use crate::api::file_object::file_schema;
use crate::api::openapi::body::{BodySource, whole_body_draft};
use crate::api::openapi::media_type::{self, MediaKind};

/// The argument for a body that is a file.
pub(super) fn whole_body(body: &BodySource<'_, '_>) -> ArgumentDraft {
    let text = argument_description(body.owner.text("description").unwrap_or_default(), false, None);
    let mut schema = file_schema(&text);
    if is_type_chosen_by_caller(body.media_type) {
        require(&mut schema, "media_type");
    }
    whole_body_draft(body, schema, Map::from_iter([("file".to_owned(), Value::Bool(true))]))
}

/// Whether the type of the body is known only when the tool is called.
fn is_type_chosen_by_caller(media_type: &str) -> bool {
    media_type::is_range(media_type) || media_type.trim_start().starts_with("multipart/")
}

fn require(schema: &mut Map<String, Value>, name: &str) {
    schema.insert("required".to_owned(), json!([name]));
}

/// Whether a property of a multipart body is a file. `content_type` is that of its encoding.
pub(super) fn is_file(schema: &Value, content_type: Option<&str>) -> bool {
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    let is_binary = |media_type: &str| MediaKind::from_media_type(media_type) == MediaKind::Binary;
    let is_described = schema.as_object().is_some_and(|schema| {
        ["type", "properties", "allOf", "anyOf", "oneOf", "enum", "const", "$ref", "items", "format"]
            .iter()
            .any(|key| schema.contains_key(*key))
    });
    text("type") == Some("file")
        || text("format") == Some("binary")
        || (text("contentEncoding").is_none() && text("contentMediaType").is_some_and(is_binary))
        // Since OpenAPI 3.1 a file may have an empty schema.
        || (!is_described && content_type.is_some_and(|list| list.split(',').any(is_binary)))
}
