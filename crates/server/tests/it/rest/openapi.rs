//! The OpenAPI document: its form, its promises held against real replies, and the copy that the console is typed by,
//! in which reviewers see what changes.

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};
use toolgate_testkit::Mcp;

use super::setup::id;
use super::{Service, Setup, keys};

on_both_databases!(
    the_document_is_open_and_names_its_address,
    the_document_is_openapi_in_form,
    every_documented_route_answers_as_documented,
);

/// Set to have the copy written anew.
const RENEW: &str = "TOOLGATE_RENEW_OPENAPI";

async fn document(service: &Service) -> Value {
    service.nobody().get("/openapi.json").send().await.expect(200).json()
}

/// Every operation: path, method, what is said about it.
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

async fn the_document_is_open_and_names_its_address(setup: Setup) {
    let service = setup.start();
    let document = document(&service).await;
    // Relative to the document itself, so it is right whatever name the service is called by.
    assert_eq!(document["servers"], json!([{"url": "/wp-json/toolgate/v1"}]));
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let root = service.nobody().get(&format!("{}/wp-json", service.app.origin())).send().await.json();
    assert_eq!(root["openapi"], format!("{}/openapi.json", service.app.api_base()));
}

async fn the_document_is_openapi_in_form(setup: Setup) {
    let service = setup.start();
    let document = document(&service).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    let mut names = HashSet::new();
    for (path, method, operation) in operations(&document) {
        let place = format!("{method} {path}");
        assert!(["get", "post", "put", "patch", "delete"].contains(&method), "{place}");
        assert!(names.insert(operation["operationId"].as_str().unwrap()), "{place}: the operation's name is taken");
        assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{place}");
        check_parameters(path, &place, operation);
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{place}");
        for (status, response) in responses {
            assert!(status.parse::<u16>().is_ok() && response["description"].is_string(), "{place} {status}");
        }
    }
    check_schemas(&document, &document);
}

fn check_parameters(path: &str, place: &str, operation: &Value) {
    let parameters = operation["parameters"].as_array().unwrap();
    let mut seen = HashSet::new();
    for parameter in parameters {
        let (name, kind) = (parameter["name"].as_str().unwrap(), parameter["in"].as_str().unwrap());
        assert!(seen.insert((name, kind)), "{place}: {name} twice");
        assert!(["path", "query"].contains(&kind) && parameter["schema"].is_object(), "{place}: {name}");
        assert!(kind != "path" || parameter["required"] == true, "{place}: {name}");
    }
    let in_path: HashSet<&str> = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
    let declared: HashSet<&str> = seen.iter().filter(|(_, kind)| *kind == "path").map(|(name, _)| *name).collect();
    assert_eq!(in_path, declared, "{place}");
}

/// Every `schema` anywhere is a JSON Schema, and every `$ref` leads somewhere.
fn check_schemas(document: &Value, part: &Value) {
    match part {
        Value::Array(items) => items.iter().for_each(|item| check_schemas(document, item)),
        Value::Object(members) => {
            for (name, member) in members {
                if name == "schema" {
                    assert!(jsonschema::draft202012::meta::is_valid(member), "{member}");
                }
                if name == "$ref" {
                    let pointer = member.as_str().unwrap().strip_prefix('#').unwrap();
                    assert!(document.pointer(pointer).is_some(), "{member}");
                }
                check_schemas(document, member);
            }
        }
        _ => {}
    }
}

/// The path of an operation with ids of things that exist.
struct Ids {
    server: i64,
    tool: i64,
    prompt: i64,
    resource: i64,
    server_key: i64,
    user: i64,
    api_key: i64,
    call: i64,
}

impl Ids {
    async fn create(service: &Service) -> Self {
        let made_server = service.server(json!({})).await;
        let server = id(&made_server);
        let made =
            async |path: String, body: Value| id(&service.api.post(&path).json(body).send().await.expect(201).json());
        let prompt = json!({"name": "p", "template_content": "x"});
        let resource = json!({"uri": "doc://a", "name": "r", "data_source_config": {"content": "x"}});
        let tool = id(&service.tool(server, json!({"endpoint_url": "http://127.0.0.1:1/"})).await);
        Mcp::at(made_server["endpoint_url"].as_str().unwrap()).call("get_weather", json!({})).await;
        Self {
            server,
            tool,
            prompt: made(format!("/servers/{server}/prompts"), prompt).await,
            resource: made(format!("/servers/{server}/resources"), resource).await,
            server_key: made(format!("/servers/{server}/keys"), json!({"name": "k"})).await,
            user: made("/users".to_owned(), json!({"name": "u"})).await,
            api_key: made("/api-keys".to_owned(), json!({"name": "k"})).await,
            call: id(&service.read("/calls").await[0]),
        }
    }

