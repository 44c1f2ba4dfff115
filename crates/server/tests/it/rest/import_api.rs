//! Import of OpenAPI documents: candidates, commit, sources and refusals.

use serde_json::{Value, json};
use toolgate_testkit::upstream::MockResponse;
use toolgate_testkit::{ApiFixture, TestResponse, Upstream};

use super::assertions::{assert_error, assert_invalid_fields, assert_missing, column};

on_both_databases!(
    a_document_is_read_as_candidates_and_nothing_is_created,
    selected_candidates_become_tools_of_a_stored_document,
    credentials_are_stored_once_and_named_by_the_tools,
    a_credential_is_not_attached_to_tools_of_another_api,
    unknown_ids_fail_and_a_changed_document_is_refused,
    documents_are_sent_as_text_file_body_or_part,
    several_files_are_one_document,
    a_document_is_fetched_with_its_headers,
    unreadable_documents_are_refused_with_the_reason,
    a_document_can_be_read_changed_and_deleted,
    viewers_and_other_users_cannot_import,
);

fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Petstore", "version": "1"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {
            "/pets": {
                "get": {"operationId": "listPets", "summary": "List pets", "tags": ["pet"], "responses": {}},
                "post": {"operationId": "createPet", "summary": "Create a pet", "responses": {}},
            },
            "/pets/{id}": {"get": {
                "operationId": "getPet", "summary": "Find a pet", "responses": {},
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
            }},
        },
    })
}

async fn send(service: &ApiFixture, server: i64, arguments: Value) -> TestResponse {
    service.api.post(&format!("/servers/{server}/tools/import-openapi")).json(arguments).send().await
}

async fn import(service: &ApiFixture, server: i64, arguments: Value) -> Value {
    send(service, server, arguments).await.expect(200).json()
}

async fn a_document_is_read_as_candidates_and_nothing_is_created(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    service.api.create_tool(server, json!({"name": "get_pet"})).await;
    let read = import(service, server, json!({"content": document()})).await;
    assert_eq!(
        (&read["format"], &read["info"]["title"], &read["totals"]["candidates"]),
        (&json!("openapi"), &json!("Petstore"), &json!(3))
    );
    assert_eq!(column(&read["candidates"], "name"), ["list_pets", "create_pet", "get_pet"]);
    assert_eq!(read["candidates"][0]["conflict"], Value::Null);
    assert!(read["candidates"][2]["conflict"].is_i64(), "{read}");
    let text = import(service, server, json!({"content": document().to_string(), "include_tags": ["pet"]})).await;
    assert_eq!(column(&text["candidates"], "name"), ["list_pets"]);
    assert_eq!(text["totals"]["filtered"], 2);
    let without_server = service.api.post("/tools/import-openapi").json(json!({"content": document()})).send().await;
    assert_eq!(without_server.expect(200).json()["totals"]["candidates"], 3);
    assert_eq!(service.api.read(&format!("/servers/{server}")).await["tool_count"], 1);
    assert_eq!(service.api.read(&format!("/servers/{server}/documents")).await, json!([]));
}

async fn selected_candidates_become_tools_of_a_stored_document(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let read = import(service, server, json!({"content": document()})).await;
    let chosen = [&read["candidates"][0]["temp_id"], &read["candidates"][2]["temp_id"]];
    let arguments = json!({
        "content": document(), "commit": true, "selected_temp_ids": chosen, "document_sha256": read["document_sha256"],
    });
    let reply = import(service, server, arguments.clone()).await;
    assert_eq!(column(&reply["created"], "name"), ["list_pets", "get_pet"]);
    assert_eq!(reply["created"][0]["temp_id"], *chosen[0]);
    let tool = service.api.read(&format!("/tools/{}", reply["created"][1]["tool_id"])).await;
    assert_eq!((&tool["status"], &tool["credential"]), (&json!("paused"), &json!("token")));
    assert_eq!(tool["endpoint_url"], "https://api.example.com/v1/pets/{id}");
    assert_eq!(
        (&tool["origin"]["operation"], &tool["origin"]["document_id"]),
        (&json!("GET /pets/{id}"), &reply["document_id"])
    );
    let again = import(service, server, arguments).await;
    assert_eq!((again["skipped"].as_array().unwrap().len(), &again["document_id"]), (2, &reply["document_id"]));
    let mut changed = document();
    changed["paths"]["/pets/{id}"]["get"]["summary"] = "Get one pet".into();
    changed["info"]["version"] = "2".into();
    let all = json!({"content": changed, "commit": true, "selected_temp_ids": ["*"], "on_conflict": "duplicate", "imported_status": "active"});
    let reply = import(service, server, all).await;
    assert_eq!(column(&reply["created"], "name"), ["list_pets_2", "create_pet", "get_pet_2"]);
    let documents = service.api.read(&format!("/servers/{server}/documents")).await;
    assert_eq!(documents.as_array().unwrap().len(), 2, "the second document has another digest and no URL");
}

