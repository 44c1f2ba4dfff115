//! Documents and arguments that are crafted to break an import: each is refused or repaired, and both databases behave
//! the same.

use serde_json::{Value, json};
use toolgate_testkit::{ApiFixture, TestResponse};

use super::assertions::{assert_error, assert_invalid_fields, column};

on_both_databases!(
    control_characters_are_not_stored,
    operations_with_too_long_paths_are_reported_as_problems,
    long_titles_are_cut_and_long_filters_are_refused,
    credentials_that_are_not_objects_are_refused,
    schemes_that_differ_in_case_have_a_credential_each,
    a_credential_of_another_type_is_not_replaced,
    a_new_value_of_a_key_does_not_change_its_name_and_location,
    new_operations_are_skipped_if_the_refresh_requests_it,
    two_files_with_the_same_name_are_refused,
);

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn document(paths: Value) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": paths,
    })
}

fn one_operation() -> Value {
    document(json!({"/pets": {"get": {"operationId": "listPets", "responses": {}}}}))
}

/// The document with these security schemes, all of which its operation needs together.
#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn with_schemes(schemes: Value) -> Value {
    let mut document = one_operation();
    let names = schemes.as_object().unwrap().keys().map(|name| (name.clone(), json!([])));
    document["security"] = json!([names.collect::<serde_json::Map<_, _>>()]);
    document["components"] = json!({"securitySchemes": schemes});
    document
}

async fn commit(service: &ApiFixture, server: i64, route: &str, arguments: Value) -> TestResponse {
    let mut body = json!({"commit": true, "selected_temp_ids": ["*"]});
    body.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
    service.api.post(&format!("/servers/{server}/tools/import-{route}")).json(body).send().await
}

async fn control_characters_are_not_stored(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let mut described = document(json!({"/a\0b": {"get": {}}, "/c": {"get": {"summary": "x\0y"}}}));
    described["info"]["title"] = json!("T\0itle");
    described["openapi"] = json!("3.1.0-\0");
    let reply = commit(service, server, "openapi", json!({"content": described})).await.expect(200).json();
    assert_eq!(column(&reply["created"], "name"), ["get_c"]);
    let stored = service.api.read(&format!("/documents/{}", reply["document_id"])).await;
    assert_eq!((&stored["title"], &stored["version"]), (&json!("Title"), &json!("3.1.0-")));
    let request = |url: &str| json!({"method": "GET", "url": url, "headers": [{"name": "X-A", "value": "a\0b"}]});
    let response = json!({"status": 200, "content": {"mimeType": "application/json"}});
    let entry = |url: &str| json!({"_resourceType": "xhr", "request": request(url), "response": response});
    let recording = json!({"log": {
        "version": "1.2\0", "pages": [{"title": "P\0"}], "entries": [entry("https://a.example/x\0"), entry("https://a.example/y?q=\0")],
    }});
    let collection = json!({
        "info": {"name": "C\0", "version": "1\0"},
        "item": [{"name": "A\0", "request": {"url": "https://a.example/\0a", "description": "d\0"}}],
    });
    for (route, content) in [("har", recording), ("postman", collection)] {
        commit(service, server, route, json!({"content": content, "on_conflict": "duplicate"})).await.expect(200);
    }
}

async fn operations_with_too_long_paths_are_reported_as_problems(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let long = format!("/{}", "漢".repeat(1900));
    // A path of the maximum length, whose text cannot be compressed.
    let longest: String = (0..670_u32).filter_map(|index| char::from_u32(0x4E00 + index * 7919 % 20_000)).collect();
    let content = document(json!({long: {"get": {}}, format!("/{longest}"): {"get": {"operationId": "longest"}}}));
    let read = service.api.post("/tools/import-openapi").json(json!({"content": content})).send().await.expect(200);
    assert!(read.text().contains("The path of the operation is too long"), "{read:?}");
    let reply = commit(service, server, "openapi", json!({"content": content})).await.expect(200).json();
    assert_eq!(column(&reply["created"], "name"), ["longest"]);
}

