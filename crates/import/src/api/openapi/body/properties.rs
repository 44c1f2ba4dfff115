//! Bodies whose properties become separate arguments.

use serde_json::{Map, Value, json};
use toolgate_domain::parameters::ParameterLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::openapi::body::{file, json_part};
use crate::api::openapi::failure::OperationError;
use crate::api::openapi::scope::OperationScope;
use crate::api::openapi::style;
use crate::api::overlay::argument_extensions;
use crate::api::reference::Located;
use crate::api::schema::{ObjectMembers, ObjectProperty};

/// Maximum number of properties that become arguments; a body with more of them is one argument.
const PROPERTIES_MAX: usize = 60;
/// Keywords of a schema that concern all properties together, so that these cannot be separate arguments.
const COMMON_KEYWORDS: [&str; 13] = [
    "oneOf",
    "anyOf",
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "discriminator",
];

/// The arguments of a JSON body; `None` if the body has to be one argument.
pub(super) fn json_drafts<'a>(
    scope: &mut OperationScope<'_, 'a>,
    source: &Located<'a>,
    is_required: bool,
) -> Result<Option<Vec<ArgumentDraft>>, OperationError> {
    let Some(members) = object_members(scope, source)? else { return Ok(None) };
    let mut drafts = Vec::new();
    for (name, property) in &members.properties {
        let schema = scope.described_property(property)?;
        let required = is_required && members.required.contains(name);
        drafts.push(draft(scope, name, &property.source, schema, Map::new(), required));
    }
    Ok(Some(drafts))
}

/// The arguments of a form in the body or in the query.
pub(in crate::api::openapi) fn form_drafts<'a>(
    scope: &mut OperationScope<'_, 'a>,
    source: &Located<'a>,
    location: ParameterLocation,
    is_required: bool,
) -> Result<Option<Vec<ArgumentDraft>>, OperationError> {
    let Some(members) = object_members(scope, source)? else { return Ok(None) };
    let mut drafts = Vec::new();
    for (name, property) in &members.properties {
        let schema = scope.described_property(property)?;
        let required = is_required && members.required.contains(name);
        let encoding = encoding(source, name);
        let rule = style::form_keys(encoding.as_ref(), &mut scope.warnings);
        let draft = draft(scope, name, &property.source, schema, rule, required);
        drafts.push(ArgumentDraft { location, ..draft });
    }
    Ok(Some(drafts))
}

/// The arguments of a multipart body.
pub(super) fn multipart_drafts<'a>(
    scope: &mut OperationScope<'_, 'a>,
    source: &Located<'a>,
    is_required: bool,
) -> Result<Option<Vec<ArgumentDraft>>, OperationError> {
    let Some(members) = object_members(scope, source)? else { return Ok(None) };
    let mut drafts = Vec::new();
    for (name, property) in &members.properties {
        let required = is_required && members.required.contains(name);
        let encoding = encoding(source, name);
        drafts.push(part_draft(scope, name, property, encoding.as_ref(), required)?);
    }
    Ok(Some(drafts))
}

/// The argument for a part of a multipart body.
pub(in crate::api::openapi) fn part_draft<'a>(
    scope: &mut OperationScope<'_, 'a>,
    name: &str,
    property: &ObjectProperty<'a>,
    encoding: Option<&Located<'a>>,
    required: bool,
) -> Result<ArgumentDraft, OperationError> {
    let source = &property.source;
    let content_type = encoding.and_then(|encoding| encoding.text("contentType"));
    let target = scope.resolve(source.clone())?;
    let items = target.member("items").map(|items| scope.resolve(items)).transpose()?;
    let is_file_list = items.as_ref().is_some_and(|items| file::is_file(items.value, content_type));
    let is_file = is_file_list || file::is_file(target.value, content_type);
    let mut rule = part_rule(scope, encoding);
    let is_json = json_part::is_structured(scope, items.as_ref().unwrap_or(&target));
    if is_json && !is_file && !rule.contains_key("content_type") {
        rule.insert("content_type".to_owned(), "application/json".into());
    }
    let schema = if is_file {
        rule.insert("file".to_owned(), true.into());
        let text = source.text("description").or(target.text("description")).unwrap_or_default();
        let schema =
            crate::api::file_object::file_schema(&crate::api::description::argument_description(text, false, None));
        if is_file_list { list_schema(schema) } else { schema }
    } else {
        scope.described_property(property)?
    };
    Ok(draft(scope, name, source, schema, rule, required))
}

