//! The OpenAPI document: its validity, its match with real replies, and the copy in `console/openapi.json`, from which
//! the console's types are generated and in which reviewers see changes.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, McpClient};

use super::assertions::keys;
use crate::openapi_document;
use crate::toolgate;

on_both_databases!(
    the_document_is_public_and_discovery_links_to_it,
    the_document_is_valid_openapi,
    bodies_have_named_schemas_and_every_component_is_used,
    every_documented_route_replies_as_documented,
);

/// Environment variable; if it is set, the test rewrites the copy.
const RENEW_ENV: &str = "TOOLGATE_RENEW_OPENAPI";

async fn document(service: &ApiFixture) -> Value {
    service.anonymous().get("/openapi.json").send().await.expect(200).json()
}

/// Every operation: path, method, definition.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let methods = |item: &'_ Value| item.as_object().unwrap().clone();
    paths
        .iter()
        .flat_map(|(path, item)| methods(item).into_iter().map(move |(method, _)| (path.as_str(), item, method)))
        .map(|(path, item, method)| {
            let (method, operation) = item.as_object().unwrap().get_key_value(&method).unwrap();
            (path, method.as_str(), operation)
        })
        .collect()
}

async fn the_document_is_public_and_discovery_links_to_it(service: &ApiFixture) {
    let document = document(service).await;
    // The URL has no host, so it is correct for any host name.
    assert_eq!(document["servers"], json!([{"url": "/wp-json/toolgate/v1"}]));
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let root = service.anonymous().get(&format!("{}/wp-json", service.app.origin())).send().await.json();
    assert_eq!(root["openapi"], format!("{}/openapi.json", service.app.api_base()));
}

async fn the_document_is_valid_openapi(service: &ApiFixture) {
    let served = document(service).await;
    check_schemas(&served);
    let document = openapi_document::without_references(&served);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    let mut operation_ids = HashSet::new();
    for (path, method, operation) in operations(&document) {
        let label = format!("{method} {path}");
        assert!(["get", "post", "put", "patch", "delete"].contains(&method), "{label}");
        assert!(
            operation_ids.insert(operation["operationId"].as_str().unwrap()),
            "{label}: the operation id is not unique"
        );
        assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{label}");
        check_parameters(path, &label, operation);
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{label}");
        for (status, response) in responses {
            assert!(status.parse::<u16>().is_ok() && response["description"].is_string(), "{label} {status}");
        }
    }
}

fn check_parameters(path: &str, label: &str, operation: &Value) {
    let parameters = operation["parameters"].as_array().unwrap();
    let mut seen = HashSet::new();
    for parameter in parameters {
        let (name, kind) = (parameter["name"].as_str().unwrap(), parameter["in"].as_str().unwrap());
        assert!(seen.insert((name, kind)), "{label}: {name} is declared twice");
        assert!(["path", "query"].contains(&kind) && parameter["schema"].is_object(), "{label}: {name}");
        assert!(kind != "path" || parameter["required"] == true, "{label}: {name}");
    }
    let in_path: HashSet<&str> = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
    let declared: HashSet<&str> = seen.iter().filter(|(_, kind)| *kind == "path").map(|(name, _)| *name).collect();
    assert_eq!(in_path, declared, "{label}");
}

/// Asserts that every `schema` is a valid JSON Schema.
fn check_schemas(part: &Value) {
    match part {
        Value::Array(items) => items.iter().for_each(check_schemas),
        Value::Object(members) => {
            if let Some(schema) = members.get("schema") {
                assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
            }
            members.values().for_each(check_schemas);
        }
        _ => {}
    }
}

/// Generated clients name their types after the schemas.
async fn bodies_have_named_schemas_and_every_component_is_used(service: &ApiFixture) {
    let document = document(service).await;
    for (path, method, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap().values();
        for body in responses.chain(operation.get("requestBody")) {
            let schema = &body["content"]["application/json"]["schema"];
            let item = schema.get("items").unwrap_or(schema);
            assert!(item.get("properties").is_none(), "{method} {path}: the schema has no name: {item}");
        }
    }
    let text = document.to_string();
    for section in ["schemas", "parameters", "responses", "headers"] {
        for name in keys(&document["components"][section]) {
            let reference = json!({"$ref": format!("#/components/{section}/{name}")}).to_string();
            assert!(text.contains(&reference), "{section}/{name} is not used");
        }
    }
}

