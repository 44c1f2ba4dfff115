//! Import of Postman collections and HAR recordings: their credentials are stored, used by calls, and never shown.

use serde_json::{Value, json};
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::upstream::MockResponse;
use toolgate_testkit::{ApiFixture, TestResponse, Upstream};

use super::assertions::{assert_error, assert_invalid_fields, column};

on_both_databases!(
    credentials_of_a_collection_are_stored_and_sent_but_never_shown,
    credentials_of_a_recording_are_stored_and_sent_but_never_shown,
    credentials_in_the_request_take_precedence_and_stored_ones_are_kept,
    variables_are_filled_in_and_not_stored,
    each_route_reads_its_format_only,
    a_refused_import_stores_nothing,
    an_older_version_with_credentials_is_not_shown_either,
    a_refresh_matches_requests_of_the_same_operation_by_name,
);

/// Part of every secret; base64 and percent-encoding change its characters, and the search covers these forms.
const SECRET: &str = "Qx7~pW?vImported/Secret+3>";

fn collection(url: &str, token: &str) -> Value {
    json!({
        "info": {"name": "Users", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": token}]},
        "item": [{"name": "Get user", "request": {"method": "GET", "url": url}}],
    })
}

fn recording(url: &str) -> Value {
    let request = json!({
        "method": "GET", "url": url, "httpVersion": "HTTP/1.1", "queryString": [], "cookies": [],
        "headers": [{"name": "X-Api-Key", "value": SECRET}, {"name": "Accept", "value": "application/json"}],
    });
    let response = json!({"status": 200, "content": {"mimeType": "application/json"}, "headers": [], "cookies": []});
    json!({"log": {"version": "1.2", "entries": [
        {"request": request, "response": response, "_resourceType": "fetch", "startedDateTime": "2026-01-01T00:00:00Z"},
    ]}})
}

async fn send(service: &ApiFixture, path: &str, arguments: Value) -> TestResponse {
    let reply = service.api.post(path).json(arguments).send().await;
    assert_eq!(find_secret(&reply.body, SECRET), None, "{reply:?}");
    reply
}

/// Previews and commits a document, calls its tool, and returns the request that the upstream received.
async fn import_and_call(
    service: &ApiFixture,
    format: &str,
    document: Value,
    upstream: &Upstream,
) -> toolgate_testkit::upstream::ReceivedRequest {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/tools/import-{format}");
    let preview = send(service, &path, json!({"content": document})).await.expect(200).json();
    assert_eq!((&preview["format"], &preview["totals"]["candidates"]), (&json!(format), &json!(1)), "{preview}");
    let commit = json!({"content": document, "commit": true, "selected_temp_ids": ["*"], "imported_status": "active"});
    let reply = send(service, &path, commit).await.expect(200).json();
    let tool = &reply["created"][0]["tool_id"];
    assert!(tool.is_i64(), "{reply}");
    assert_stored(service, server, &reply["document_id"], format).await;
    let test = service.api.post(&format!("/tools/{tool}/test")).query("debug", "1");
    let test = test.json(json!({"arguments": {}})).send().await.expect(200);
    assert_eq!(find_secret(&test.body, SECRET), None, "{test:?}");
    for path in [format!("/tools/{tool}"), format!("/servers/{server}/tools"), "/audit".to_owned()] {
        let reply = service.api.get(&path).send().await.expect(200);
        assert_eq!(find_secret(&reply.body, SECRET), None, "{path}");
    }
    upstream.last()
}

/// Asserts that the document and its credential are stored, and that neither shows a secret.
async fn assert_stored(service: &ApiFixture, server: i64, document: &Value, format: &str) {
    let path = format!("/documents/{document}");
    let stored = service.api.read(&path).await;
    assert_eq!((&stored["format"], &stored["tools_count"]), (&json!(format), &json!(1)));
    let refused = service.api.get(&format!("{path}/content")).send().await;
    assert_error(&refused, 403, "rest_document_has_credentials");
    service.api.patch(&path).json(json!({"name": "Renamed"})).send().await.expect(200);
    let credentials = service.api.read(&format!("/servers/{server}/credentials")).await;
    assert_eq!((&credentials[0]["has_credentials"], &credentials[0]["tools_count"]), (&json!(true), &json!(1)));
    for object in [stored, credentials] {
        assert_eq!(find_secret(object.to_string().as_bytes(), SECRET), None);
    }
}

/// Asserts that neither the files nor the database nor the log of the service contain the secret.
fn assert_no_secret_in_plain_text(service: &ApiFixture) {
    assert_eq!(find_secret_in_files(service.app.data_dir(), SECRET), []);
    assert_eq!(find_secret(service.app.logs().as_bytes(), SECRET), None);
    if let Some(database) = service.app.temporary_database() {
        assert_eq!(find_secret(database.dump().as_bytes(), SECRET), None);
    }
}

fn upstream() -> Upstream {
    Upstream::builder().route("/users", MockResponse::json(json!({"id": 1}))).start()
}

async fn credentials_of_a_collection_are_stored_and_sent_but_never_shown(service: &ApiFixture) {
    let upstream = upstream();
    let document = collection(&upstream.url("/users"), SECRET);
    let received = import_and_call(service, "postman", document, &upstream).await;
    assert_eq!(received.header("authorization"), Some(format!("Bearer {SECRET}").as_str()));
    assert_no_secret_in_plain_text(service);
}

async fn credentials_of_a_recording_are_stored_and_sent_but_never_shown(service: &ApiFixture) {
    let upstream = upstream();
    let received = import_and_call(service, "har", recording(&upstream.url("/users")), &upstream).await;
    assert_eq!(received.header("x-api-key"), Some(SECRET));
    assert_no_secret_in_plain_text(service);
}

async fn credentials_in_the_request_take_precedence_and_stored_ones_are_kept(service: &ApiFixture) {
    let upstream = upstream();
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/tools/import-postman");
    let document = |token: &str| collection(&upstream.url("/users"), token);
    let name = send(service, &path, json!({"content": document("a")})).await.expect(200).json();
    let name = name["security_schemes"][0]["name"].as_str().unwrap().to_owned();
    let sent_token = async |token: &str, extra: Value| {
        let mut arguments = json!({
            "content": document(token), "commit": true, "selected_temp_ids": ["*"], "on_conflict": "duplicate",
        });
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let reply = send(service, &path, arguments).await.expect(200).json();
        let test = service.api.post(&format!("/tools/{}/test", reply["created"][0]["tool_id"]));
        test.json(json!({"arguments": {}})).send().await.expect(200);
        let received = upstream.last();
        received.header("authorization").map(|value| value.trim_start_matches("Bearer ").to_owned())
    };
    let given = json!({"credentials": {&name: {"token": "given"}}});
    assert_eq!(sent_token("in-file", given).await.as_deref(), Some("given"));
    assert_eq!(sent_token("other-file", json!({})).await.as_deref(), Some("given"), "the stored value is kept");
    let given = json!({"credentials": {&name: {"token": "newer"}}});
    assert_eq!(sent_token("in-file", given).await.as_deref(), Some("newer"));
    let empty = json!({
        "content": document("in-file"), "commit": true, "selected_temp_ids": ["*"], "on_conflict": "duplicate",
        "credentials": {&name: {}},
    });
    send(service, &path, empty).await.expect(200);
    let credentials = service.api.read(&format!("/servers/{server}/credentials")).await;
    assert_eq!(credentials[0]["has_credentials"], false, "an empty object stores no values");
}

async fn variables_are_filled_in_and_not_stored(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/tools/import-postman");
    let document = collection("{{host}}/{{version}}/users", "{{token}}");
    let variables = json!({"host": "https://api.example.com", "version": 2, "token": SECRET});
    let commit = json!({"content": document, "variables": variables, "commit": true, "selected_temp_ids": ["*"]});
    let reply = send(service, &path, commit).await.expect(200).json();
    let tool = service.api.read(&format!("/tools/{}", reply["created"][0]["tool_id"])).await;
    assert_eq!(tool["endpoint_url"], "https://api.example.com/2/users", "{reply}");
    let stored = service.api.read(&format!("/documents/{}", reply["document_id"])).await;
    assert_eq!(stored["options"].get("variables"), None, "{stored}");
    assert_no_secret_in_plain_text(service);
    let without = send(service, &path, json!({"content": document})).await.expect(200).json();
    assert_eq!(without["problems"][0]["code"], "server_variable", "{without}");
    let bad = send(service, &path, json!({"content": document, "variables": {"host": []}})).await;
    assert_invalid_fields(&bad, &["variables"]);
    for base_url in ["https://user:pass@api.example.com", "https://api.example.com/?api_key=x"] {
        let with_secret = json!({"content": document, "base_url": base_url});
        assert_invalid_fields(&send(service, &path, with_secret).await, &["base_url"]);
    }
    let stored = format!("/documents/{}", reply["document_id"]);
    let url = json!({"url": "https://api.example.com/collection?access_token=x"});
    assert_invalid_fields(&service.api.patch(&stored).json(url.clone()).send().await, &["url"]);
    let mut commit = json!({"content": document, "commit": true, "selected_temp_ids": ["*"]});
    commit["url"] = url["url"].clone();
    assert_invalid_fields(&send(service, &path, commit).await, &["url"]);
}

async fn each_route_reads_its_format_only(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let openapi = json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}});
    let documents = [
        ("openapi", openapi),
        ("postman", collection("https://api.example.com/users", "t")),
        ("har", recording("https://api.example.com/users")),
    ];
    for (format, document) in &documents {
        for route in ["openapi", "postman", "har"] {
            for base in [format!("/servers/{server}/tools"), "/tools".to_owned()] {
                let reply = send(service, &format!("{base}/import-{route}"), json!({"content": document})).await;
                if route == "openapi" || route == *format {
                    assert_eq!(reply.expect(200).json()["format"], *format);
                } else {
                    assert_invalid_fields(&reply, &["content"]);
                    let other = if *format == "openapi" { String::new() } else { format!("import-{format}, or ") };
                    assert!(reply.text().contains(&format!("Use {other}import-openapi, which")), "{reply:?}");
                }
            }
        }
    }
    let scripts = json!([{"listen": "test", "script": {"exec": ["x"]}}]);
    let mut with_script = documents[1].1.clone();
    with_script["event"] = scripts;
    let reply = send(service, "/tools/import-postman", json!({"content": with_script})).await.expect(200).json();
    assert_eq!(reply["totals"]["left_out"]["collection_script"], 1, "{reply}");
}

