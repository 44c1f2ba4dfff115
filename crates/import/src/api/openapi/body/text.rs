//! Bodies that are text: plain text, XML and others.

use serde_json::{Map, Value};

use crate::api::argument::ArgumentDraft;
use crate::api::description::argument_description;
use crate::api::openapi::body::{BodySource, whole_body_draft};
use crate::api::openapi::media_type::MediaKind;
use crate::api::openapi::scope::OperationScope;
use crate::api::reference::Located;

/// Maximum length of an example in the description, in bytes.
const EXAMPLE_MAX: usize = 500;
/// Maximum number of XML elements that the description names.
const ELEMENTS_MAX: usize = 30;

/// The argument for a text body.
pub(super) fn draft<'a>(
    scope: &mut OperationScope<'_, 'a>,
    body: &BodySource<'_, 'a>,
    kind: MediaKind,
) -> ArgumentDraft {
    let mut parts = vec![argument_description(body.owner.text("description").unwrap_or_default(), false, None)];
    parts.push(match kind {
        MediaKind::Xml => xml_description(scope, body),
        _ => format!("A text of the type {}.", body.media_type),
    });
    parts.extend(example(&body.source).map(|example| format!("Example: {example}")));
    parts.retain(|part| !part.is_empty());
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "string".into());
    schema.insert("description".to_owned(), parts.join(" ").into());
    whole_body_draft(body, schema, Map::new())
}

/// The root element and its children.
fn xml_description<'a>(scope: &mut OperationScope<'_, 'a>, body: &BodySource<'_, 'a>) -> String {
    let general = "An XML document.".to_owned();
    let Some(schema) = body.source.member("schema") else { return general };
    let reference_name = schema.text("$ref").and_then(|reference| reference.rsplit('/').next());
    let Ok(target) = scope.resolve(schema.clone()) else { return general };
    let xml_name = target.value.get("xml").and_then(|xml| xml.get("name")).and_then(Value::as_str);
    let Some(root) = xml_name.or(reference_name) else { return general };
    let members = scope.schemas.object_members(&schema).ok().flatten();
    let names: Vec<String> =
        members.into_iter().flat_map(|members| members.properties.into_keys()).take(ELEMENTS_MAX).collect();
    if names.is_empty() {
        return format!("An XML document with the root element {root}.");
    }
    format!("An XML document with the root element {root} and the elements {}.", names.join(", "))
}

/// The first example that is a text.
fn example<'a>(source: &Located<'a>) -> Option<&'a str> {
    let named = || source.value.get("examples")?.as_object()?.values().find_map(|one| one.get("value")?.as_str());
    let example = source.value.get("example").and_then(Value::as_str).or_else(named)?;
    (example.len() <= EXAMPLE_MAX).then_some(example.trim())
}