    fn fill(&self, path: &str) -> String {
        let own = match path {
            path if path.contains("/prompts/") => self.prompt,
            path if path.contains("/resources/") => self.resource,
            path if path.starts_with("/tools/") => self.tool,
            path if path.starts_with("/users/") => self.user,
            path if path.starts_with("/api-keys/") => self.api_key,
            path if path.starts_with("/calls/") => self.call,
            _ => self.server,
        };
        path.replace("{server_id}", &self.server.to_string())
            .replace("{key_id}", &self.server_key.to_string())
            .replace("{id}", &own.to_string())
    }

    fn body(&self, operation: &str) -> Value {
        match operation {
            "createServer" | "createServerKey" | "createApiKey" => json!({"name": "new"}),
            "createUser" => json!({"name": "another"}),
            "createTool" => json!({"name": "new", "endpoint_url": "https://a.example"}),
            "createPrompt" => json!({"name": "new", "template_content": "x"}),
            "createResource" => json!({"uri": "doc://new", "name": "new", "data_source_config": {"content": "x"}}),
            "reorderTools" => json!({"tool_ids": [self.tool]}),
            "importCurl" => json!({"curl": "curl https://a.example"}),
            _ => json!({}),
        }
    }
}

async fn every_documented_route_answers_as_documented(setup: Setup) {
    let service = setup.start();
    let document = document(&service).await;
    let ids = Ids::create(&service).await;
    let mut all = operations(&document);
    // What is deleted can no longer be read, and a server takes along what belongs to it.
    all.sort_by_key(|(path, method, _)| (*method == "delete", *path == "/servers/{id}"));
    for (path, method, operation) in all {
        let method = method.to_uppercase().parse().unwrap();
        let request = service.api.request(method, &ids.fill(path));
        let takes_body = operation.get("requestBody").is_some();
        let body = ids.body(operation["operationId"].as_str().unwrap());
        let content = &operation["responses"]["200"]["content"];
        if content.get("text/event-stream").is_some() {
            // It has no end; its events have tests of their own.
            request.open().await.events().await;
            continue;
        }
        let reply = if takes_body { request.json(body).send().await } else { request.send().await };
        let documented = &operation["responses"][reply.status.to_string()];
        assert!(documented.is_object(), "not documented: {reply:?}");
        assert!(reply.status < 300, "{reply:?}");
        check_reply(documented, &reply);
    }
}

fn check_reply(documented: &Value, reply: &toolgate_testkit::Reply) {
    let schema = &documented["content"]["application/json"]["schema"];
    let validator = jsonschema::validator_for(schema).unwrap();
    let body = reply.json();
    let broken: Vec<String> = validator.iter_errors(&body).map(|error| error.to_string()).collect();
    assert!(broken.is_empty(), "{broken:?}: {reply:?}");
    for header in documented.get("headers").map(keys).unwrap_or_default() {
        // There is a link only where there is a page beside this one.
        assert!(["Link", "X-Next-Before"].contains(&header) || reply.header(header).is_some(), "{header}: {reply:?}");
    }
    // Nothing is shown that is not documented.
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
async fn the_console_is_typed_by_the_document_that_is_served() {
    let served = document(&Setup::sqlite().start()).await;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console/openapi.json");
    if env::var_os(RENEW).is_some() {
        fs::write(&file, format!("{served:#}\n")).unwrap();
    }
    let kept: Value = fs::read_to_string(&file).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
    let (served, kept) = (printed(served), printed(kept));
    let lines = || served.lines().map(Some).chain([None]).zip(kept.lines().map(Some).chain([None]));
    let first = lines().position(|(served, kept)| served != kept);
    assert!(
        first.is_none(),
        "console/openapi.json is not what the service serves, from line {:?} on: {:?}. `make openapi` renews it; look at \
         what changed, and at what the console makes of it.",
        first.map(|index| index + 1),
        first.and_then(|index| lines().nth(index)),
    );
}

/// As text, for the order counts; without what depends on version and settings.
fn printed(mut document: Value) -> String {
    if document.is_object() {
        document["servers"] = Value::Null;
        document["info"]["version"] = Value::Null;
    }
    format!("{document:#}")
}
