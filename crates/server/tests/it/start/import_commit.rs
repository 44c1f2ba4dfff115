//! `toolgate import openapi|postman|har --server`: creates tools in a running service.

use std::process::Output;

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, Upstream};

use crate::toolgate;

on_both_databases!(
    a_document_becomes_tools_of_a_running_service,
    collections_and_recordings_become_tools_with_their_credentials,
    refusals_are_one_line_with_the_remedy,
);

const DOCUMENT: &str = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.example"}],
    "paths": {"/pets/{id}": {"get": {"operationId": "getPet", "tags": ["pets"],
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]}},
    "/x": {"post": {"operationId": "postX"}}}}"#;

/// Runs `toolgate import` with the document in a file.
fn import(service: &ApiFixture, kind: &str, document: &str, args: &[&str]) -> Output {
    run(service, kind, document, args, &[("TOOLGATE_URL", &service.app.origin())])
}

fn run(service: &ApiFixture, kind: &str, document: &str, args: &[&str], environment: &[(&str, &str)]) -> Output {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    let mut command = service.app.command();
    command.arg("import").arg(kind).arg(file.path()).args(args).envs(environment.iter().copied());
    command.output().unwrap()
}

#[track_caller]
fn texts(output: &Output, code: i32) -> (String, String) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

async fn tool_names(service: &ApiFixture, server: i64) -> Vec<String> {
    let tools = service.api.read(&format!("/servers/{server}/tools")).await;
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

async fn a_document_becomes_tools_of_a_running_service(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let id = server.to_string();
    let (table, _) = texts(&import(service, "openapi", DOCUMENT, &["--server", &id, "--dry-run"]), 0);
    assert!(table.starts_with("NAME"), "{table}");
    assert_eq!(tool_names(service, server).await, [""; 0]);
    let args = ["--server", &id, "--tag", "pets", "--base-url", "https://b.example/v1"];
    let (table, sums) = texts(&import(service, "openapi", DOCUMENT, &args), 0);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        (&lines[0][..], &lines[1][..3]),
        (&["RESULT", "NAME", "DETAIL"][..], &["created", "get_pet", "tool"][..])
    );
    let expected = format!(
        "1 tool created in server {server}, 0 updated, 0 skipped, 0 failed\n\
         the new tools are paused: activate them in the console, or with PATCH /tools/ID and {{\"status\": \"active\"}}\n"
    );
    assert_eq!(sums, expected);
    let tools = service.api.read(&format!("/servers/{server}/tools")).await;
    assert_eq!(
        (&tools[0]["endpoint_url"], &tools[0]["status"]),
        (&json!("https://b.example/v1/pets/{id}"), &json!("paused"))
    );
    let args = ["--server", &id, "--json", "--imported-status", "active"];
    let (reply, _) = texts(&import(service, "openapi", DOCUMENT, &args), 0);
    let reply: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!((&reply["skipped"][0]["name"], &reply["created"][0]["name"]), (&json!("get_pet"), &json!("post_x")));
    let with_problem = DOCUMENT.replace("\"post\"", "\"trace\"");
    let args = ["--server", &id, "--on-conflict", "duplicate"];
    let (table, errors) = texts(&import(service, "openapi", &with_problem, &args), 2);
    assert!(table.contains("get_pet_2") && errors.contains("TRACE /x: "), "{table}{errors}");
    assert_eq!(tool_names(service, server).await, ["get_pet", "post_x", "get_pet_2"]);
    let scheme = json!({"type": "apiKey", "in": "header", "name": "X-Shop"});
    let mut protected: Value = serde_json::from_str(DOCUMENT).unwrap();
    protected["components"] = json!({"securitySchemes": {"shop": scheme}});
    protected["security"] = json!([{"shop": []}]);
    let server = service.api.create_default_server().await;
    let args = ["--server", &server.to_string(), "--imported-status", "active"];
    let (_, notes) = texts(&import(service, "openapi", &protected.to_string(), &args), 0);
    let needed =
        format!("the credential shop needs key_value: set it in the console, or with PATCH /servers/{server}/");
    assert!(notes.contains(&needed) && !notes.contains("paused"), "{notes}");
}

