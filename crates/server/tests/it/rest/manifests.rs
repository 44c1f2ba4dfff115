//! Export of tools as a manifest, and its import into another server.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_invalid, column};

on_both_databases!(
    an_exported_manifest_creates_equal_tools_in_another_server,
    a_manifest_has_no_ids_times_credentials_or_secret_headers,
    entries_with_faults_fail_alone_and_are_named,
    a_list_of_tools_and_other_formats_are_read,
    a_manifest_of_too_many_tools_is_refused,
);

async fn export(service: &ApiFixture, server: i64, body: Value) -> Value {
    service.api.post(&format!("/servers/{server}/tools/export")).json(body).send().await.expect(200).json()
}

async fn import(service: &ApiFixture, server: i64, body: Value) -> Value {
    service.api.post(&format!("/servers/{server}/tools/import-manifest")).json(body).send().await.expect(200).json()
}

/// A tool without the fields that an import sets.
fn comparable(tool: &Value) -> Value {
    let mut tool = tool.clone();
    for field in ["id", "server_id", "created_at", "updated_at"] {
        tool.as_object_mut().unwrap().remove(field);
    }
    tool
}

async fn an_exported_manifest_creates_equal_tools_in_another_server(service: &ApiFixture) {
    let (source, target) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let tool = json!({
        "name": "create_pet",
        "description": "Adds a pet.",
        "endpoint_url": "https://api.example.com/pets/{kind}",
        "http_method": "POST",
        "input_schema": {"type": "object", "properties": {"kind": {"type": "string"}, "n": {"maximum": 12_345.678}}},
        "parameter_mapping": {"n": {"location": "query", "name": "count"}},
        "headers": {"Accept": "application/json"},
        "body_type": "form",
        "timeout": 7,
        "retry_count": 2,
        "cache_ttl": 60,
        "annotations": {"title": "Create"},
        "output_schema": {"type": "object"},
    });
    let created = service.api.create_tool(source, tool).await;
    service.api.create_tool(source, json!({"name": "list_pets"})).await;
    service.api.post(&format!("/tools/{}/duplicate", id(&created))).send().await.expect(201);
    let mut manifest = export(service, source, json!({})).await;
    assert_eq!(manifest["format"], "toolgate/tools-v1");
    assert_eq!(manifest["server"]["name"], "Weather");
    assert_eq!(column(&manifest["tools"], "name"), ["create_pet", "list_pets", "create_pet (copy)"]);
    manifest["imported_status"] = "active".into();
    let reply = import(service, target, manifest.clone()).await;
    assert_eq!(column(&reply["created"], "name"), ["create_pet", "list_pets", "create_pet (copy)"]);
    assert_eq!((&reply["skipped"], &reply["failed"]), (&json!([]), &json!([])));
    let tools = |list: Value| -> Vec<Value> { list.as_array().unwrap().iter().map(comparable).collect() };
    let (mut old, mut new) = (
        tools(service.api.read(&format!("/servers/{source}/tools")).await),
        tools(service.api.read(&format!("/servers/{target}/tools")).await),
    );
    // The position of a copy is at least 99; an import numbers the tools from the end of the list.
    old.iter_mut().chain(&mut new).for_each(|tool| drop(tool.as_object_mut().unwrap().remove("sort_order")));
    assert_eq!(new, old);
    let again = import(service, target, manifest).await;
    assert_eq!((again["created"].as_array().unwrap().len(), again["skipped"].as_array().unwrap().len()), (0, 3));
    assert_eq!(again["skipped"][0]["reason"], "A tool of the server has this name.");
}

async fn a_manifest_has_no_ids_times_credentials_or_secret_headers(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let tool = json!({
        "auth_type": "bearer", "auth_credentials": {"token": "t0p-s3cret"},
        "headers": {"X-Api-Key": "k3y-s3cret", "Accept": "text/plain"},
    });
    let tool = service.api.create_tool(server, tool).await;
    service.api.create_tool(server, json!({"name": "other"})).await;
    let manifest = export(service, server, json!({"tool_ids": [id(&tool)]})).await;
    let text = manifest.to_string();
    assert!(!text.contains("s3cret") && !text.contains("****"), "{text}");
    assert_eq!(manifest["tools"].as_array().unwrap().len(), 1);
    let exported = &manifest["tools"][0];
    assert_eq!(exported["headers"], json!({"Accept": "text/plain"}));
    assert_eq!(exported["auth_type"], "bearer");
    for field in ["id", "server_id", "auth_credentials", "created_at", "updated_at", "sort_order"] {
        assert_eq!(exported.get(field), None, "{field}");
    }
    let foreign = service.api.create_default_server().await;
    let path = format!("/servers/{foreign}/tools/export");
    let refused = service.api.post(&path).json(json!({"tool_ids": [id(&tool)]})).send().await;
    assert_invalid(&refused, "tool_ids", "rest_invalid_param");
}

