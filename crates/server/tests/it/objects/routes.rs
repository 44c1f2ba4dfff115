//! Every route of the API, read from the OpenAPI document, so that new routes are automatically tested for isolation,
//! roles and hostile input.

use http::Method;
use serde_json::{Map, Value, json};
use toolgate_testkit::{Client, RunningService, TestResponse};

use super::fixtures::{ABSENT_ID, OwnedObjects};
use crate::openapi_document;

/// One method of one path.
#[derive(Clone, Debug)]
pub(super) struct ApiRoute {
    pub(super) method: Method,
    /// Relative to `api_base`, with `{name}` for ids.
    pub(super) path: String,
    pub(super) is_public: bool,
    pub(super) operation: Value,
}

/// All routes of the OpenAPI document.
pub(super) async fn all(app: &RunningService) -> Vec<ApiRoute> {
    let served = app.client_with_key(None).get("/openapi.json").send().await.expect(200).json();
    let document = openapi_document::without_references(&served);
    let mut routes = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap();
            let is_public = operation["security"] == json!([]);
            routes.push(ApiRoute { method, path: path.clone(), is_public, operation: operation.clone() });
        }
    }
    assert!(routes.len() > 40, "the document lists only {} routes", routes.len());
    routes
}

impl ApiRoute {
    pub(super) fn is_read(&self) -> bool {
        self.method == Method::GET
    }

    /// Whether its reply is an event stream, which ends only when the client disconnects.
    pub(super) fn is_stream(&self) -> bool {
        self.operation["responses"]["200"]["content"].get("text/event-stream").is_some()
    }

    /// Whether only administrators may use it.
    pub(super) fn is_admin_only(&self) -> bool {
        ["/users", "/settings", "/nodes", "/demo", "/oauth/clients"].iter().any(|start| self.path.starts_with(start))
    }

    /// Whether it changes data of the caller (below `/me`), which every user may do.
    pub(super) fn changes_own_data(&self) -> bool {
        self.path.starts_with("/me/") && !self.is_read()
    }

    pub(super) fn has_ids(&self) -> bool {
        self.path.contains('{')
    }

    /// The path with every id placeholder replaced. `ids` maps the path segment before a placeholder to an id.
    pub(super) fn address(&self, ids: &dyn Fn(&str) -> i64) -> String {
        let mut address = String::new();
        let mut kind = "";
        for segment in self.path.split('/').skip(1) {
            address.push('/');
            match segment.strip_prefix('{') {
                Some(_) => address.push_str(&ids(kind).to_string()),
                None => address.push_str(segment),
            }
            kind = segment;
        }
        address
    }

    /// A request that succeeds if the objects exist and belong to the caller.
    pub(super) fn request(&self, client: &Client, address: &str, tool: i64) -> toolgate_testkit::http::TestRequest {
        let request = client.request(self.method.clone(), address);
        match self.body_schema() {
            Some(_) => request.json(self.valid_body(tool)),
            None => request,
        }
    }

    /// The fields of the body with their schemas.
    pub(super) fn body_fields(&self) -> Map<String, Value> {
        let schema = self.body_schema().cloned().unwrap_or_default();
        schema["properties"].as_object().cloned().unwrap_or_default()
    }

    /// A body that is accepted.
    pub(super) fn valid_body(&self, tool: i64) -> Value {
        if self.reads_document() {
            return imported_document(&self.path);
        }
        self.body_schema().map_or_else(|| json!({}), |schema| example(schema, tool))
    }

    /// Whether its body can be a document of any format instead of a JSON object.
    pub(super) fn reads_document(&self) -> bool {
        self.path.ends_with("/refresh") || (self.path.contains("/import-") && !self.path.ends_with("/import-curl"))
    }

    /// The names of the query parameters.
    pub(super) fn query_names(&self) -> Vec<String> {
        let parameters = self.operation["parameters"].as_array().cloned().unwrap_or_default();
        let in_query = parameters.iter().filter(|parameter| parameter["in"] == "query");
        in_query.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect()
    }

    fn body_schema(&self) -> Option<&Value> {
        let schema = &self.operation["requestBody"]["content"]["application/json"]["schema"];
        (!schema.is_null()).then_some(schema)
    }
}

/// A body that imports a document or manifest without tools.
fn imported_document(path: &str) -> Value {
    // A refresh reads documents of every format.
    let kind = path.rsplit_once("/import-").map_or("openapi", |(_, kind)| kind);
    let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
    match kind {
        "manifest" | "getmcp" => json!({"tools": []}),
        "postman" => json!({"content": {"info": {"name": "Pets", "schema": schema}, "item": []}}),
        "har" => json!({"content": {"log": {"version": "1.2", "entries": []}}}),
        "swagger" => json!({"content": {"swagger": "2.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}}),
        _ => json!({"content": {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}}),
    }
}

/// A body with valid values for its required fields.
fn example(schema: &Value, tool: i64) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut body = Map::new();
    for name in required.iter().filter_map(Value::as_str) {
        let value = match (name, schema["properties"][name]["type"].as_str()) {
            ("endpoint_url", _) => json!("https://api.example.com/y"),
            ("uri", _) => json!("docs://example"),
            ("tool_ids", _) => json!([tool]),
            ("redirect_uris", _) => json!(["https://client.example/callback"]),
            ("auth_type", _) => schema["properties"][name]["enum"][0].clone(),
            ("curl", _) => json!("curl https://api.example.com/"),
            (_, Some("string")) => json!("example"),
            (_, Some("integer")) => json!(1),
            (_, Some("boolean")) => json!(true),
            (_, Some("array")) => json!([]),
            (_, Some("object")) => json!({}),
            other => panic!("there is no example for {other:?}"),
        };
        body.insert(name.to_owned(), value);
    }
    // The schema does not require it, but a prompt without messages needs a template.
    if schema["properties"].get("template_content").is_some() {
        body.insert("template_content".to_owned(), json!("example"));
    }
    Value::Object(body)
}

/// The id of an object by the path segment before it. `user_or_key_id` is the id of a user or an API key.
#[track_caller]
pub(super) fn id_of(objects: &OwnedObjects, kind: &str, user_or_key_id: i64) -> i64 {
    match kind {
        "servers" => objects.server,
        "tools" => objects.tool,
        "prompts" => objects.prompt,
        "resources" => objects.resource,
        "keys" => objects.key,
        "credentials" => objects.credential,
        "documents" => objects.document,
        "users" | "api-keys" | "members" => user_or_key_id,
        "calls" => objects.call,
        // Only a person in a browser can give a grant or link an account.
        "grants" | "clients" | "identities" => ABSENT_ID,
        other => panic!("add the object that an id below /{other} identifies"),
    }
}

/// The status, headers and body of a reply without the headers that differ between any two replies.
pub(super) fn comparable(reply: &TestResponse) -> (u16, Vec<(String, String)>, String) {
    let mut headers: Vec<_> = reply
        .headers
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "date" | "x-request-id"))
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    headers.sort();
    (reply.status, headers, reply.text())
}
