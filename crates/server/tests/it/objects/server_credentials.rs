//! Credentials of servers over the API: fields, rules, deletion, and the tools that use them.

use serde_json::{Value, json};
use toolgate_testkit::objects::id;
use toolgate_testkit::{ApiFixture, TestResponse};

use super::fixtures::{assert_deletes, assert_error, assert_missing, assert_refused, assert_timestamp};

on_both_databases![
    a_credential_has_the_documented_fields_and_can_be_sent_back,
    invalid_fields_of_a_credential_are_named,
    names_conflict_without_regard_to_case,
    tools_refer_to_a_credential_by_its_name,
    a_tool_with_a_shared_credential_refuses_its_own_credentials,
    a_credential_in_use_is_deleted_only_by_force,
    changes_of_credentials_are_audited_without_values,
];

/// Creates a server, and returns the path of its credentials and of its tools.
async fn create_server(service: &ApiFixture) -> (String, String) {
    let server = service.api.create_default_server().await;
    (format!("/servers/{server}/credentials"), format!("/servers/{server}/tools"))
}

fn bearer(name: &str) -> Value {
    json!({"name": name, "auth_type": "bearer", "auth_credentials": {"token": "tok-4711"}})
}

fn tool(name: &str, credential: &str) -> Value {
    json!({"name": name, "endpoint_url": "https://a.example/x", "credential": credential})
}

#[track_caller]
fn refused_params(reply: &TestResponse) -> Vec<String> {
    assert_eq!(reply.status, 400, "{reply:?}");
    reply.json()["data"]["params"].as_object().unwrap().keys().cloned().collect()
}

async fn a_credential_has_the_documented_fields_and_can_be_sent_back(service: &ApiFixture) {
    let (path, _) = create_server(service).await;
    let reply = service.api.post(&path).json(bearer("Main")).send().await.expect(201);
    let created = reply.json();
    let one = format!("{path}/{}", id(&created));
    assert_eq!(reply.header("location"), Some(format!("{}{one}", service.app.api_base()).as_str()));
    let fields: Vec<&String> = created.as_object().unwrap().keys().collect();
    let expected = "id server_id name auth_type auth_credentials has_credentials tools_count created_at updated_at";
    assert_eq!(fields, expected.split(' ').collect::<Vec<_>>());
    assert_eq!((&created["has_credentials"], &created["tools_count"]), (&json!(true), &json!(0)));
    assert_timestamp(&created["created_at"]);
    assert_eq!(service.api.read(&path).await, json!([created]));
    let sent_back = service.api.put(&format!("{one}?strict=1")).json(created.clone()).send().await.expect(200).json();
    assert_eq!((&sent_back["has_credentials"], &sent_back["name"]), (&json!(true), &json!("Main")));
    let other_type = json!({"auth_type": "api_key"});
    let changed = service.api.patch(&one).json(other_type).send().await.expect(200).json();
    assert_eq!((&changed["has_credentials"], &changed["auth_type"]), (&json!(false), &json!("api-key")));
    let second = service.api.create(&path, json!({"name": "second", "auth_type": "oauth2"})).await;
    assert_eq!(second["has_credentials"], false);
    let page = service.api.get(&format!("{path}?per_page=1&page=2")).send().await.expect(200);
    assert_eq!((page.header("x-wp-total"), &page.json()[0]), (Some("2"), &second));
    assert_deletes(&service.api, &one, None, "rest_credential_invalid_id").await;
}

async fn invalid_fields_of_a_credential_are_named(service: &ApiFixture) {
    let (path, _) = create_server(service).await;
    assert_missing(&service.api.post(&path).json(json!({})).send().await, &["name", "auth_type"]);
    for (change, field) in [
        (json!({"name": ""}), "name"),
        (json!({"name": "a b"}), "name"),
        (json!({"name": "x".repeat(65)}), "name"),
        (json!({"auth_type": "none"}), "auth_type"),
        (json!({"auth_type": "digest"}), "auth_type"),
        (json!({"auth_credentials": {"password": "p"}}), "auth_credentials"),
        (json!({"auth_credentials": {"token": "t", "keys": []}}), "auth_credentials"),
        (
            json!({"auth_type": "oauth2", "auth_credentials":
            {"token_url": "http://169.254.169.254/", "client_id": "c", "client_secret": "s"}}),
            "auth_credentials",
        ),
    ] {
        let mut body = bearer("fine");
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        assert_refused(&service.api.post(&path).json(body).send().await, field);
    }
    assert_eq!(service.api.read(&path).await, json!([]));
}

async fn names_conflict_without_regard_to_case(service: &ApiFixture) {
    let (path, _) = create_server(service).await;
    service.api.create(&path, bearer("Main")).await;
    let second = format!("{path}/{}", id(&service.api.create(&path, bearer("second")).await));
    assert_error(&service.api.post(&path).json(bearer("MAIN")).send().await, 409, "rest_credential_exists");
    let renamed = service.api.patch(&second).json(json!({"name": "main"})).send().await;
    assert_error(&renamed, 409, "rest_credential_exists");
}

