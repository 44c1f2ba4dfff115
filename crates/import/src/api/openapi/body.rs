//! Request bodies: the arguments that they consist of, and how they are encoded.

mod file;
mod json_part;
pub(super) mod properties;
mod text;

use serde_json::{Map, Value};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;

use crate::api::argument::{ArgumentDraft, WHOLE_BODY};
use crate::api::description::argument_description;
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::media_type::{self, MediaKind};
use crate::api::openapi::scope::OperationScope;
use crate::api::overlay::argument_extensions;
use crate::api::reference::Located;

/// The body of a tool.
#[derive(Debug)]
pub(super) struct BodyMapping {
    pub(super) body_type: BodyType,
    /// Whether a body is sent even if a call has no argument for it.
    pub(super) required: bool,
    /// The header `Content-Type`, unless the body type implies it.
    pub(super) content_type: Option<String>,
    pub(super) arguments: Vec<ArgumentDraft>,
}

/// A body of one media type. `source` has `schema`, `encoding` and examples; `owner` has the description.
pub(super) struct BodySource<'s, 'a> {
    pub(super) media_type: &'s str,
    pub(super) source: Located<'a>,
    pub(super) owner: Located<'a>,
    pub(super) required: bool,
}

/// The body of an operation of OpenAPI 3; `None` if it has none.
pub(super) fn read<'a>(scope: &mut OperationScope<'_, 'a>) -> Result<Option<BodyMapping>, OperationError> {
    let Some(body) = scope.operation.operation.member("requestBody") else { return Ok(None) };
    let body = scope.resolve(body)?;
    let required = body.value.get("required") == Some(&true.into());
    let content = body.member("content");
    let media_types: Vec<(&str, Located<'a>)> = content.iter().flat_map(Located::members).collect();
    let names = || media_types.iter().map(|(name, _)| *name);
    let Some((media_type, source)) = media_type::preferred(names()).and_then(|index| media_types.get(index)) else {
        scope.warn("body_without_content", &body.pointer, "The request body has no media type, so none is sent.");
        return Ok(None);
    };
    warn_about_others(scope, &body, media_type, names());
    let source = scope.resolve(source.clone())?;
    from_source(scope, &BodySource { media_type, source, owner: body, required }).map(Some)
}

/// Names the media types that are not used.
pub(super) fn warn_about_others<'m>(
    scope: &mut OperationScope<'_, '_>,
    body: &Located<'_>,
    chosen: &str,
    all: impl Iterator<Item = &'m str>,
) {
    let others: Vec<&str> = all.filter(|name| *name != chosen).take(10).collect();
    if !others.is_empty() {
        let message = format!("The body is sent as {chosen}. The API also accepts {}.", others.join(", "));
        scope.warn("other_media_types", &body.pointer, message);
    }
}

/// The body of one media type.
pub(super) fn from_source<'a>(
    scope: &mut OperationScope<'_, 'a>,
    body: &BodySource<'_, 'a>,
) -> Result<BodyMapping, OperationError> {
    let kind = match MediaKind::from_media_type(body.media_type) {
        // A form that the caller has encoded already.
        MediaKind::Form if is_text(scope, &body.source) => MediaKind::Text,
        kind => kind,
    };
    let body_type = match kind {
        MediaKind::Json => BodyType::Json,
        MediaKind::Form => BodyType::Form,
        MediaKind::Multipart => BodyType::Multipart,
        MediaKind::Text | MediaKind::Xml | MediaKind::Binary => BodyType::Raw,
    };
    let arguments = match kind {
        MediaKind::Json => properties::json_drafts(scope, &body.source, body.required)?,
        MediaKind::Form => properties::form_drafts(scope, &body.source, ParameterLocation::Body, body.required)?,
        MediaKind::Multipart => properties::multipart_drafts(scope, &body.source, body.required)?,
        MediaKind::Text | MediaKind::Xml => Some(vec![text::draft(scope, body, kind)]),
        MediaKind::Binary => Some(vec![file::whole_body(body)]),
    };
    let arguments = match arguments {
        Some(arguments) => arguments,
        None => vec![whole_body_with_schema(scope, body)?],
    };
    let content_type = content_type(body.media_type, kind);
    Ok(BodyMapping { body_type, required: body.required, content_type, arguments })
}

/// The header `Content-Type` of a media type; `None` if the body type implies it, or for a range such as `image/*`.
fn content_type(media_type: &str, kind: MediaKind) -> Option<String> {
    let media_type = media_type.trim();
    let implied = match kind {
        MediaKind::Json => media_type.eq_ignore_ascii_case("application/json"),
        MediaKind::Form => media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded"),
        MediaKind::Multipart => true,
        // The boundary is known only to the caller, who sends it as the media type of the file.
        MediaKind::Text | MediaKind::Xml | MediaKind::Binary => media_type.starts_with("multipart/"),
    };
    (!implied && !media_type::is_range(media_type)).then(|| media_type.to_owned())
}

/// The whole body as one argument with the schema of the document.
fn whole_body_with_schema<'a>(
    scope: &mut OperationScope<'_, 'a>,
    body: &BodySource<'_, 'a>,
) -> Result<ArgumentDraft, OperationError> {
    let mut schema = match body.source.member("schema") {
        Some(schema) => scope.described_schema(&schema, &body.owner)?,
        None => described(Map::new(), body),
    };
    let is_form = !matches!(MediaKind::from_media_type(body.media_type), MediaKind::Json);
    if is_form && schema.get("type").is_some_and(|kind| !accepts_object(kind)) {
        let message = "A form consists of the properties of an object, but this schema is not an object.";
        return Err(OperationError::malformed(&body.source.pointer.member("schema"), message));
    }
    if is_form && !schema.contains_key("type") && !schema.contains_key("$ref") {
        schema.insert("type".to_owned(), "object".into());
    }
    Ok(whole_body_draft(body, schema, Map::new()))
}

/// Whether the schema of a body is a plain text.
fn is_text<'a>(scope: &OperationScope<'_, 'a>, source: &Located<'a>) -> bool {
    let schema = source.member("schema").and_then(|schema| scope.resolve(schema).ok());
    schema.is_some_and(|schema| schema.text("type") == Some("string"))
}

/// Whether a value of `type` includes objects.
fn accepts_object(kind: &Value) -> bool {
    kind == "object" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "object"))
}

/// The draft of an argument that is the whole body. `rule` has further keys of its mapping rule.
fn whole_body_draft(
    body: &BodySource<'_, '_>,
    schema: Map<String, Value>,
    mut rule: Map<String, Value>,
) -> ArgumentDraft {
    rule.insert("whole".to_owned(), true.into());
    ArgumentDraft {
        location: ParameterLocation::Body,
        document_name: WHOLE_BODY.to_owned(),
        wire_name: WHOLE_BODY.to_owned(),
        rule,
        schema: Value::Object(schema),
        required: body.required,
        constant: None,
        overlay: argument_extensions(body.owner.value),
        pointer: body.owner.pointer.clone(),
    }
}

/// Adds the description of the body to a schema.
fn described(mut schema: Map<String, Value>, body: &BodySource<'_, '_>) -> Map<String, Value> {
    let text = argument_description(body.owner.text("description").unwrap_or_default(), false, None);
    if !text.is_empty() {
        schema.insert("description".to_owned(), text.into());
    }
    schema
}
