//! The body of a request, by its mode.

use serde_json::{Map, Value};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::BodyType;

use crate::api::argument::{ArgumentDraft, WHOLE_BODY};
use crate::api::file_object::file_schema;
use crate::api::pointer::Pointer;
use crate::api::postman::argument::{self, by_name};
use crate::api::postman::entry::{self, Entry, scalar_text};
use crate::api::postman::graphql;
use crate::api::postman::json_body;
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

/// The body of a tool.
#[derive(Debug)]
pub(super) struct PostmanBody {
    pub(super) body_type: BodyType,
    /// Whether a body is sent without arguments for it.
    pub(super) is_required: bool,
    /// The header `Content-Type`, unless the request has one or the body type implies it.
    pub(super) content_type: Option<&'static str>,
    pub(super) arguments: Vec<ArgumentDraft>,
}

/// What a body depends on, apart from its own text.
pub(super) struct BodyContext<'c> {
    pub(super) method: &'c str,
    /// The URL with its placeholders, without a query.
    pub(super) endpoint_url: &'c str,
    /// The static header.
    pub(super) content_type: Option<&'c str>,
}

impl PostmanBody {
    pub(super) fn none() -> Self {
        Self { body_type: BodyType::Json, is_required: false, content_type: None, arguments: Vec::new() }
    }

    pub(super) fn new(body_type: BodyType, arguments: Vec<ArgumentDraft>) -> Self {
        Self { body_type, is_required: true, content_type: None, arguments }
    }
}

/// Reads the body of a request.
pub(super) fn read(request: &Located<'_>, context: &BodyContext<'_>, scope: &mut RequestScope<'_, '_>) -> PostmanBody {
    let Some(body) = request.member("body").filter(|body| body.value.get("disabled") != Some(&Value::Bool(true)))
    else {
        return PostmanBody::none();
    };
    let mode = body.text("mode").unwrap_or_default();
    let Some(content) = body.member(mode) else { return PostmanBody::none() };
    match mode {
        "raw" => raw(&body, &content, context, scope),
        "urlencoded" => form(BodyType::Form, &content, scope),
        "formdata" => form(BodyType::Multipart, &content, scope),
        "file" => file(&content),
        "graphql" => graphql::read(&content, context, scope),
        other => {
            let message = format!("The body mode {other} is not known, so no body is sent.");
            scope.warn("body_unsupported", &body.pointer, message);
            PostmanBody::none()
        }
    }
}

fn raw(
    body: &Located<'_>,
    content: &Located<'_>,
    context: &BodyContext<'_>,
    scope: &mut RequestScope<'_, '_>,
) -> PostmanBody {
    let text = scalar_text(content.value).unwrap_or_default();
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
        if let Some(read) = json_body::read(&template, context, &content.pointer, scope) {
            if is_declared_json.is_none() {
                let message = "The body has no type. It looks like JSON and is sent as application/json.";
                scope.warn("content_type_assumed", &content.pointer, message);
            }
            return read;
        }
        if is_declared_json == Some(true) {
            let message = "The body is declared as JSON but is not valid JSON. It is sent as text.";
            scope.warn("body_not_json", &content.pointer, message);
        }
    }
    let listed = LANGUAGES.iter().find(|(name, _)| Some(*name) == language.or(Some("text")));
    let body = PostmanBody::new(BodyType::Raw, vec![text_draft(&template, &content.pointer, scope)]);
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
    if let Some(text) = template.open_text() {
        argument::add_example(&mut schema, WHOLE_BODY, &argument::raw(&text.into()));
    }
    whole_draft(schema, Map::new(), pointer)
}

/// A required argument that is the whole body.
pub(super) fn whole_draft(
    schema: Map<String, Value>,
    mut rule: Map<String, Value>,
    pointer: &Pointer,
) -> ArgumentDraft {
    rule.insert("whole".to_owned(), true.into());
    let draft = argument::draft(ParameterLocation::Body, WHOLE_BODY, schema, pointer);
    ArgumentDraft { rule, required: true, ..draft }
}

fn form(body_type: BodyType, list: &Located<'_>, scope: &mut RequestScope<'_, '_>) -> PostmanBody {
    let entries = entry::entries(list, scope.variables);
    let (named, unnamed) = by_name(&entries);
    for entry in unnamed.iter().filter(|entry| !entry.is_disabled && !(entry.key.is_empty() && entry.value.is_empty()))
    {
        scope.warn("parameter_without_name", &entry.pointer, "The name of this field is not known, so it is not sent.");
    }
    let kinds = list.items().filter(|item| item.value.is_object()).map(|item| (item.pointer, item.value));
    let sources: Vec<(Pointer, &Value)> = kinds.collect();
    let source = |entry: &Entry| sources.iter().find(|(pointer, _)| *pointer == entry.pointer).map(|(_, value)| *value);
    let mut arguments = Vec::new();
    for (name, group) in &named {
        let Some(first) = group.first() else { continue };
        let source = source(first).unwrap_or(&Value::Null);
        let is_file = body_type == BodyType::Multipart && source.get("type").is_some_and(|kind| kind == "file");
        let mut draft = if is_file { Some(file_draft(name, group)) } else { field_draft(name, group, scope) };
        let content_type = source.get("contentType").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        if let (Some(draft), Some(content_type), BodyType::Multipart) = (&mut draft, content_type, body_type) {
            draft.rule.insert("content_type".to_owned(), content_type.trim().into());
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

fn file(content: &Located<'_>) -> PostmanBody {
    let rule = Map::from_iter([("file".to_owned(), Value::Bool(true))]);
    PostmanBody::new(BodyType::Raw, vec![whole_draft(file_schema(""), rule, &content.pointer)])
}