/// The keys of the mapping rule that describe a part: its media type and its headers.
fn part_rule<'a>(scope: &mut OperationScope<'_, 'a>, encoding: Option<&Located<'a>>) -> Map<String, Value> {
    let mut rule = Map::new();
    let Some(encoding) = encoding else { return rule };
    if ["style", "explode"].iter().any(|key| encoding.value.get(key).is_some()) {
        scope.warn("part_style", &encoding.pointer, "Parts have no style: lists are several parts, objects are JSON.");
    }
    let content_type = encoding.text("contentType").map(str::trim).filter(|text| !text.is_empty());
    if let Some(content_type) = content_type.filter(|text| !text.contains([',', '*'])) {
        rule.insert("content_type".to_owned(), content_type.into());
    }
    let mut headers = Map::new();
    let declared = encoding.member("headers");
    for (name, header) in declared.iter().flat_map(Located::members) {
        let value = header_value(scope, &header);
        match value {
            _ if name.eq_ignore_ascii_case("content-type") => {}
            Some(value) => {
                headers.insert(name.to_owned(), value.into());
            }
            None => {
                let message = format!("The header {name} of the part has no fixed value, so it is not sent.");
                scope.warn("part_header", &header.pointer, message);
            }
        }
    }
    if !headers.is_empty() {
        rule.insert("headers".to_owned(), headers.into());
    }
    rule
}

/// The value of a header that is always the same.
fn header_value<'a>(scope: &OperationScope<'_, 'a>, header: &Located<'a>) -> Option<String> {
    let header = scope.resolve(header.clone()).ok()?;
    match scope.only_value(&header.member("schema")?)? {
        Value::String(text) => Some(text),
        value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
        _ => None,
    }
}

fn list_schema(mut item: Map<String, Value>) -> Map<String, Value> {
    let description = item.remove("description").unwrap_or_default();
    let list = json!({"type": "array", "description": description, "items": item});
    crate::api::argument::as_object(list)
}

fn encoding<'a>(source: &Located<'a>, property: &str) -> Option<Located<'a>> {
    source.member("encoding")?.member(property)
}

/// The argument for a property. A required property with only one possible value becomes a constant.
fn draft<'a>(
    scope: &OperationScope<'_, 'a>,
    name: &str,
    source: &Located<'a>,
    schema: Map<String, Value>,
    rule: Map<String, Value>,
    required: bool,
) -> ArgumentDraft {
    let target = scope.resolve(source.clone()).ok();
    let inherited = target.map(|target| argument_extensions(target.value)).unwrap_or_default();
    let draft = ArgumentDraft {
        location: ParameterLocation::Body,
        document_name: name.to_owned(),
        wire_name: name.to_owned(),
        rule,
        schema: Value::Object(schema),
        required,
        constant: None,
        overlay: argument_extensions(source.value).over(inherited),
        pointer: source.pointer.clone(),
    };
    draft.with_constant(scope.only_value(source).filter(|_| required))
}

/// The properties of a schema, without the read-only ones; `None` if they cannot be separate arguments.
fn object_members<'a>(
    scope: &mut OperationScope<'_, 'a>,
    source: &Located<'a>,
) -> Result<Option<ObjectMembers<'a>>, OperationError> {
    let Some(schema) = source.member("schema") else { return Ok(None) };
    let target = scope.resolve(schema.clone())?;
    if COMMON_KEYWORDS.iter().any(|keyword| target.value.get(keyword).is_some()) {
        return Ok(None);
    }
    let Some(members) = scope.schemas.object_members(&schema)? else { return Ok(None) };
    // A required property without a schema cannot be a separate argument.
    let is_described = members.required.iter().all(|name| members.properties.contains_key(name));
    let is_separable = is_described
        && !members.is_open
        && !members.is_nullable
        && !members.properties.is_empty()
        && members.properties.len() <= PROPERTIES_MAX;
    Ok(is_separable.then_some(members))
}
