//! The OpenAPI document, generated from the route table.

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::access::Access;
use crate::capitalize::capitalize;
use crate::components::Components;
use crate::config::RestConfig;
use crate::params::{Arg, ArgKind, ArgLocation};
use crate::route::{Format, Paging, ReplyDoc, Route};
use crate::routes::common_args;

/// Error statuses of every authenticated route; a public route has only 400.
const COMMON_ERRORS: [u16; 5] = [400, 401, 403, 404, 503];
/// Error statuses of routes with a request body.
const WRITE_ERRORS: [u16; 2] = [413, 507];

/// The complete OpenAPI document.
pub(crate) fn document(config: &RestConfig, routes: &[Route]) -> Value {
    let mut paths = Map::new();
    for route in routes {
        let entry = paths.entry(route.path).or_insert_with(|| json!({}));
        for (index, method) in route.methods.iter().enumerate() {
            entry[method.as_str().to_ascii_lowercase()] = operation(route, method, index);
        }
    }
    let paths = Value::Object(paths);
    let components = components(routes, &paths);
    let mut sections = components.sections();
    sections.insert("securitySchemes".to_owned(), json!({"bearer": {"type": "http", "scheme": "bearer"}}));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Toolgate management API",
            "version": config.version,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": "Manages the servers, tools, prompts and resources that AI clients use over MCP. Every JSON reply \
                supports `_fields` (comma-separated, dotted paths) and `_envelope`. Lists have the headers X-WP-Total, \
                X-WP-TotalPages and Link. PUT, PATCH and POST update in the same way. A POST with \
                X-HTTP-Method-Override is handled as that method.",
        },
        "servers": [{"url": config.root_path()}],
        "security": [{"bearer": []}],
        "paths": components.with_references(&paths),
        "components": sections,
    })
}

/// What the operations share: named schemas, error responses, and repeated parameters and headers.
fn components(routes: &[Route], paths: &Value) -> Components {
    let mut components = Components::default();
    components.add("schemas", "Error", &error_schema());
    let mut bodies: Vec<Value> = Vec::new();
    for route in routes {
        for part in route.reply.named_schemas.iter().chain(&route.body_parts) {
            components.add("schemas", &part.name, &part.schema);
        }
        // Routes with equal bodies share the name of the first.
        if let Some(schema) = body_schema(route).filter(|schema| !bodies.contains(schema)) {
            components.add("schemas", &capitalize(route.operation.id), &schema);
            bodies.push(schema);
        }
    }
    for status in COMMON_ERRORS.iter().chain(&WRITE_ERRORS).chain(routes.iter().flat_map(|route| route.errors)) {
        components.add("responses", &response_name(*status), &error_response(*status));
    }
    let operations = || members(paths).flat_map(|(_, path)| members(path)).map(|(_, operation)| operation);
    let parameters = operations().flat_map(|operation| operation["parameters"].as_array().into_iter().flatten());
    let named_parameters = parameters.filter_map(|parameter| Some((parameter["name"].as_str()?, parameter)));
    components.add_repeated("parameters", &named_parameters.collect::<Vec<_>>());
    let responses = operations().flat_map(|operation| members(&operation["responses"]));
    let headers = responses.flat_map(|(_, response)| members(&response["headers"]));
    components.add_repeated("headers", &headers.collect::<Vec<_>>());
    components
}

/// The members of an object; none for another value.
fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

/// The name of an error response: its reason phrase without spaces.
fn response_name(status: u16) -> String {
    let phrase = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    phrase.unwrap_or_default().split(' ').collect()
}

fn operation(route: &Route, method: &Method, index: usize) -> Value {
    let takes_body = method != Method::GET && method != Method::DELETE;
    let mut parameters: Vec<Value> = route.path_ids().map(path_parameter).collect();
    let is_query_arg = |arg: &&Arg| arg.location == ArgLocation::Query || !takes_body;
    parameters.extend(route.args.iter().chain(common_args()).filter(is_query_arg).map(query_parameter));
    // Operation ids are unique: only the first method of a route has the plain one.
    let suffix =
        if index == 0 { String::new() } else { format!("By{}", capitalize(&method.as_str().to_ascii_lowercase())) };
    let mut operation = json!({
        "operationId": format!("{}{suffix}", route.operation.id),
        "summary": route.operation.summary,
        "tags": [route.path.split('/').nth(1).unwrap_or_default()],
        "parameters": parameters,
        "responses": responses(route, takes_body),
    });
    if takes_body && let Some(schema) = body_schema(route) {
        let is_required = schema.get("required").is_some();
        operation["requestBody"] =
            json!({"required": is_required, "content": {"application/json": {"schema": schema}}});
    }
    if route.access == Access::Public {
        operation["security"] = json!([]);
    }
    operation
}