async fn tools_refer_to_a_credential_by_its_name(service: &ApiFixture) {
    let (path, tools) = create_server(service).await;
    let one = format!("{path}/{}", id(&service.api.create(&path, bearer("Main")).await));
    let created = service.api.create(&tools, tool("t", "main")).await;
    assert_eq!((&created["credential"], &created["auth_type"]), (&json!("Main"), &json!("bearer")));
    let tool_path = format!("/tools/{}", id(&created));
    service.api.patch(&one).json(json!({"name": "renamed"})).send().await.expect(200);
    let mut read = service.api.read(&tool_path).await;
    assert_eq!(read["credential"], "renamed");
    assert_eq!(service.api.read(&one).await["tools_count"], 1);
    read["timeout"] = json!(9);
    let sent_back = service.api.put(&format!("{tool_path}?strict=1")).json(read).send().await.expect(200).json();
    assert_eq!((&sent_back["credential"], &sent_back["timeout"]), (&json!("renamed"), &json!(9)));
    let copy = service.api.post(&format!("{tool_path}/duplicate")).send().await.expect(201).json();
    assert_eq!(service.api.read(&format!("/tools/{}", id(&copy))).await["credential"], "renamed");
    let other_type = service.api.patch(&one).json(json!({"auth_type": "basic"})).send().await.expect(200).json();
    assert_eq!(other_type["tools_count"], 2);
    assert_eq!(service.api.read(&tool_path).await["auth_type"], "basic");
    let (_, other_tools) = create_server(service).await;
    let foreign = service.api.post(&other_tools).json(tool("t", "renamed")).send().await;
    assert_refused(&foreign, "credential");
    let detached = service.api.patch(&tool_path).json(json!({"credential": null})).send().await.expect(200).json();
    assert_eq!((&detached["credential"], &detached["auth_type"]), (&Value::Null, &json!("basic")));
}

async fn a_tool_with_a_shared_credential_refuses_its_own_credentials(service: &ApiFixture) {
    let (path, tools) = create_server(service).await;
    service.api.create(&path, bearer("c")).await;
    let own = json!({"auth_type": "bearer", "auth_credentials": {"token": "own"}});
    let mut both = tool("both", "c");
    both.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    let reply = service.api.post(&tools).json(both).send().await;
    assert_eq!(refused_params(&reply), ["auth_credentials", "credential"]);
    let attached = service.api.create(&tools, tool("t", "c")).await;
    let tool_path = format!("/tools/{}", id(&attached));
    let reply = service.api.patch(&tool_path).json(own.clone()).send().await;
    assert_eq!(refused_params(&reply), ["auth_credentials", "credential"]);
    for auth_type in ["none", "basic"] {
        let reply = service.api.patch(&tool_path).json(json!({"auth_type": auth_type})).send().await;
        assert_refused(&reply, "auth_type");
    }
    assert_refused(&service.api.patch(&tool_path).json(json!({"credential": "x"})).send().await, "credential");
    let mut detach = own;
    detach["credential"] = Value::Null;
    let reply = service.api.patch(&tool_path).json(detach).send().await.expect(200).json();
    assert_eq!(reply["credential"], Value::Null);
}

async fn a_credential_in_use_is_deleted_only_by_force(service: &ApiFixture) {
    let (path, tools) = create_server(service).await;
    let one = format!("{path}/{}", id(&service.api.create(&path, bearer("c")).await));
    let tool_path = format!("/tools/{}", id(&service.api.create(&tools, tool("t", "c")).await));
    service.api.create(&tools, tool("u", "c")).await;
    let refused = service.api.delete(&one).send().await;
    assert_error(&refused, 409, "rest_credential_in_use");
    assert!(refused.json()["message"].as_str().unwrap().starts_with("2 tools use"), "{refused:?}");
    assert_eq!(refused.json()["data"]["tools_count"], 2);
    let deleted = service.api.delete(&format!("{one}?force=true")).send().await.expect(200).json();
    assert_eq!(deleted["previous"]["tools_count"], 2);
    let left = service.api.read(&tool_path).await;
    assert_eq!((&left["credential"], &left["auth_type"]), (&Value::Null, &json!("bearer")));
    let tested = service.api.post(&format!("{tool_path}/test")).json(json!({})).send().await.expect(200).json();
    assert_eq!((&tested["success"], &tested["reason"]), (&json!(false), &json!("bad_credential")));
}

async fn changes_of_credentials_are_audited_without_values(service: &ApiFixture) {
    let (path, _) = create_server(service).await;
    let one = format!("{path}/{}", id(&service.api.create(&path, bearer("c")).await));
    service.api.patch(&one).json(json!({"auth_credentials": {"token": "tok-4712"}})).send().await.expect(200);
    service.api.delete(&one).send().await.expect(200);
    let entries = service.api.get("/audit?object_kind=credential").send().await.expect(200);
    let rows: Vec<Value> = entries
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["action"], row["object_name"], row["fields"]]))
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            ["delete", "c", []],
            ["update", "c", ["auth_credentials"]],
            ["create", "c", ["name", "auth_type", "auth_credentials"]],
        ])
    );
    assert!(!entries.text().contains("tok-47"), "{entries:?}");
}