async fn collections_and_recordings_become_tools_with_their_credentials(service: &ApiFixture) {
    let upstream = Upstream::with_handler(|_| toolgate_testkit::upstream::MockResponse::text("ok"));
    let collection = json!({
        "info": {"name": "C", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]},
        "item": [{"name": "Get user", "request": {"method": "GET", "url": "{{host}}/users"}}],
    });
    let header = json!({"name": "X-Api-Key", "value": "key-of-the-recording"});
    let request = json!({"method": "GET", "url": upstream.url("/orders"), "headers": [header], "queryString": []});
    let response = json!({"status": 200, "content": {"mimeType": "application/json"}});
    let recording = json!({"log": {"version": "1.2", "entries": [{"request": request, "response": response, "_resourceType": "xhr"}]}});
    let server = service.api.create_default_server().await.to_string();
    let host = format!("host={}", upstream.url(""));
    let variables = ["--variable", &host, "--variable", "token=token-of-the-command"];
    for (kind, document, variables, header, secret) in [
        ("postman", &collection, &variables[..], "authorization", "token-of-the-command"),
        ("har", &recording, &[], "x-api-key", "key-of-the-recording"),
    ] {
        let (preview, _) = texts(&import(service, kind, &document.to_string(), variables), 0);
        assert!(preview.starts_with("NAME") && !preview.contains(secret), "{preview}");
        let args = [&["--server", &server, "--json"], variables].concat();
        let (reply, _) = texts(&import(service, kind, &document.to_string(), &args), 0);
        let reply: Value = serde_json::from_str(&reply).unwrap();
        let test = service.api.post(&format!("/tools/{}/test", reply["created"][0]["tool_id"]));
        test.json(json!({"arguments": {}})).send().await.expect(200);
        assert!(upstream.last().header(header).unwrap().ends_with(secret), "{kind}");
    }
    let (_, error) = texts(&import(service, "har", &collection.to_string(), &[]), 1);
    assert!(error.contains("the format of this document is postman, not har; use: toolgate import postman"), "{error}");
}

async fn refusals_are_one_line_with_the_remedy(service: &ApiFixture) {
    let server = service.api.create_default_server().await.to_string();
    let viewer = service.api.create_user("viewer", "viewer").await;
    let viewer_key = service.api.create_key(json!({"name": "v", "user_id": viewer, "scopes": ["read"]})).await;
    let viewer_key = viewer_key["key"].as_str().unwrap().to_owned();
    let origin = service.app.origin();
    let stopped = "http://127.0.0.1:9";
    let other = Upstream::builder().start();
    let other_json = Upstream::with_handler(|_| toolgate_testkit::upstream::MockResponse::json(json!({"ok": true})));
    let wrong_key = "tg_0000000000000000000000000000000000000000000";
    for (number, url, key, expected) in [
        (
            server.as_str(),
            stopped,
            None,
            "cannot reach the service at http://127.0.0.1:9/wp-json/toolgate/v1: the connection was refused; start it, or set TOOLGATE_URL",
        ),
        (&server, &origin, Some(wrong_key), "the service refuses the key (401)"),
        (&server, &origin, Some(viewer_key.as_str()), "the key may not import into server"),
        ("4711", &origin, None, "the service has no server 4711"),
        (&server, &other.url(""), None, "there is no management API of Toolgate at"),
        (&server, &other_json.url(""), None, "there is no management API of Toolgate at"),
        (&server, "ftp://x", None, "TOOLGATE_URL must be an http or https address"),
    ] {
        let mut environment = vec![("TOOLGATE_URL", url)];
        environment.extend(key.map(|key| ("TOOLGATE_API_KEY", key)));
        let (stdout, error) = texts(&run(service, "openapi", DOCUMENT, &["--server", number], &environment), 1);
        assert!(error.starts_with(&format!("toolgate: {expected}")) && error.lines().count() == 1, "{error}");
        assert_eq!(stdout, "");
    }
    let (_, error) = texts(&run(service, "openapi", DOCUMENT, &["--server", "abc"], &[]), 2);
    assert_eq!(error, "toolgate: --server: \"abc\" is not a server id; ids are numbers from 1\n");
    let api_base = [("TOOLGATE_URL", service.app.api_base())];
    let faulty = DOCUMENT.replace("https://a.example", "http://169.254.169.254");
    let (table, _) = texts(&run(service, "openapi", &faulty, &["--server", &server], &api_base), 2);
    assert!(table.contains("failed  get_pet"), "{table}");
}

#[test]
fn a_commit_needs_a_key() {
    let mut command = toolgate().without_api_key().arg("import").arg("openapi").arg("/dev/stdin").command();
    let mut child = command.args(["--server", "1"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), DOCUMENT.as_bytes()).unwrap();
    let (_, error) = texts(&child.wait_with_output().unwrap(), 1);
    assert_eq!(error, "toolgate: creating tools needs a key with the scope write: set TOOLGATE_API_KEY\n");
}