fn path_parameter(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "integer", "format": "int64", "minimum": 1}})
}

fn query_parameter(arg: &Arg) -> Value {
    let mut parameter = json!({
        "name": arg.name,
        "in": "query",
        "required": arg.is_required(),
        "description": arg.description,
        "schema": arg.schema(),
    });
    if matches!(arg.kind, ArgKind::Array { .. }) {
        // One comma-separated value, not one parameter per item.
        parameter["explode"] = false.into();
    }
    parameter
}

/// The schema of the request body, if the route has body arguments.
fn body_schema(route: &Route) -> Option<Value> {
    let fields: Vec<&Arg> = route.args.iter().filter(|arg| arg.location == ArgLocation::Body).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|arg| {
            let mut schema = arg.schema();
            schema["description"] = arg.description.into();
            (arg.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = fields.iter().filter(|arg| arg.is_required()).map(|arg| arg.name).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    (!fields.is_empty()).then_some(schema)
}

fn responses(route: &Route, takes_body: bool) -> Value {
    let mut responses = Map::new();
    let mut success = json!({"description": "Success.", "content": content(&route.reply)});
    if let Some(headers) = headers(&route.reply, takes_body) {
        success["headers"] = headers;
    }
    responses.insert(route.reply.status.to_string(), success);
    if route.reply.may_exist {
        responses
            .insert("200".to_owned(), json!({"description": "It already existed.", "content": content(&route.reply)}));
    }
    let is_public = route.access == Access::Public;
    let common_errors = COMMON_ERRORS.iter().filter(|status| !is_public || **status == 400);
    let write_errors = WRITE_ERRORS.iter().filter(|_| takes_body);
    for status in common_errors.chain(write_errors).chain(route.errors) {
        responses.insert(status.to_string(), error_response(*status));
    }
    Value::Object(responses)
}

fn content(reply: &ReplyDoc) -> Value {
    let text = json!({"schema": {"type": "string"}});
    match reply.format {
        Format::Json => json!({"application/json": {"schema": reply.schema}}),
        Format::JsonOrCsv => json!({"application/json": {"schema": reply.schema}, "text/csv": text}),
        Format::JsonCsvOrNdjson => {
            json!({"application/json": {"schema": reply.schema}, "text/csv": text, "application/x-ndjson": text})
        }
        Format::Document => json!({"application/json": {"schema": reply.schema}, "application/yaml": text}),
        Format::Events => json!({"text/event-stream": {"schema": reply.schema}}),
    }
}

fn headers(reply: &ReplyDoc, takes_body: bool) -> Option<Value> {
    let text = |description: &str| json!({"description": description, "schema": {"type": "string"}});
    let mut headers = match reply.paging {
        Paging::Pages => json!({
            "X-WP-Total": {"description": "Number of matching items.", "schema": {"type": "integer"}},
            "X-WP-TotalPages": {"description": "Number of pages.", "schema": {"type": "integer"}},
            "Link": text("Links to the previous and next page."),
        }),
        Paging::Cursor => json!({
            "Link": text("Link to the next page, if there is one."),
            "X-Next-Before": {"description": "The value of `before` for the next page.", "schema": {"type": "integer", "format": "int64"}},
        }),
        Paging::None if reply.has_location => json!({"Location": text("URL of the new object.")}),
        Paging::None => json!({}),
    };
    if takes_body {
        headers["X-Toolgate-Ignored"] =
            text("Names unknown fields of the request, if there are any: they had no effect.");
    }
    headers.as_object().is_some_and(|headers| !headers.is_empty()).then_some(headers)
}

fn error_response(status: u16) -> Value {
    let description = match status {
        400 => "A parameter is missing or invalid; data.params names it.",
        401 => "The key is missing or invalid.",
        403 => "The key does not allow this.",
        404 => "The object does not exist, or belongs to another user.",
        409 => "The object already exists, or is in use; data.params names the field.",
        413 => "The request body is too large.",
        503 => "The database is unavailable. Try again later.",
        507 => "The disk is full.",
        _ => "The request failed.",
    };
    json!({"description": description, "content": {"application/json": {"schema": error_schema()}}})
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "required": ["code", "message", "data"],
        "properties": {
            "code": {"type": "string"},
            "message": {"type": "string"},
            "data": {
                "type": "object",
                "required": ["status"],
                "properties": {
                    "status": {"type": "integer"},
                    "params": {
                        "type": ["object", "array"],
                        "items": {"type": "string"},
                        "description": "Messages by parameter, or the names of the missing parameters.",
                    },
                    "details": {"type": "object"},
                    "position": {
                        "type": "object",
                        "description": "Position of the error in the pasted text; line and column start at 1.",
                        "required": ["line", "column"],
                        "properties": {"line": {"type": "integer"}, "column": {"type": "integer"}},
                    },
                },
            },
        },
    })
}
