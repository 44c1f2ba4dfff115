//! JSON bodies: each member is an argument, typed by its value.

use serde_json::{Map, Value};
use toolgate_domain::json::{DEPTH_MAX, Members};
use toolgate_domain::parameters::ParameterLocation;
use toolgate_domain::tool::{BodyType, SUBSCHEMAS_MAX};

use crate::api::argument::{ArgumentDraft, WHOLE_BODY};
use crate::api::pointer::Pointer;
use crate::api::postman::argument;
use crate::api::postman::body_mapping::{BodyContext, PostmanBody, whole_body_draft};
use crate::api::postman::scope::RequestScope;
use crate::api::postman::template::{Piece, Template};
use crate::api::postman::type_hint;
use crate::infer::argument::{Location, Presence, ToolArgument};
use crate::infer::body_arguments;
use crate::request::ImportedRequest;
use crate::request::body::ImportedBody;
use crate::request::url::ImportedUrl;
use crate::shape::Shape;
use crate::tables::descriptions::Purpose;
use crate::warnings::Warnings;

/// Maximum number of members that become arguments; a larger object is one argument.
const MEMBERS_MAX: usize = 60;
/// Maximum number of subschemas for the members of a body; the rest is reserved for the other arguments.
const SCHEMAS_MAX: usize = SUBSCHEMAS_MAX * 9 / 10;
/// Maximum nesting of a body. It is below the limit of documents, because a call wraps the body in a few more levels.
const BODY_DEPTH_MAX: usize = DEPTH_MAX - 8;
/// First character of a string that stands for a variable used as a whole value. Unicode reserves it for private use.
const VALUE_MARK: char = '\u{F8F7}';

/// Reads a body; `None` if it is not JSON.
pub(super) fn read(
    template: &Template,
    context: &BodyContext<'_>,
    pointer: &Pointer,
    scope: &RequestScope<'_, '_>,
) -> Option<PostmanBody> {
    let value: Value = serde_json::from_str(&json_text(template)).ok()?;
    if depth(&value) > BODY_DEPTH_MAX {
        return None;
    }
    let arguments = match &value {
        Value::Object(members) if is_divisible(members) => member_drafts(members, context, pointer, scope),
        _ => vec![whole_value(&value, pointer)],
    };
    Some(PostmanBody::new(BodyType::Json, arguments))
}

/// Whether the members of an object can be arguments.
fn is_divisible(members: &Map<String, Value>) -> bool {
    !members.is_empty() && members.len() <= MEMBERS_MAX && !members.contains_key("")
}

/// The template as JSON text. Secrets and variables without a value stay as `{{name}}` within strings; elsewhere each
/// becomes a string that starts with `VALUE_MARK`.
fn json_text(template: &Template) -> String {
    let mut out = String::new();
    let (mut is_in_string, mut is_escaped) = (false, false);
    for piece in &template.pieces {
        match piece {
            Piece::Text(text) => {
                for c in text.chars() {
                    is_in_string ^= c == '"' && !is_escaped;
                    is_escaped = c == '\\' && is_in_string && !is_escaped;
                }
                out.push_str(text);
            }
            Piece::Secret { name, .. } | Piece::Unknown(name) => {
                let name: String = name.chars().filter(|c| !matches!(c, '"' | '\\') && !c.is_control()).collect();
                let variable = format!("{{{{{name}}}}}");
                if is_in_string {
                    out.push_str(&variable);
                } else {
                    out.extend(["\"", VALUE_MARK.encode_utf8(&mut [0; 4]), &variable, "\""]);
                }
            }
        }
    }
    out
}

/// The name of the variable, if the value is a whole variable.
fn variable(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix(VALUE_MARK)?.strip_prefix("{{")?.strip_suffix("}}")
}

/// The value with samples in place of type names such as `<integer>`, and null in place of variables.
fn typed(value: &Value) -> Value {
    match value {
        _ if variable(value).is_some() => Value::Null,
        Value::Array(items) => items.iter().map(typed).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), typed(value))).collect())
        }
        other => type_hint::fill(other),
    }
}