async fn entries_with_faults_fail_alone_and_are_named(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let url = "https://api.example.com/";
    let reply = import(
        service,
        server,
        json!({"tools": [
            {"name": "a", "endpoint_url": url},
            {"name": "b", "endpoint_url": url, "timeout": 900},
            {"name": "c"},
            7,
            {"name": "a", "endpoint_url": url},
        ], "on_conflict": "duplicate"}),
    )
    .await;
    assert_eq!(column(&reply["created"], "name"), ["a", "a_2"]);
    let failed = reply["failed"].as_array().unwrap();
    let failed: Vec<(&Value, &str)> =
        failed.iter().map(|tool| (&tool["index"], tool["error"].as_str().unwrap())).collect();
    assert_eq!(failed.len(), 3, "{failed:?}");
    assert!(failed[0].1.starts_with("tools[1][timeout] must be between 1"), "{failed:?}");
    assert_eq!(failed[1], (&json!(2), "tools[2][endpoint_url] is missing."));
    assert_eq!(failed[2].0, 3);
    let tools = service.api.read(&format!("/servers/{server}/tools")).await;
    assert_eq!(column(&tools, "status"), ["paused", "paused"]);
}

async fn a_list_of_tools_and_other_formats_are_read(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let tool = |name: &str| json!({"name": name, "endpoint_url": "https://api.example.com/", "status": "draft"});
    let path = format!("/servers/{server}/tools/import-getmcp");
    let list =
        service.api.post(&path).query("imported_status", "active").json(json!([tool("a")])).send().await.expect(200);
    assert_eq!(column(&list.json()["created"], "name"), ["a"]);
    let manifest = json!({"format": "getmcp/tools-v1", "tools": [tool("b")], "imported_status": "draft"});
    let reply = service.api.post(&path).json(manifest).send().await.expect(200).json();
    assert_eq!(column(&reply["created"], "name"), ["b"]);
    let tools = service.api.read(&format!("/servers/{server}/tools")).await;
    assert_eq!(column(&tools, "status"), ["active", "paused"]);
    let other = json!({"format": "other/v1", "tools": [tool("c")]});
    assert_invalid(&service.api.post(&path).json(other).send().await, "format", "rest_invalid_param");
    assert_error(&service.api.post(&path).json(json!({})).send().await, 400, "rest_missing_callback_param");
    assert_error(
        &service.api.post(&path).body("[1").header("content-type", "application/json").send().await,
        400,
        "rest_invalid_json",
    );
    let viewer = service.api.user_client("viewer", "viewer").await;
    assert_error(&viewer.post(&path).json(json!([tool("d")])).send().await, 403, "rest_forbidden");
    let foreign = service.api.user_client("owner", "owner").await;
    assert_error(&foreign.post(&path).json(json!([tool("d")])).send().await, 404, "rest_server_invalid_id");
}

async fn a_manifest_of_too_many_tools_is_refused(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    let tool = |number: usize| json!({"name": format!("t{number}"), "endpoint_url": "https://api.example.com/"});
    let tools: Vec<Value> = (0..1001).map(tool).collect();
    let path = format!("/servers/{server}/tools/import-manifest");
    assert_error(&service.api.post(&path).json(json!(tools)).send().await, 413, "rest_request_too_large");
    service.api.post(&path).json(json!(tools[..600])).send().await.expect(200);
    let refused = service.api.post(&path).query("on_conflict", "duplicate").json(json!(tools[..600])).send().await;
    assert_error(&refused, 409, "rest_too_many_tools");
    assert_eq!(service.api.read(&format!("/servers/{server}")).await["tool_count"], 600);
}