async fn a_refused_import_stores_nothing(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let names: Vec<String> = (0..1000).map(|number| format!("t{number}")).collect();
    let tools: Vec<Value> =
        names.iter().map(|name| json!({"name": name, "endpoint_url": "https://api.example.com/"})).collect();
    let manifest = format!("/servers/{server}/tools/import-manifest");
    service.api.post(&manifest).json(json!({"tools": tools})).send().await.expect(200);
    let commit = json!({
        "content": collection("https://api.example.com/users", SECRET), "commit": true, "selected_temp_ids": ["*"],
    });
    let refused = send(service, &format!("/servers/{server}/tools/import-postman"), commit).await;
    assert_error(&refused, 409, "rest_too_many_tools");
    for list in ["credentials", "documents"] {
        assert_eq!(service.api.read(&format!("/servers/{server}/{list}")).await, json!([]), "{list}");
    }
}

async fn an_older_version_with_credentials_is_not_shown_either(service: &ApiFixture) {
    let url = "https://api.example.com/user";
    let api = json!({
        "openapi": "3.1.0", "servers": [{"url": "https://api.example.com"}], "paths": {"/user": {"get": {"responses": {}}}},
    });
    for older in [collection(url, SECRET), recording(url)] {
        let server = service.api.create_default_server().await;
        let path = format!("/servers/{server}/tools/import-openapi");
        let mut document = Value::Null;
        for content in [&older, &api] {
            let commit = json!({
                "content": content, "url": "https://docs.example.com/api", "commit": true, "selected_temp_ids": ["*"],
            });
            document = send(service, &path, commit).await.expect(200).json()["document_id"].clone();
        }
        let content = |revision: i64| {
            let request = service.api.get(&format!("/documents/{document}/content"));
            request.query("revision", revision.to_string()).send()
        };
        assert_error(&content(1).await, 403, "rest_document_has_credentials");
        assert_eq!(content(2).await.expect(200).json()["openapi"], "3.1.0");
    }
}