async fn credentials_are_stored_once_and_named_by_the_tools(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let commit = json!({
        "content": document(), "commit": true, "selected_temp_ids": ["*"], "credentials": {"token": {"token": "t0p-s3cret"}},
    });
    let reply = send(service, server, commit).await.expect(200);
    assert_eq!(reply.json()["created"].as_array().unwrap().len(), 3, "{reply:?}");
    let credentials = service.api.read(&format!("/servers/{server}/credentials")).await;
    assert_eq!(column(&credentials, "name"), ["token"]);
    assert_eq!((&credentials[0]["has_credentials"], &credentials[0]["tools_count"]), (&json!(true), &json!(3)));
    assert!(!reply.text().contains("s3cret"));
    let bad = json!({
        "content": document(), "commit": true, "selected_temp_ids": ["*"], "credentials": {"token": {"tokn": "x"}},
    });
    assert_invalid_fields(&send(service, server, bad).await, &["credentials"]);
}

async fn a_credential_is_not_attached_to_tools_of_another_api(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let commit = |base_url: &str, credentials: Value| {
        json!({
            "content": document(), "base_url": base_url, "commit": true, "selected_temp_ids": ["*"],
            "credentials": credentials, "on_conflict": "duplicate",
        })
    };
    import(service, server, commit("https://a.example/v1", json!({"token": {"token": "t"}}))).await;
    import(service, server, commit("https://a.example/v2", json!({}))).await;
    let other = send(service, server, commit("https://b.example", json!({}))).await;
    assert_invalid_fields(&other, &["credentials"]);
    assert!(other.text().contains("https://a.example"), "{other:?}");
    let unknown = send(service, server, commit("https://a.example", json!({"tokn": {"token": "t"}}))).await;
    assert_invalid_fields(&unknown, &["credentials"]);
    assert!(unknown.text().contains("credentials[tokn] is not a security scheme"), "{unknown:?}");
    let credential = service.api.read(&format!("/servers/{server}/credentials")).await[0]["id"].clone();
    let renamed = service.api.patch(&format!("/servers/{server}/credentials/{credential}"));
    renamed.json(json!({"name": "a_token"})).send().await.expect(200);
    import(service, server, commit("https://b.example", json!({}))).await;
    let credentials = service.api.read(&format!("/servers/{server}/credentials")).await;
    assert_eq!((&credentials[0]["tools_count"], &credentials[1]["tools_count"]), (&json!(6), &json!(3)));
}

async fn unknown_ids_fail_and_a_changed_document_is_refused(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let commit = |extra: Value| {
        let mut arguments = json!({"content": document(), "commit": true});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        arguments
    };
    assert_missing(&send(service, server, commit(json!({}))).await, &["selected_temp_ids"]);
    let other = commit(json!({"selected_temp_ids": ["*"], "document_sha256": "0".repeat(64)}));
    assert_error(&send(service, server, other.clone()).await, 409, "rest_document_changed");
    assert_eq!(service.api.read(&format!("/servers/{server}/documents")).await, json!([]), "nothing is stored");
    let reply = import(service, server, commit(json!({"selected_temp_ids": ["op_0000000000"]}))).await;
    assert_eq!((&reply["created"], &reply["failed"][0]["temp_id"]), (&json!([]), &json!("op_0000000000")));
    assert_error(&send(service, server, other).await, 409, "rest_document_changed");
    let without_server = commit(json!({"selected_temp_ids": ["*"]}));
    assert_missing(
        &service.api.post("/tools/import-openapi").json(without_server.clone()).send().await,
        &["server_id"],
    );
    let mut with_server = without_server;
    with_server["server_id"] = server.into();
    let reply = service.api.post("/tools/import-openapi").json(with_server).send().await.expect(200).json();
    assert_eq!(reply["created"].as_array().unwrap().len(), 3);
}

async fn documents_are_sent_as_text_file_body_or_part(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/tools/import-openapi");
    let names = |reply: TestResponse| column(&reply.expect(200).json()["candidates"], "name").join(" ");
    let json = document().to_string();
    let raw = service.api.post(&path).header("content-type", "application/json").body(json.clone()).send().await;
    assert_eq!(names(raw), "list_pets create_pet get_pet");
    let yaml = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://a.example'}]\n\
                paths:\n  /pets:\n    get: {operationId: listPets, responses: {}}\n";
    let body = service.api.post(&path).header("content-type", "application/yaml").body(yaml).send().await;
    assert_eq!(names(body), "list_pets");
    let query =
        service.api.post(&path).query("search", "find").header("content-type", "application/vnd.oai.openapi+json");
    assert_eq!(names(query.body(json).send().await), "get_pet");
    let part = format!(
        "--X\r\nContent-Disposition: form-data; name=\"names\"\r\n\r\npath\r\n--X\r\n\
         Content-Disposition: form-data; name=\"file\"; filename=\"a.yaml\"\r\n\r\n{yaml}\r\n--X--\r\n"
    );
    let upload = service.api.post(&path).header("content-type", "multipart/form-data; boundary=X").body(part);
    assert_eq!(names(upload.send().await), "get_pets");
    let broken = service.api.post(&path).header("content-type", "multipart/form-data; boundary=X").body("--X\r\n");
    assert_error(&broken.send().await, 400, "rest_invalid_multipart");
}