/// Ids of existing objects, for the paths of operations.
struct ObjectIds {
    server: i64,
    tool: i64,
    prompt: i64,
    resource: i64,
    credential: i64,
    server_key: i64,
    user: i64,
    /// A user with whom the server is shared.
    member: i64,
    api_key: i64,
    call: i64,
    document: i64,
    oauth_client: i64,
}

const OAUTH_CLIENT: &str = r#"{"name": "new", "redirect_uris": ["https://a.example/callback"]}"#;

/// A document of an API with one operation.
fn api_document(format: &str, version: &str) -> Value {
    json!({
        (format): version,
        "info": {"title": "Pets", "version": "1"},
        "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {}}}},
    })
}

impl ObjectIds {
    async fn create(service: &ApiFixture) -> Self {
        let new_server = service.api.create_server(json!({})).await;
        let server = id(&new_server);
        let create = async |path: String, body: Value| id(&service.api.create(&path, body).await);
        let prompt = json!({"name": "p", "template_content": "x"});
        let resource = json!({"uri": "doc://a", "name": "r", "data_source_config": {"content": "x"}});
        let credential = json!({"name": "c", "auth_type": "bearer"});
        let tool = id(&service.api.create_tool(server, json!({"endpoint_url": "http://127.0.0.1:1/"})).await);
        McpClient::new(new_server["endpoint_url"].as_str().unwrap()).call("get_weather", json!({})).await;
        let member = create("/users".to_owned(), json!({"name": "m"})).await;
        service.api.create(&format!("/servers/{server}/members"), json!({"user_id": member})).await;
        Self {
            server,
            tool,
            prompt: create(format!("/servers/{server}/prompts"), prompt).await,
            resource: create(format!("/servers/{server}/resources"), resource).await,
            credential: create(format!("/servers/{server}/credentials"), credential).await,
            server_key: create(format!("/servers/{server}/keys"), json!({"name": "k"})).await,
            user: create("/users".to_owned(), json!({"name": "u"})).await,
            member,
            api_key: create("/api-keys".to_owned(), json!({"name": "k"})).await,
            call: id(&service.api.read("/calls").await[0]),
            document: import_document(service, server).await,
            oauth_client: create("/oauth/clients".to_owned(), OAUTH_CLIENT.parse().unwrap()).await,
        }
    }

    fn fill_path(&self, path: &str) -> String {
        let object_id = match path {
            path if path.contains("/prompts/") => self.prompt,
            path if path.contains("/credentials/") => self.credential,
            path if path.starts_with("/documents/") => self.document,
            path if path.contains("/resources/") => self.resource,
            path if path.starts_with("/tools/") => self.tool,
            path if path.starts_with("/users/") => self.user,
            path if path.starts_with("/api-keys/") => self.api_key,
            path if path.starts_with("/calls/") => self.call,
            path if path.starts_with("/oauth/clients/") => self.oauth_client,
            _ => self.server,
        };
        path.replace("{server_id}", &self.server.to_string())
            .replace("{key_id}", &self.server_key.to_string())
            .replace("{user_id}", &self.member.to_string())
            .replace("{id}", &object_id.to_string())
    }