async fn long_titles_are_cut_and_long_filters_are_refused(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let mut content = one_operation();
    content["info"]["title"] = json!("t".repeat(100_000));
    let reply = commit(service, server, "openapi", json!({"content": content})).await.expect(200).json();
    let stored = service.api.read(&format!("/documents/{}", reply["document_id"])).await;
    assert_eq!(stored["title"].as_str().map(str::len), Some(200));
    for (name, value, expected) in [
        ("methods", json!(["G".repeat(3000)]), "methods[0] must be at most 2048 characters long."),
        ("include_tags", json!(vec!["t"; 501]), "include_tags must hold at most 500 items."),
        ("server_variables", json!({"a": "v".repeat(3000)}), "server_variables[a] must be at most"),
    ] {
        let refused = commit(service, server, "openapi", json!({"content": content, name: value})).await;
        assert_invalid_fields(&refused, &[name]);
        assert!(refused.text().contains(expected), "{refused:?}");
    }
}

async fn credentials_that_are_not_objects_are_refused(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let content = with_schemes(json!({"t": {"type": "http", "scheme": "bearer"}}));
    let arguments = json!({"content": content, "credentials": {"t": "abc"}});
    let refused = commit(service, server, "openapi", arguments.clone()).await;
    assert_invalid_fields(&refused, &["credentials"]);
    assert!(refused.text().contains("credentials[t] is not of type object."), "{refused:?}");
    let read = service.api.post("/tools/import-openapi").json(arguments).send().await;
    assert_invalid_fields(&read, &["credentials"]);
    let reply = commit(service, server, "openapi", json!({"content": content})).await.expect(200).json();
    let path = format!("/documents/{}/refresh", reply["document_id"]);
    let refresh = service.api.post(&path).json(json!({"content": content, "credentials": {"t": ["abc"]}})).send().await;
    assert_invalid_fields(&refresh, &["credentials"]);
}

async fn schemes_that_differ_in_case_have_a_credential_each(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let mut content = document(json!({
        "/a": {"get": {"operationId": "a", "security": [{"T": []}]}},
        "/b": {"get": {"operationId": "b", "security": [{"t": []}]}},
    }));
    let key = |name: &str| json!({"type": "apiKey", "in": "header", "name": name});
    content["components"] = json!({"securitySchemes": {"T": key("X-First"), "t": key("X-Second")}});
    let reply = commit(service, server, "openapi", json!({"content": content})).await.expect(200).json();
    assert_eq!(column(&reply["created"], "name"), ["a", "b"]);
    let credentials = service.api.read(&format!("/servers/{server}/credentials")).await;
    assert_eq!(column(&credentials, "name"), ["T", "t_2"]);
}

async fn a_credential_of_another_type_is_not_replaced(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/credentials");
    let own = json!({"name": "Shop", "auth_type": "basic", "auth_credentials": {"username": "u", "password": "p"}});
    service.api.post(&path).json(own).send().await.expect(201);
    let content = with_schemes(json!({"shop": {"type": "http", "scheme": "bearer"}}));
    for credentials in [json!({}), json!({"shop": {"token": "t"}})] {
        let refused = commit(service, server, "openapi", json!({"content": content, "credentials": credentials})).await;
        assert_invalid_fields(&refused, &["credentials"]);
        assert!(refused.text().contains("for basic, and the document needs one for bearer"), "{refused:?}");
    }
    assert_eq!(service.api.read(&path).await[0]["auth_type"], "basic");
    assert_eq!(service.api.read(&format!("/servers/{server}")).await["tool_count"], 0);
}