async fn a_refresh_matches_requests_of_the_same_operation_by_name(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let request = |name: &str, query: &str| {
        json!({"name": name, "request": {
            "method": "POST", "url": "https://api.example.com/graphql", "description": format!("Sends {query}."),
            "body": {"mode": "graphql", "graphql": {"query": query, "variables": ""}},
        }})
    };
    let collection = |items: Value| {
        json!({"info": {"name": "G", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "item": items})
    };
    let first = collection(json!([request("Get users", "{ users }"), request("Get orders", "{ orders }")]));
    let commit = json!({"content": first, "commit": true, "selected_temp_ids": ["*"]});
    let reply = send(service, &format!("/servers/{server}/tools/import-postman"), commit).await.expect(200).json();
    assert_eq!(column(&reply["created"], "name"), ["get_users", "get_orders"]);
    let second = collection(json!([
        request("Get users", "{ users }"),
        request("Get orders", "{ orders { id } }"),
        request("Get carts", "{ carts }"),
    ]));
    let path = format!("/documents/{}/refresh", reply["document_id"]);
    let reply = send(service, &path, json!({"content": second, "commit": true, "accept_breaking": true}))
        .await
        .expect(200)
        .json();
    assert_eq!((&reply["drift"]["unchanged"], &reply["drift"]["removed"]), (&json!(1), &json!([])), "{reply}");
    assert_eq!(column(&reply["updated"], "name"), ["get_orders"]);
    assert_eq!(column(&reply["created"], "name"), ["get_carts"]);
    let tools = service.api.read(&format!("/servers/{server}/tools")).await;
    let text = |name: &str| tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap().to_string();
    assert!(text("get_users").contains("{ users }") && text("get_orders").contains("{ orders { id } }"), "{tools}");
}
