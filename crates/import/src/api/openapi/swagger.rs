//! Swagger 2.0: schemas on parameters, and bodies that are parameters.

use serde_json::{Map, Value};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;

use crate::api::argument::ArgumentDraft;
use crate::api::openapi::body::{self, BodyMapping, BodySource, properties};
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::media_type::{self, MediaKind};
use crate::api::openapi::scope::OperationScope;
use crate::api::openapi::style;
use crate::api::reference::Located;
use crate::api::schema::ObjectProperty;

/// The members of a parameter that are not part of its schema.
const PARAMETER_KEYS: [&str; 7] =
    ["name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "schema"];

/// Moves the schema keywords of Swagger parameters into a member `schema`, as in OpenAPI 3.
pub(super) fn move_schemas(root: &mut Value) {
    if let Some(parameters) = root.get_mut("parameters").and_then(Value::as_object_mut) {
        parameters.values_mut().for_each(move_schema);
    }
    let items = root.get_mut("paths").and_then(Value::as_object_mut).into_iter().flat_map(|paths| paths.values_mut());
    for item in items.filter_map(Value::as_object_mut) {
        for (key, value) in item.iter_mut() {
            let parameters = if key == "parameters" { Some(value) } else { value.get_mut("parameters") };
            parameters.and_then(Value::as_array_mut).into_iter().flatten().for_each(move_schema);
        }
    }
}

fn move_schema(parameter: &mut Value) {
    let Some(members) = parameter.as_object_mut() else { return };
    let is_body = members.get("in").and_then(Value::as_str) == Some("body");
    if is_body || members.contains_key("schema") || members.contains_key("$ref") {
        return;
    }
    let is_schema_keyword = |key: &str| !PARAMETER_KEYS.contains(&key) && !key.starts_with("x-toolgate-");
    let schema: Map<String, Value> = members
        .iter()
        .filter(|(key, _)| is_schema_keyword(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    members.retain(|key, _| !is_schema_keyword(key));
    members.insert("schema".to_owned(), schema.into());
}

/// The body of an operation; `None` if it has none.
pub(super) fn read_body<'a>(
    scope: &mut OperationScope<'_, 'a>,
    parameters: &[Located<'a>],
) -> Result<Option<BodyMapping>, OperationError> {
    let consumed = listed_types(scope, "consumes");
    if let Some(parameter) = parameters.iter().find(|parameter| parameter.text("in") == Some("body")) {
        let chosen = media_type::preferred(consumed.iter().copied()).and_then(|index| consumed.get(index).copied());
        let media_type = chosen.unwrap_or("application/json");
        body::warn_about_others(scope, parameter, media_type, consumed.iter().copied());
        let required = parameter.value.get("required") == Some(&true.into());
        let source = BodySource { media_type, source: parameter.clone(), owner: parameter.clone(), required };
        return body::from_source(scope, &source).map(Some);
    }
    let fields: Vec<&Located<'a>> =
        parameters.iter().filter(|parameter| parameter.text("in") == Some("formData")).collect();
    if fields.is_empty() { Ok(None) } else { form_body(scope, &fields, &consumed).map(Some) }
}

/// The media types of the operation, else of the document.
pub(super) fn listed_types<'a>(scope: &OperationScope<'_, 'a>, key: &str) -> Vec<&'a str> {
    let list = [&scope.operation.operation, &scope.root].into_iter().find_map(|owner| owner.value.get(key)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A body of `formData` parameters: multipart if one of them is a file or the API accepts nothing else.
fn form_body<'a>(
    scope: &mut OperationScope<'_, 'a>,
    fields: &[&Located<'a>],
    consumed: &[&str],
) -> Result<BodyMapping, OperationError> {
    let accepts = |kind| consumed.iter().any(|media_type| MediaKind::from_media_type(media_type) == kind);
    let has_file = fields.iter().any(|field| is_file(field));
    let is_multipart = has_file || (accepts(MediaKind::Multipart) && !accepts(MediaKind::Form));
    let mut arguments = Vec::with_capacity(fields.len());
    for field in fields {
        arguments.push(field_draft(scope, field, is_multipart)?);
    }
    // A constant alone must not cause a body to be sent.
    let required = arguments.iter().any(|argument| argument.required);
    let body_type = if is_multipart { BodyType::Multipart } else { BodyType::Form };
    Ok(BodyMapping { body_type, required, content_type: None, arguments })
}

fn is_file(field: &Located<'_>) -> bool {
    field.value.get("schema").and_then(|schema| schema.get("type")).and_then(Value::as_str) == Some("file")
}

fn field_draft<'a>(
    scope: &mut OperationScope<'_, 'a>,
    field: &Located<'a>,
    is_multipart: bool,
) -> Result<ArgumentDraft, OperationError> {
    let name = field.text("name").unwrap_or_default();
    let required = field.value.get("required") == Some(&true.into());
    let Some(schema) = field.member("schema") else {
        return Err(OperationError::malformed(&field.pointer, "The parameter has no type."));
    };
    let property = ObjectProperty { source: schema.clone(), others: Vec::new() };
    let draft = properties::part_draft(scope, name, &property, None, required)?;
    let mut rule = draft.rule.clone();
    let mut described = draft.schema.clone();
    if !is_file(field) {
        described = Value::Object(scope.described_schema(&schema, field)?);
        if !is_multipart {
            rule = style::swagger_form_keys(field, &described);
        } else if let Some(joined) = style::joined_text(field, &described) {
            // Parts have no style, so the list is one text.
            scope.warn("list_as_text", &field.pointer, joined.message);
            described = joined.schema;
        }
    }
    let overlay = crate::api::overlay::argument_extensions(field.value);
    let location = ParameterLocation::Body;
    let pointer = field.pointer.clone();
    Ok(ArgumentDraft { location, rule, schema: described, overlay, pointer, ..draft })
}