async fn a_new_value_of_a_key_does_not_change_its_name_and_location(service: &ApiFixture) {
    let upstream = toolgate_testkit::Upstream::with_handler(|_| toolgate_testkit::upstream::MockResponse::text("ok"));
    let server = service.api.create_default_server().await;
    let call = async |tool: &Value| {
        let test = service.api.post(&format!("/tools/{tool}/test")).json(json!({"arguments": {}})).send().await;
        test.expect(200);
        upstream.last()
    };
    let one = with_schemes(json!({"shop": {"type": "apiKey", "in": "header", "name": "X-Shop"}}));
    let arguments = json!({"content": one, "base_url": upstream.url("/one")});
    let reply = commit(service, server, "openapi", arguments).await.expect(200).json();
    let tool = reply["created"][0]["tool_id"].clone();
    let credentials = format!("/servers/{server}/credentials");
    let id = service.api.read(&credentials).await[0]["id"].clone();
    let patch = async |path: String, body: Value| service.api.patch(&path).json(body).send().await;
    patch(format!("{credentials}/{id}"), json!({"auth_credentials": {"key_value": "first"}})).await.expect(200);
    let received = call(&tool).await;
    assert_eq!((received.header("x-shop"), received.header("x-api-key")), (Some("first"), None));
    let document = format!("/documents/{}", reply["document_id"]);
    patch(document, json!({"credentials": {"shop": {"key_value": "second"}}})).await.expect(200);
    assert_eq!(call(&tool).await.header("x-shop"), Some("second"));

    let key = |location: &str, name: &str| json!({"type": "apiKey", "in": location, "name": name});
    let two = with_schemes(json!({"app": key("header", "X-App"), "session": key("query", "session")}));
    let arguments = json!({"content": two, "base_url": upstream.url("/two"), "on_conflict": "duplicate"});
    let reply = commit(service, server, "openapi", arguments).await.expect(200).json();
    let tool = reply["created"][0]["tool_id"].clone();
    let id = service.api.read(&credentials).await[1]["id"].clone();
    let refused = patch(format!("{credentials}/{id}"), json!({"auth_credentials": {"key_value": "x"}})).await;
    assert_invalid_fields(&refused, &["auth_credentials"]);
    assert!(refused.text().contains("X-App"), "{refused:?}");
    let keys = json!({"keys": [{"key_name": "X-App", "key_value": "a"}, {"key_name": "session", "key_value": "b"}]});
    patch(format!("{credentials}/{id}"), json!({"auth_credentials": keys})).await.expect(200);
    let received = call(&tool).await;
    assert_eq!((received.header("x-app"), received.query()), (Some("a"), Some("session=b")));
}

async fn new_operations_are_skipped_if_the_refresh_requests_it(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let reply = commit(service, server, "openapi", json!({"content": one_operation()})).await.expect(200).json();
    let path = format!("/documents/{}/refresh", reply["document_id"]);
    let paths: Value = (0..1000).map(|index| (format!("/p{index}"), json!({"get": {}}))).collect();
    let mut full = document(paths);
    full["paths"]["/pets"] = one_operation()["paths"]["/pets"].clone();
    let refused = service.api.post(&path).json(json!({"content": full, "commit": true})).send().await;
    assert_error(&refused, 409, "rest_too_many_tools");
    assert!(refused.text().contains("added=skip"), "{refused:?}");
    let preview = service.api.post(&path).json(json!({"content": full})).send().await.expect(200).json();
    let chosen = &preview["drift"]["added"][3];
    let body =
        json!({"content": full, "commit": true, "added": "skip", "selected_temp_ids": [chosen["temp_id"].clone()]});
    let reply = service.api.post(&path).json(body).send().await.expect(200).json();
    assert_eq!(column(&reply["created"], "temp_id"), [chosen["temp_id"].as_str().unwrap()]);
    assert_eq!(service.api.read(&format!("/servers/{server}")).await["tool_count"], 2);
}

async fn two_files_with_the_same_name_are_refused(service: &ApiFixture) {
    let part = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.yaml\"\r\n\r\nopenapi: 3.1.0\r\n";
    let body = format!("{part}{part}--B--\r\n");
    let request = service.api.post("/tools/import-openapi").header("content-type", "multipart/form-data; boundary=B");
    let refused = request.body(body).send().await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.text().contains("Two files have the name"), "{refused:?}");
}