    fn body(&self, operation: &str) -> Value {
        match operation {
            "createServer" | "createServerKey" | "createApiKey" => json!({"name": "new"}),
            "addMember" => json!({"user_id": self.user}),
            "createOAuthClient" => OAUTH_CLIENT.parse().unwrap(),
            "createUser" => json!({"name": "another"}),
            "createServerCredential" => json!({"name": "new", "auth_type": "bearer"}),
            "createTool" => json!({"name": "new", "endpoint_url": "https://a.example"}),
            "createPrompt" => json!({"name": "new", "template_content": "x"}),
            "createResource" => json!({"uri": "doc://new", "name": "new", "data_source_config": {"content": "x"}}),
            "reorderTools" => json!({"tool_ids": [self.tool]}),
            "importManifest" | "importGetmcp" => json!({"tools": []}),
            "importOpenapi" | "readOpenapi" | "refreshDocument" => {
                json!({"content": api_document("openapi", "3.1.0")})
            }
            "importSwagger" | "readSwagger" => json!({"content": api_document("swagger", "2.0")}),
            "importPostman" | "readPostman" => json!({"content": {
                "info": {"name": "C", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
                "item": [{"name": "A", "request": {"method": "GET", "url": "https://a.example/a"}}],
            }}),
            "importHar" | "readHar" => json!({"content": {"log": {"version": "1.2", "entries": []}}}),
            "importCurl" => json!({"curl": "curl https://a.example"}),
            _ => json!({}),
        }
    }
}

/// Imports a document and returns its id.
async fn import_document(service: &ApiFixture, server: i64) -> i64 {
    let content = api_document("openapi", "3.1.0");
    let arguments =
        json!({"content": content, "base_url": "https://a.example", "commit": true, "selected_temp_ids": ["*"]});
    let path = format!("/servers/{server}/tools/import-openapi");
    let reply = service.api.post(&path).json(arguments).send().await.expect(200).json();
    reply["document_id"].as_i64().unwrap()
}

async fn every_documented_route_replies_as_documented(service: &ApiFixture) {
    let document = openapi_document::without_references(&document(service).await);
    let ids = ObjectIds::create(service).await;
    let mut operations = operations(&document);
    // Grants and accounts need a person with a browser: `oauth::{grant_routes, linked_accounts}` test these routes.
    operations.retain(|(path, ..)| !path.contains("{grant_id}") && !path.contains("{identity_id}"));
    // Deletions come last, and the server itself after its objects.
    operations.sort_by_key(|(path, method, _)| (*method == "delete", *path == "/servers/{id}"));
    for (path, method, operation) in operations {
        let method = method.to_uppercase().parse().unwrap();
        let request = service.api.request(method, &ids.fill_path(path));
        let takes_body = operation.get("requestBody").is_some();
        let body = ids.body(operation["operationId"].as_str().unwrap());
        let content = &operation["responses"]["200"]["content"];
        if content.get("text/event-stream").is_some() {
            // The stream never ends; its events are tested elsewhere.
            request.open().await.events().await;
            continue;
        }
        let reply = if takes_body { request.json(body).send().await } else { request.send().await };
        let documented = &operation["responses"][reply.status.to_string()];
        assert!(documented.is_object(), "the status is not documented: {reply:?}");
        assert!(reply.status < 300, "{reply:?}");
        check_reply(documented, &reply);
    }
}

fn check_reply(documented: &Value, reply: &toolgate_testkit::TestResponse) {
    let schema = &documented["content"]["application/json"]["schema"];
    let validator = jsonschema::validator_for(schema).unwrap();
    let body = reply.json();
    let violations: Vec<String> = validator.iter_errors(&body).map(|error| error.to_string()).collect();
    assert!(violations.is_empty(), "{violations:?}: {reply:?}");
    for header in documented.get("headers").map(keys).unwrap_or_default() {
        // Links are optional: not every page has an adjacent one.
        assert!(
            ["Link", "X-Next-Before", "X-Toolgate-Ignored"].contains(&header) || reply.header(header).is_some(),
            "{header}: {reply:?}"
        );
    }
    // Every field of the reply is documented.
    let (item, schema) = match schema.get("items") {
        Some(item_schema) => (body.get(0), item_schema),
        None => (Some(&body), schema),
    };
    if let (Some(item), Some(properties)) = (item, schema.get("properties")) {
        let documented = keys(properties);
        assert!(keys(item).iter().all(|key| documented.contains(key)), "{reply:?}");
    }
}

#[tokio::test]
async fn the_copy_for_the_console_equals_the_served_document() {
    let served = document(&ApiFixture::start(toolgate())).await;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console/openapi.json");
    if env::var_os(RENEW_ENV).is_some() {
        fs::write(&file, format!("{served:#}\n")).unwrap();
    }
    let copy: Value = fs::read_to_string(&file).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
    let (served, copy) = (to_text(served), to_text(copy));
    let lines = || served.lines().map(Some).chain([None]).zip(copy.lines().map(Some).chain([None]));
    let first_difference = lines().position(|(served, copy)| served != copy);
    assert!(
        first_difference.is_none(),
        "console/openapi.json differs from the served document at line {:?}: {:?}. Run `make openapi`, then review \
         the changes and their effect on the console.",
        first_difference.map(|index| index + 1),
        first_difference.and_then(|index| lines().nth(index)),
    );
}

/// The document as text, because the order matters, without the parts that depend on version and settings.
fn to_text(mut document: Value) -> String {
    if document.is_object() {
        document["servers"] = Value::Null;
        document["info"]["version"] = Value::Null;
    }
    format!("{document:#}")
}
