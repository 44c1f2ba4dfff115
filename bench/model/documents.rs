//! OpenAPI documents in the style of large public APIs, built from the generated tools: paths with ids, filters, nested
//! bodies, shared schemas, responses.

use serde_json::{Map, Value, json};
use toolgate_testkit::generated_tools::{GeneratedTool, generated_tools};

/// How many operations each document has.
pub(crate) const OPERATIONS: [usize; 5] = [20, 100, 300, 500, 800];

/// A document with this many operations, and the tools that they become.
pub(crate) fn document(operations: usize, base_url: &str) -> (Value, Vec<GeneratedTool>) {
    let tools: Vec<GeneratedTool> = generated_tools().into_iter().take(operations).collect();
    let mut paths = Map::new();
    let mut schemas = shared_schemas();
    for tool in &tools {
        let (method, path) = route(tool);
        let operation = operation(tool, method, &mut schemas);
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = operation;
    }
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": format!("{operations} operations"), "version": "1.0.0"},
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {"schemas": schemas},
    });
    (document, tools)
}

/// Method and path of a tool, such as `get /tracker/issues/{issue_id}`.
fn route(tool: &GeneratedTool) -> (&'static str, String) {
    let (verb, noun) = verb_and_noun(&tool.name);
    let group = tool.group;
    let item = format!("/{group}/{noun}/{{{noun}_id}}");
    match verb {
        "list" => ("get", format!("/{group}/{noun}")),
        "get" => ("get", item),
        "create" => ("post", format!("/{group}/{noun}")),
        "update" => ("patch", item),
        "delete" => ("delete", item),
        "search" | "count" | "export" => ("get", format!("/{group}/{noun}/{verb}")),
        "import" => ("post", format!("/{group}/{noun}/import")),
        "list_changes_of" => ("get", format!("{item}/changes")),
        action => ("post", format!("{item}/{action}")),
    }
}

fn verb_and_noun(name: &str) -> (&str, &str) {
    let long = ["list_changes_of_", "comment_on_"].into_iter().find_map(|verb| Some((verb, name.strip_prefix(verb)?)));
    match long {
        Some((verb, noun)) => (verb.trim_end_matches('_'), noun),
        None => name.split_once('_').unwrap_or((name, "")),
    }
}

fn operation(tool: &GeneratedTool, method: &str, schemas: &mut Map<String, Value>) -> Value {
    let arguments = tool.input_schema["properties"].as_object().cloned().unwrap_or_default();
    let id = format!("{}_id", verb_and_noun(&tool.name).1);
    let (ids, fields): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|(name, _)| *name == id);
    let path_id = |(name, schema): (String, Value)| json!({"name": name, "in": "path", "required": true, "schema": schema, "description": "The id, as lists give it."});
    let mut parameters: Vec<Value> = ids.into_iter().map(path_id).collect();
    let mut operation = json!({
        "operationId": tool.name,
        "tags": [tool.group],
        "summary": tool.description.lines().next().unwrap_or_default(),
        "description": tool.description,
        "responses": {"200": {"description": "Done", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}}}},
    });
    if method == "post" || method == "patch" {
        let name = format!("{}Body", tool.name);
        schemas.insert(name.clone(), body_schema(fields, method == "post"));
        let schema = json!({"$ref": format!("#/components/schemas/{name}")});
        operation["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    } else {
        parameters.extend(fields.into_iter().map(|(name, schema)| query(&name, &schema)));
        if tool.name.starts_with("list_") {
            parameters.extend(filters());
        }
    }
    operation["parameters"] = parameters.into();
    operation
}

fn query(name: &str, schema: &Value) -> Value {
    let text = format!("Only entries with this {}.", name.replace('_', " "));
    json!({"name": name, "in": "query", "schema": schema, "description": text})
}

/// The parameters that every list has.
fn filters() -> Vec<Value> {
    let time = json!({"type": "string", "format": "date-time"});
    [
        ("created_after", time.clone(), "Only entries that were created at or after this time, in UTC."),
        ("created_before", time, "Only entries that were created before this time, in UTC."),
        (
            "sort",
            json!({"type": "string", "enum": ["created", "updated", "name"], "default": "created"}),
            "The order of the entries.",
        ),
        (
            "direction",
            json!({"type": "string", "enum": ["asc", "desc"], "default": "desc"}),
            "Ascending or descending.",
        ),
        (
            "expand",
            json!({"type": "array", "items": {"type": "string"}}),
            "Related objects that are returned in full instead of by id.",
        ),
    ]
    .into_iter()
    .map(|(name, schema, text)| json!({"name": name, "in": "query", "schema": schema, "description": text}))
    .collect()
}

/// The body of a request: the fields of the resource, and fields that every resource has.
fn body_schema(fields: Vec<(String, Value)>, is_new: bool) -> Value {
    let mut properties: Map<String, Value> = fields.into_iter().collect();
    let names: Vec<String> = properties.keys().take(2).cloned().collect();
    for (name, schema) in &mut properties {
        schema["description"] = format!("The {} as the interface shows it.", name.replace('_', " ")).into();
    }
    properties.insert("owner".to_owned(), json!({"$ref": "#/components/schemas/Person"}));
    properties.insert("labels".to_owned(), json!({"type": "array", "items": {"type": "string", "maxLength": 40}, "description": "Free words for searching."}));
    properties.insert("address".to_owned(), json!({"$ref": "#/components/schemas/Address"}));
    properties.insert("metadata".to_owned(), json!({"type": "object", "additionalProperties": {"type": "string"}, "description": "Up to 50 keys of your own."}));
    let required = if is_new { names } else { Vec::new() };
    json!({"type": "object", "properties": properties, "required": required})
}

fn shared_schemas() -> Map<String, Value> {
    let text = |text: &str| json!({"type": "string", "description": text});
    let schemas = json!({
        "Person": {"type": "object", "required": ["email"], "properties": {
            "email": {"type": "string", "format": "email", "description": "The address with which the person signs in."},
            "name": text("The full name."), "locale": text("A language tag, such as en-GB.")}},
        "Address": {"type": "object", "properties": {
            "line1": text("Street and number, or a post office box."), "line2": text("Apartment, suite or building."),
            "postal_code": text("ZIP or postal code."), "city": text("City, district or town."),
            "country": {"type": "string", "pattern": "^[A-Z]{2}$", "description": "Two letters, ISO 3166-1."}}},
        "Page": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {
            "id": text("The id."), "owner": {"$ref": "#/components/schemas/Person"}, "address": {"$ref": "#/components/schemas/Address"}}}},
            "next": text("The cursor of the next page.")}},
    });
    schemas.as_object().cloned().unwrap_or_default()
}
