//! The body of a request, by its mode.

use serde_json::{Map, Value};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;

use crate::api::argument::{ArgumentDraft, WHOLE_BODY};
use crate::api::file_object::file_schema;
use crate::api::pointer::Pointer;
use crate::api::postman::argument::{self, by_name};
use crate::api::postman::body_mapping::{BodyContext, PostmanBody, whole_body_draft};
use crate::api::postman::entry::{self, Entry};
use crate::api::postman::graphql;
use crate::api::postman::json_body;
use crate::api::postman::json_text::scalar_text;
use crate::api::postman::scope::RequestScope;
use crate::api::postman::template::Template;
use crate::api::reference::Located;
use crate::shape::Shape;
use crate::tables::descriptions::Purpose;

/// The media types that Postman sends for the languages of a raw body.
const LANGUAGES: [(&str, &str); 5] = [
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("html", "text/html"),
    ("javascript", "application/javascript"),
    ("text", "text/plain"),
];

/// Reads the body of a request.
pub(super) fn read(request: &Located<'_>, context: &BodyContext<'_>, scope: &mut RequestScope<'_, '_>) -> PostmanBody {
    let Some(body) = request.member("body").filter(|body| body.value.get("disabled") != Some(&Value::Bool(true)))
    else {
        return PostmanBody::none();
    };
    let mode = body.text("mode").unwrap_or_default();
    let Some(source) = body.member(mode) else { return PostmanBody::none() };
    match mode {
        "raw" => raw(&body, &source, context, scope),
        "urlencoded" => form(BodyType::Form, &source, scope),
        "formdata" => form(BodyType::Multipart, &source, scope),
        "file" => file(&source),
        "graphql" => graphql::read(&source, context, scope),
        other => {
            let message = format!("The body mode {other} is not known, so no body is sent.");
            scope.warn("body_unsupported", &body.pointer, message);
            PostmanBody::none()
        }
    }
}

fn raw(
    body: &Located<'_>,
    source: &Located<'_>,
    context: &BodyContext<'_>,
    scope: &mut RequestScope<'_, '_>,
) -> PostmanBody {
    let text = scalar_text(source.value).unwrap_or_default();
    if text.trim().is_empty() {
        return PostmanBody::none();
    }
    let template = Template::fill(&text, scope.variables);
    let language = body.value.pointer("/options/raw/language").and_then(Value::as_str);
    let is_declared_json = match (context.content_type, language) {
        (Some(content_type), _) => Some(is_json_type(content_type)),
        (None, Some(language)) => Some(language == "json"),
        (None, None) => None,
    };
    if is_declared_json != Some(false) {
        if let Some(read) = json_body::read(&template, context, &source.pointer, scope) {
            if is_declared_json.is_none() {
                let message = "The body has no type. It looks like JSON and is sent as application/json.";
                scope.warn("content_type_assumed", &source.pointer, message);
            }
            return read;
        }
        if is_declared_json == Some(true) {
            let message = "The body is declared as JSON but is not valid JSON. It is sent as text.";
            scope.warn("body_not_json", &source.pointer, message);
        }
    }
    let listed = LANGUAGES.iter().find(|(name, _)| Some(*name) == language.or(Some("text")));
    let body = PostmanBody::new(BodyType::Raw, vec![text_draft(&template, &source.pointer, scope)]);
    PostmanBody { content_type: listed.map(|(_, media_type)| *media_type), ..body }
}

fn is_json_type(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    media_type.ends_with("/json") || media_type.ends_with("+json")
}

/// The argument for a body that is a text.
fn text_draft(template: &Template, pointer: &Pointer, scope: &RequestScope<'_, '_>) -> ArgumentDraft {
    let mut schema = argument::shape_schema(&Shape::String(None));
    argument::describe(&mut schema, "", "The whole body of the request.", Purpose::Writing);
    argument::add_note(&mut schema, template, scope.variables);
    if let Some(text) = template.resolved_text() {
        argument::add_example(&mut schema, WHOLE_BODY, &argument::raw(&text.into()));
    }
    whole_body_draft(schema, Map::new(), pointer)
}

fn form(body_type: BodyType, list: &Located<'_>, scope: &mut RequestScope<'_, '_>) -> PostmanBody {
    let entries = entry::entries(list, scope.variables);
    let (named, unnamed) = by_name(&entries);
    for entry in unnamed.iter().filter(|entry| !entry.is_disabled && !entry.is_blank()) {
        scope.warn("parameter_without_name", &entry.pointer, "The name of this field is not known, so it is not sent.");
    }
    let is_multipart = body_type == BodyType::Multipart;
    let mut arguments = Vec::new();
    for (name, group) in &named {
        let is_file = is_multipart && group.iter().any(|entry| entry.is_file);
        let mut draft = if is_file { Some(file_draft(name, group)) } else { field_draft(name, group, scope) };
        let content_type = group.iter().find_map(|entry| entry.content_type.as_deref()).filter(|_| is_multipart);
        if let (Some(draft), Some(content_type)) = (&mut draft, content_type) {
            draft.rule.insert("content_type".to_owned(), content_type.into());
        }
        arguments.extend(draft);
    }
    if arguments.is_empty() { PostmanBody::none() } else { PostmanBody::new(body_type, arguments) }
}

fn field_draft(name: &str, group: &[&Entry], scope: &RequestScope<'_, '_>) -> Option<ArgumentDraft> {
    argument::from_entries(ParameterLocation::Body, name, group, Purpose::Writing, scope.variables)
}

/// The argument for a file of a form. Its content is not part of the collection, so an enabled file is required.
fn file_draft(name: &str, group: &[&Entry]) -> ArgumentDraft {
    let description = group.iter().map(|entry| entry.description.as_str()).find(|text| !text.is_empty());
    let schema = file_schema(description.unwrap_or_default());
    let pointer = group.first().map_or_else(Pointer::root, |entry| entry.pointer.clone());
    let mut draft = argument::draft(ParameterLocation::Body, name, schema, &pointer);
    draft.rule.insert("file".to_owned(), true.into());
    draft.required = group.iter().any(|entry| !entry.is_disabled);
    draft
}

fn file(source: &Located<'_>) -> PostmanBody {
    let rule = Map::from_iter([("file".to_owned(), Value::Bool(true))]);
    PostmanBody::new(BodyType::Raw, vec![whole_body_draft(file_schema(""), rule, &source.pointer)])
}