/// The argument for a body that is not an object with members.
fn whole_value(value: &Value, pointer: &Pointer) -> ArgumentDraft {
    let shape = Shape::from_value(&argument::raw(&typed(value)));
    let shape = if shape.schema_count() > SCHEMAS_MAX { shape.outermost() } else { shape };
    let mut schema = argument::shape_schema(&shape);
    argument::describe(&mut schema, "", "The whole body of the request.", Purpose::Writing);
    argument::add_example(&mut schema, WHOLE_BODY, &argument::raw(value));
    let is_empty = value.as_object().is_some_and(Map::is_empty);
    // Without the argument a tool sends an empty object.
    ArgumentDraft { required: !is_empty, ..whole_body_draft(schema, Map::new(), pointer) }
}

/// The arguments for the members of an object.
fn member_drafts(
    members: &Map<String, Value>,
    context: &BodyContext<'_>,
    pointer: &Pointer,
    scope: &RequestScope<'_, '_>,
) -> Vec<ArgumentDraft> {
    let typed: Members = members.iter().map(|(name, value)| (name.clone(), argument::raw(&typed(value)))).collect();
    let inferred = infer(typed, context, false);
    let mut drafts = to_drafts(inferred, context, pointer);
    for draft in &mut drafts {
        let Some(value) = members.get(&draft.wire_name).filter(|_| !draft.rule.contains_key("parent")) else {
            continue;
        };
        let Value::Object(schema) = &mut draft.schema else { continue };
        argument::add_example(schema, &draft.wire_name, &argument::raw(value));
        if let Some(name) = variable(value) {
            draft.required = true;
            let value = Template { pieces: vec![Piece::Unknown(name.to_owned())] };
            argument::add_note(schema, &value, scope.variables);
        } else if let Some(text) = value.as_str() {
            argument::add_note(schema, &Template::fill(text, scope.variables), scope.variables);
        }
    }
    drafts
}

/// The inferred arguments of a body with these members.
pub(super) fn infer(members: Members, context: &BodyContext<'_>, is_graphql: bool) -> Vec<ToolArgument> {
    let request = ImportedRequest {
        method: context.method.to_owned(),
        url: ImportedUrl { base: context.endpoint_url.to_owned(), query: None },
        headers: indexmap::IndexMap::new(),
        credentials: None,
        body: ImportedBody::Json(members),
        timeout_secs: None,
        warnings: Warnings::default(),
    };
    body_arguments::infer(request, is_graphql)
}

/// Converts inferred arguments to arguments of the tool. Values of the collection become examples, not defaults.
pub(super) fn to_drafts(
    inferred: Vec<ToolArgument>,
    context: &BodyContext<'_>,
    pointer: &Pointer,
) -> Vec<ArgumentDraft> {
    let schema_count: usize = inferred.iter().map(|argument| argument.shape.schema_count()).sum();
    let purpose = if matches!(context.method, "GET" | "HEAD") { Purpose::Reading } else { Purpose::Writing };
    let drafts = inferred.into_iter().map(|inferred| {
        let shape = if schema_count > SCHEMAS_MAX { inferred.shape.outermost() } else { inferred.shape };
        let mut schema = argument::shape_schema(&shape);
        argument::describe(&mut schema, &inferred.upstream_name, "", purpose);
        let mut draft = argument::draft(ParameterLocation::Body, &inferred.upstream_name, schema, pointer);
        if inferred.location == Location::Variables {
            draft.rule.insert("parent".to_owned(), Location::Variables.as_str().into());
        }
        match inferred.presence {
            Presence::Required => draft.required = true,
            Presence::Optional | Presence::Default(_) => {}
            Presence::Constant(value) => draft.constant = serde_json::from_str(value.get()).ok(),
        }
        draft
    });
    drafts.collect()
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}
