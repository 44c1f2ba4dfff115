//! The OpenAPI document, printed from the table of routes.

use http::Method;
use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::params::{Arg, Kind, Place};
use crate::route::{Access, Format, Paging, ReplyDoc, Route};
use crate::routes::common_args;

/// Statuses that any route with a key can answer.
const COMMON_ERRORS: [u16; 5] = [400, 401, 403, 404, 503];
/// Statuses that come with a request body and with writing.
const WRITE_ERRORS: [u16; 2] = [413, 507];

/// The whole document.
pub(crate) fn document(config: &Config, routes: &[Route]) -> Value {
    let mut paths = Map::new();
    for route in routes {
        let entry = paths.entry(route.path).or_insert_with(|| json!({}));
        for (index, method) in route.methods.iter().enumerate() {
            entry[method.as_str().to_ascii_lowercase()] = operation(route, method, index);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Toolgate management API",
            "version": config.version,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": "Servers, tools, prompts and resources that AI clients reach over MCP. Every JSON reply honours \
                `_fields` (comma list, dotted paths) and `_envelope`; lists carry X-WP-Total, X-WP-TotalPages and Link; \
                PUT, PATCH and POST update alike; POST stands for another method with X-HTTP-Method-Override.",
        },
        "servers": [{"url": config.root()}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": error_schema()},
        },
    })
}

fn operation(route: &Route, method: &Method, index: usize) -> Value {
    let takes_body = method != Method::GET && method != Method::DELETE;
    let mut parameters: Vec<Value> = route.path_ids().map(path_parameter).collect();
    let in_query = |arg: &&Arg| arg.place == Place::Query || !takes_body;
    parameters.extend(route.args.iter().chain(common_args()).filter(in_query).map(query_parameter));
    let suffix = if index == 0 { String::new() } else { format!("By{}", title_case(method)) };
    let mut operation = json!({
        "operationId": format!("{}{suffix}", route.operation),
        "summary": route.summary,
        "tags": [route.path.split('/').nth(1).unwrap_or_default()],
        "parameters": parameters,
        "responses": responses(route, takes_body),
    });
    if takes_body && route.args.iter().any(|arg| arg.place == Place::Body) {
        operation["requestBody"] = request_body(route);
    }
    if route.access == Access::Public {
        operation["security"] = json!([]);
    }
    operation
}

fn title_case(method: &Method) -> String {
    let lower = method.as_str().to_ascii_lowercase();
    let mut letters = lower.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

fn path_parameter(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "integer", "format": "int64", "minimum": 1}})
}

fn query_parameter(arg: &Arg) -> Value {
    let mut parameter = json!({
        "name": arg.name,
        "in": "query",
        "required": arg.is_required,
        "description": arg.description,
        "schema": arg.schema(),
    });
    if matches!(arg.kind, Kind::Array { .. }) {
        // One text with commas, not the same name again and again.
        parameter["explode"] = false.into();
    }
    parameter
}

fn request_body(route: &Route) -> Value {
    let fields: Vec<&Arg> = route.args.iter().filter(|arg| arg.place == Place::Body).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|arg| {
            let mut schema = arg.schema();
            schema["description"] = arg.description.into();
            (arg.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = fields.iter().filter(|arg| arg.is_required).map(|arg| arg.name).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = required.clone().into();
    }
    json!({"required": !required.is_empty(), "content": {"application/json": {"schema": schema}}})
}

fn responses(route: &Route, takes_body: bool) -> Value {
    let mut responses = Map::new();
    let mut success = json!({"description": "Done.", "content": content(&route.reply)});
    if let Some(headers) = headers(&route.reply) {
        success["headers"] = headers;
    }
    responses.insert(route.reply.status.to_string(), success);
    if route.reply.existing {
        responses.insert("200".to_owned(), json!({"description": "It was there.", "content": content(&route.reply)}));
    }
    let is_open = route.access == Access::Public;
    let common = COMMON_ERRORS.iter().filter(|status| !is_open || **status == 400);
    let write = WRITE_ERRORS.iter().filter(|_| takes_body);
    for status in common.chain(write).chain(route.errors) {
        responses.insert(status.to_string(), error_response(*status));
    }
    Value::Object(responses)
}

fn content(reply: &ReplyDoc) -> Value {
    let text = json!({"schema": {"type": "string"}});
    match reply.format {
        Format::Json => json!({"application/json": {"schema": reply.schema}}),
        Format::JsonOrCsv => json!({"application/json": {"schema": reply.schema}, "text/csv": text}),
        Format::Events => json!({"text/event-stream": {"schema": reply.schema}}),
    }
}

fn headers(reply: &ReplyDoc) -> Option<Value> {
    match reply.paging {
        Paging::Pages => Some(json!({
            "X-WP-Total": {"description": "How many match.", "schema": {"type": "integer"}},
            "X-WP-TotalPages": {"description": "How many pages they fill.", "schema": {"type": "integer"}},
            "Link": {"description": "The pages beside this one.", "schema": {"type": "string"}},
        })),
        Paging::Cursor => Some(json!({
            "Link": {"description": "The next page, where there is one.", "schema": {"type": "string"}},
            "X-Next-Before": {"description": "Its `before`.", "schema": {"type": "integer", "format": "int64"}},
        })),
        Paging::None if reply.status == 201 => {
            Some(json!({"Location": {"description": "Where it is.", "schema": {"type": "string"}}}))
        }
        Paging::None => None,
    }
}

fn error_response(status: u16) -> Value {
    let description = match status {
        400 => "A parameter is missing or wrong; data.params names it.",
        401 => "No key, or none that is known.",
        403 => "The key does not allow this.",
        404 => "There is no such object, or it belongs to somebody else.",
        409 => "It exists already, or is in use; data.params names the field.",
        413 => "The body is too large.",
        503 => "The database is not available; try again.",
        507 => "There is no room left on the disk.",
        _ => "Failed.",
    };
    json!({"description": description, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}})
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
                    "params": {"type": ["object", "array"], "description": "Faults by parameter, or the names of missing ones."},
                    "details": {"type": "object"},
                    "position": {
                        "type": "object",
                        "description": "The place of the fault in a pasted text, both from 1.",
                        "required": ["line", "column"],
                        "properties": {"line": {"type": "integer"}, "column": {"type": "integer"}},
                    },
                },
            },
        },
    })
}
