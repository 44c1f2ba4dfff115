//! Parameters that are described by `content`: a document of a media type in one parameter.

use serde_json::{Map, Value, json};

use crate::api::argument::as_object;
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::media_type::MediaKind;
use crate::api::openapi::scope::OperationScope;
use crate::api::reference::Located;

/// The converted schema, the keys of the mapping rule, and the schema in the document.
type ParameterContent<'a> = (Map<String, Value>, Map<String, Value>, Option<Located<'a>>);

/// Reads a parameter without `schema`. JSON is sent as text; other media types are strings that the caller writes.
pub(super) fn schema_and_rule<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameter: &Located<'a>,
) -> Result<ParameterContent<'a>, OperationError> {
    let content = parameter.member("content");
    let Some((media_type, content)) = content.as_ref().and_then(|content| content.members().next()) else {
        return Ok((untyped(parameter), Map::new(), None));
    };
    let content = scope.resolve(content)?;
    if MediaKind::from_media_type(media_type) == MediaKind::Json {
        let rule = Map::from_iter([("style".to_owned(), Value::from("json"))]);
        let source = content.member("schema");
        let schema = match &source {
            Some(schema) => scope.described_schema(schema, parameter)?,
            None => described(Map::new(), parameter),
        };
        return Ok((schema, rule, source));
    }
    let text = parameter.text("description").unwrap_or_default();
    let description = format!("{text} A text of the type {media_type}.");
    let schema = json!({"type": "string", "description": description.trim_start()});
    Ok((as_object(schema), Map::new(), None))
}

/// The schema of a parameter that has none: every type that can be sent without a style.
fn untyped(parameter: &Located<'_>) -> Map<String, Value> {
    described(as_object(json!({"type": ["string", "number", "boolean"]})), parameter)
}

fn described(mut schema: Map<String, Value>, parameter: &Located<'_>) -> Map<String, Value> {
    if let Some(text) = parameter.text("description") {
        let text = crate::api::description::argument_description(text, false, None);
        schema.insert("description".to_owned(), text.into());
    }
    schema
}