async fn several_files_are_one_document(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/tools/import-openapi");
    let part = |name: &str, text: &str| {
        format!("--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let main = "openapi: 3.1.0\nservers: [{url: 'https://a.example'}]\npaths:\n  /pets: {$ref: paths/pets.yaml}\n";
    let pets = "post:\n  operationId: createPet\n  requestBody: {content: {application/json: {schema: {$ref: '../pet.json#/Pet'}}}}\n\
                get: {operationId: listPets, parameters: [{$ref: 'missing.yaml'}]}\n";
    let pet = r#"{"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}"#;
    let body =
        [part("api.yaml", main), part("paths/pets.yaml", pets), part("pet.json", pet), "--X--\r\n".to_owned()].concat();
    let send = |body: String| {
        let request = service.api.post(&path).query("commit", "true").query("selected_temp_ids", "*");
        request.header("content-type", "multipart/form-data; boundary=X").body(body).send()
    };
    let reply = send(body.clone()).await.expect(200).json();
    assert_eq!(column(&reply["created"], "name"), ["create_pet"]);
    let tool = service.api.read(&format!("/tools/{}", reply["created"][0]["tool_id"])).await;
    assert_eq!(tool["input_schema"]["properties"]["name"]["type"], "string");
    assert_eq!(send(body).await.expect(200).json()["document_id"], reply["document_id"]);

    let content = service.api.get(&format!("/documents/{}/content", reply["document_id"])).send().await.expect(200);
    assert_eq!(content.header("content-type"), Some("application/zip"));
    let archive = service.api.post(&path).header("content-type", "application/zip").body(content.body.clone());
    let read = archive.send().await.expect(200).json();
    assert_eq!(column(&read["candidates"], "name"), ["create_pet"]);
    assert_eq!(
        (&read["problems"][0]["code"], &read["problems"][0]["pointer"]),
        (&json!("ref_external"), &json!("#/x-toolgate-files/paths~1pets.yaml/get/parameters/0"))
    );
    let unnamed = send([part("api", main), part("pet.json", pet), "--X--\r\n".to_owned()].concat()).await;
    assert_invalid_fields(&unnamed, &["content"]);
}

async fn a_document_is_fetched_with_its_headers(service: &ApiFixture) {
    let upstream = Upstream::builder()
        .route("/openapi.json", MockResponse::json(document()))
        .route("/moved", MockResponse::status(302).header("location", "/openapi.json"))
        .route("/loop", MockResponse::status(302).header("location", "/loop"))
        .route("/missing", MockResponse::status(404))
        .route("/inside", MockResponse::status(302).header("location", "http://169.254.169.254/latest"))
        .route("/file", MockResponse::status(302).header("location", "file:///etc/passwd"))
        .start();
    let server = service.api.create_default_server().await;
    let arguments = |path: &str| json!({"url": upstream.url(path), "url_headers": {"X-Doc": "s3cret"}});
    let read = import(service, server, arguments("/moved")).await;
    assert_eq!((&read["totals"]["candidates"], &read["content"]), (&json!(3), &Value::Null));
    assert_eq!(upstream.last().header("x-doc"), Some("s3cret"));
    let mut with_content = arguments("/openapi.json");
    with_content["include_content"] = true.into();
    let read = import(service, server, with_content).await;
    let content: Value = serde_json::from_str(read["content"].as_str().unwrap()).unwrap();
    assert_eq!(content, document(), "the fetched document is part of the reply");
    for (path, reason) in [("/missing", "upstream_4xx"), ("/loop", "bad_response")] {
        let refused = send(service, server, arguments(path)).await;
        assert_invalid_fields(&refused, &["url"]);
        assert_eq!(refused.json()["data"]["reason"], reason);
    }
    assert_eq!(upstream.request_count_for("/loop"), 4, "three redirects are followed");
    for path in ["/inside", "/file"] {
        let started = std::time::Instant::now();
        assert_invalid_fields(&send(service, server, arguments(path)).await, &["url"]);
        assert!(started.elapsed().as_secs() < 5, "{path} is refused before a connection is opened");
    }
    let mut commit = arguments("/openapi.json");
    commit
        .as_object_mut()
        .unwrap()
        .extend(json!({"commit": true, "selected_temp_ids": ["*"]}).as_object().unwrap().clone());
    let reply = import(service, server, commit).await;
    let document = service.api.read(&format!("/documents/{}", reply["document_id"])).await;
    assert_eq!(
        (&document["url"], &document["url_headers"]["X-Doc"]),
        (&json!(upstream.url("/openapi.json")), &json!("********"))
    );
    for bad in ["ftp://a.example/x", "not a url", "http://169.254.169.254/x"] {
        assert_invalid_fields(&send(service, server, json!({"url": bad})).await, &["url"]);
    }
}

async fn unreadable_documents_are_refused_with_the_reason(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let missing = send(service, server, json!({})).await;
    assert_error(&missing, 400, "rest_missing_callback_param");
    assert_eq!(missing.json()["data"]["params"], json!(["content"]));
    assert!(missing.text().contains("application/yaml, text/yaml"), "{missing:?}");
    assert_missing(&send(service, server, json!({"source": "url"})).await, &["url"]);
    for bad in ["{", "hello", "a: [", r#"{"openapi":"3.1.0"}"#] {
        let reply = send(service, server, json!({"content": bad})).await;
        assert_invalid_fields(&reply, &["content"]);
    }
    let swagger =
        service.api.post(&format!("/servers/{server}/tools/import-swagger")).json(json!({"content": document()}));
    assert_invalid_fields(&swagger.send().await, &["content"]);
    let overlay = json!({"content": document(), "overlay": {"GET /pets": {"nam": "x"}}});
    assert_invalid_fields(&send(service, server, overlay).await, &["overlay"]);
    let large = format!("\"{}\"", "x".repeat(10 * 1024 * 1024 + 1));
    let path = format!("/servers/{server}/tools/import-openapi");
    let reply = service.api.post(&path).header("content-type", "application/yaml").body(large).send().await;
    assert_error(&reply, 413, "rest_request_too_large");
    let other_route = service.api.post("/servers").json(json!({"name": "x".repeat(3 * 1024 * 1024)})).send().await;
    assert_error(&other_route, 413, "rest_request_too_large");
}

async fn a_document_can_be_read_changed_and_deleted(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let sent = document().to_string();
    let reply = import(service, server, json!({"content": sent, "commit": true, "selected_temp_ids": ["*"]})).await;
    let path = format!("/documents/{}", reply["document_id"]);
    let stored = service.api.read(&path).await;
    assert_eq!(
        (&stored["name"], &stored["revision"], &stored["tools_count"]),
        (&json!("Petstore"), &json!(1), &json!(3))
    );
    assert_eq!(stored["names"]["GET /pets/{id}"], "get_pet");
    let content = service.api.get(&format!("{path}/content")).send().await.expect(200);
    assert_eq!((content.text(), content.header("content-type")), (sent, Some("application/json")));
    let overlay = json!({"GET /pets": {"timeout": 5}});
    let body = json!({"name": "Pets", "overlay": overlay, "credentials": {"token": {"token": "t"}}});
    let changed = service.api.patch(&path).json(body).send().await.expect(200).json();
    assert_eq!((&changed["name"], &changed["overlay"]), (&json!("Pets"), &overlay));
    assert_eq!(service.api.read(&format!("/servers/{server}/credentials")).await[0]["has_credentials"], true);
    for bad in [json!({"overlay": {"GET /a": 1}}), json!({"url": "ftp://x"}), json!({"credentials": {"none": {}}})] {
        let field = bad.as_object().unwrap().keys().next().unwrap().clone();
        assert_invalid_fields(&service.api.patch(&path).json(bad).send().await, &[&field]);
    }
    service.api.delete(&format!("{path}?tools=delete")).send().await.expect(200);
    assert_error(&service.api.get(&path).send().await, 404, "rest_document_invalid_id");
    assert_eq!(service.api.read(&format!("/servers/{server}")).await["tool_count"], 0);
}

async fn viewers_and_other_users_cannot_import(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let path = format!("/servers/{server}/tools/import-openapi");
    let viewer = service.api.user_client("viewer", "viewer").await;
    assert_error(&viewer.post(&path).json(json!({"content": document()})).send().await, 403, "rest_forbidden");
    let other = service.api.user_client("other", "owner").await;
    assert_error(&other.post(&path).json(json!({"content": document()})).send().await, 404, "rest_server_invalid_id");
    let reply =
        import(service, server, json!({"content": document(), "commit": true, "selected_temp_ids": ["*"]})).await;
    let document = format!("/documents/{}", reply["document_id"]);
    assert_error(&other.get(&document).send().await, 404, "rest_document_invalid_id");
    assert_error(&other.get(&format!("{document}/content")).send().await, 404, "rest_document_invalid_id");
    assert_error(&other.delete(&document).send().await, 404, "rest_document_invalid_id");
}
