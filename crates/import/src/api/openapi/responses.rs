//! Responses: the header `Accept`, and the schema of the result.

use serde_json::{Map, Value};
use toolgate_domain::json::JsonObject;

use crate::api::document::DocumentKind;
use crate::api::openapi::media_type::{self, MediaKind};
use crate::api::openapi::scope::OperationScope;
use crate::api::openapi::swagger;
use crate::api::reference::Located;
use crate::api::schema::{ArgumentSchema, SchemaContext, SchemaConverter, SchemaDetail, SchemaDirection};

/// Maximum size of an output schema, in bytes.
const OUTPUT_SCHEMA_MAX: usize = 32 * 1024;
/// The schema of the result is converted as the schema of an argument with this name.
const RESULT: &str = "result";

/// The header `Accept`: the JSON type if one is declared, else the first type.
pub(super) fn accept(scope: &OperationScope<'_, '_>) -> Option<String> {
    let types: Vec<&str> = if scope.kind == DocumentKind::Swagger20 {
        swagger::listed_types(scope, "produces")
    } else {
        success(scope)?.member("content")?.members().map(|(name, _)| name).collect()
    };
    let is_json = |name: &&&str| MediaKind::from_media_type(name) == MediaKind::Json && !media_type::is_range(name);
    let plain_json = types.iter().find(|name| media_type::essence(name) == "application/json");
    let chosen = plain_json.or_else(|| types.iter().find(is_json)).or(types.first())?.trim();
    (!chosen.is_empty() && chosen != "*/*").then(|| chosen.to_owned())
}

/// The first successful response that has content.
fn success<'a>(scope: &OperationScope<'_, 'a>) -> Option<Located<'a>> {
    let responses = scope.operation.operation.member("responses")?;
    let other = responses.members().map(|(status, _)| status).filter(|status| status.starts_with('2'));
    let order = ["200", "201"].into_iter().chain(other).chain(["2XX", "2xx", "default"]);
    let has_content =
        |response: &Located<'a>| ["content", "schema"].iter().any(|key| response.value.get(key).is_some());
    order.filter_map(|status| scope.resolve(responses.member(status)?).ok()).find(has_content)
}

/// The schema of a JSON response; `None` if there is none that a tool can have. All members become optional, because a
/// result that does not match its schema would fail the call.
pub(super) fn output_schema<'a>(
    scope: &OperationScope<'_, 'a>,
    context: &SchemaContext<'a>,
    detail: SchemaDetail,
) -> Option<JsonObject> {
    let response = success(scope)?;
    let schema = if scope.kind == DocumentKind::Swagger20 {
        response.member("schema")?
    } else {
        let media_types = response.member("content")?;
        let json = media_types.members().find(|(name, _)| MediaKind::from_media_type(name) == MediaKind::Json);
        json?.1.member("schema")?
    };
    let mut converter = SchemaConverter::new(context, SchemaDirection::Response);
    let result = converter.convert(&schema).ok()?;
    let argument = ArgumentSchema { name: RESULT.to_owned(), schema: result, required: false, pointer: schema.pointer };
    let wrapped = converter.input_schema(vec![argument], detail).ok()?;
    let mut root = unwrap(wrapped.schema.to_value())?;
    relax(&mut root);
    let schema = JsonObject::from_stored(root.to_string());
    (schema.as_str().len() <= OUTPUT_SCHEMA_MAX).then_some(schema)
}

/// The converted schema of the result with the definitions that it uses; `None` unless it is an object.
fn unwrap(mut wrapped: Value) -> Option<Value> {
    let definitions = wrapped.get_mut("$defs").map(Value::take);
    let mut root = wrapped.get_mut("properties")?.get_mut(RESULT)?.take();
    if let Some(name) = root.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/")) {
        root = definitions.as_ref()?.get(name)?.clone();
    }
    if root.get("type").and_then(Value::as_str) != Some("object") {
        return None;
    }
    if let (Some(definitions), Some(members)) = (definitions, root.as_object_mut()) {
        members.insert("$defs".to_owned(), definitions);
    }
    Some(root)
}

/// Makes all members optional and allows further ones, in a schema and its subschemas.
fn relax(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            relax_object(members);
            members.iter_mut().filter(|(key, _)| !is_value(key)).for_each(|(_, value)| relax(value));
        }
        Value::Array(items) => items.iter_mut().for_each(relax),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn relax_object(members: &mut Map<String, Value>) {
    // Under `properties`, `required` is the name of a property and has a schema, not a list.
    if members.get("required").is_some_and(Value::is_array) {
        members.remove("required");
    }
    for key in ["additionalProperties", "unevaluatedProperties"] {
        if members.get(key) == Some(&Value::Bool(false)) {
            members.remove(key);
        }
    }
}

/// Whether a keyword holds values, not schemas.
fn is_value(keyword: &str) -> bool {
    matches!(keyword, "enum" | "const" | "default" | "examples")
}
