//! Tools: creating, reading, changing, toggling, deleting.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_timestamp, keys};

on_both_databases!(
    a_tool_has_exactly_the_documented_fields,
    a_tool_gets_its_defaults,
    a_tool_can_be_created_with_every_field,
    at_most_twenty_tools_of_a_server_are_pinned,
    an_update_changes_only_the_sent_fields,
    a_tool_written_back_as_read_stays_the_same,
    names_are_unique_within_a_server,
    toggling_a_tool_pauses_and_activates_it,
    deleting_a_tool_returns_it,
);

/// The documented fields of a tool, in order.
const FIELDS: [&str; 29] = [
    "id",
    "server_id",
    "name",
    "description",
    "endpoint_url",
    "http_method",
    "input_schema",
    "auth_type",
    "auth_credentials",
    "credential",
    "parameter_mapping",
    "headers",
    "body_type",
    "body_required",
    "cache_ttl",
    "timeout",
    "retry_count",
    "response_type",
    "output_schema",
    "required_client_capabilities",
    "annotations",
    "shaping",
    "pinned",
    "tags",
    "origin",
    "sort_order",
    "status",
    "created_at",
    "updated_at",
];

async fn a_tool_has_exactly_the_documented_fields(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let created = service.api.create_tool(server_id, json!({})).await;
    let path = format!("/tools/{}", id(&created));
    let read = service.api.read(&path).await;
    let listed = service.api.read(&format!("/servers/{server_id}/tools")).await;
    let changed = service.api.patch(&path).json(json!({"timeout": 5})).send().await.expect(200).json();
    let toggled = service.api.post(&format!("{path}/toggle")).send().await.expect(200).json();
    let deleted = service.api.delete(&path).send().await.expect(200).json();
    for tool in [&created, &read, &listed[0], &changed, &toggled, &deleted["previous"]] {
        assert_eq!(keys(tool), FIELDS);
        assert_eq!(tool["auth_credentials"], Value::Null);
        for field in ["id", "server_id", "cache_ttl", "timeout", "sort_order", "retry_count"] {
            assert!(tool[field].is_i64(), "{field}");
        }
        for field in ["input_schema", "parameter_mapping", "headers"] {
            assert!(tool[field].is_object(), "{field}");
        }
        assert_timestamp(&tool["created_at"]);
        assert_timestamp(&tool["updated_at"]);
    }
    assert_eq!((&read, &listed[0]), (&created, &created));
}

async fn a_tool_gets_its_defaults(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let body = json!({"name": "get_weather", "endpoint_url": "https://api.example.com/weather"});
    let reply = service.api.post(&format!("/servers/{server_id}/tools")).json(body).send().await.expect(201);
    let tool = reply.json();
    let location = format!("{}/tools/{}", service.app.api_base(), tool["id"]);
    assert_eq!(reply.header("location"), Some(location.as_str()));
    let expected = json!({
        "server_id": server_id, "name": "get_weather", "description": "",
        "endpoint_url": "https://api.example.com/weather", "http_method": "GET",
        "input_schema": {"type": "object", "properties": {}, "required": []},
        "auth_type": "none", "auth_credentials": null, "parameter_mapping": {}, "headers": {}, "body_type": "json",
        "body_required": true, "cache_ttl": 0, "timeout": 30, "retry_count": 0, "response_type": "text", "output_schema": null,
        "required_client_capabilities": null, "annotations": null, "shaping": null, "pinned": false, "tags": [], "origin": null, "sort_order": 0, "status": "active",
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&tool[field], value, "{field}");
    }
    assert_eq!(tool["created_at"], tool["updated_at"]);
}

fn all_fields() -> Value {
    json!({
        "name": "update_user", "description": "Changes a user.\nReally.",
        "endpoint_url": "https://api.example.com/users/{user_id}?v=2", "http_method": "PUT",
        "input_schema": {"type": "object", "properties": {
            "user_id": {"type": "integer", "description": "Which"},
            "mail": {"type": "string", "format": "email", "default": "a@example.com"},
            "kind": {"type": "string", "enum": ["a", "b"]}}, "required": ["user_id"]},
        "auth_type": "bearer",
        "parameter_mapping": {"user_id": {"location": "path"}, "mail": {"location": "body", "name": "email"},
            "kind": {"location": "headers", "name": "X-Kind"}},
        "headers": {"Accept": "application/json"}, "body_type": "form", "body_required": false, "cache_ttl": 300, "timeout": 60,
        "retry_count": 2, "response_type": "mcp", "output_schema": {"type": "object"},
        "required_client_capabilities": {"sampling": {}}, "annotations": {"readOnlyHint": false},
        "shaping": {"max_tokens": 4000, "omit": ["*_url"]}, "pinned": true, "tags": ["users", "two words"], "sort_order": 7, "status": "paused",
    })
}

async fn at_most_twenty_tools_of_a_server_are_pinned(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let pinned = |number: usize| json!({"name": format!("t{number}"), "endpoint_url": "https://api.example.com/", "pinned": true});
    for number in 0..20 {
        service.api.create_tool(server_id, pinned(number)).await;
    }
    let path = format!("/servers/{server_id}/tools");
    let refused = service.api.post(&path).json(pinned(20)).send().await.expect(400).json();
    assert!(refused["data"]["params"]["pinned"].as_str().unwrap().contains("unpin one first"), "{refused}");
    let other = service.api.create_tool(server_id, json!({"name": "other"})).await;
    let other_path = format!("/tools/{}", id(&other));
    service.api.patch(&other_path).json(json!({"pinned": true})).send().await.expect(400);
    assert_eq!(service.api.read(&other_path).await["pinned"], false);
    let first = service.api.read(&path).await[0].clone();
    let copy = service.api.post(&format!("/tools/{}/duplicate", id(&first))).send().await.expect(201).json();
    assert_eq!(service.api.read(&format!("/tools/{}", id(&copy))).await["pinned"], false);
    service.api.patch(&format!("/tools/{}", id(&first))).json(json!({"pinned": false})).send().await.expect(200);
    service.api.patch(&other_path).json(json!({"pinned": true})).send().await.expect(200);
}

async fn a_tool_can_be_created_with_every_field(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool = service.api.create_tool(server_id, all_fields()).await;
    for (field, value) in all_fields().as_object().unwrap() {
        assert_eq!(&tool[field], value, "{field}");
    }
    assert_eq!(service.api.read(&format!("/tools/{}", id(&tool))).await, tool);
}

async fn an_update_changes_only_the_sent_fields(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let mut tool = service.api.create_tool(server_id, json!({})).await;
    let path = format!("/tools/{}", id(&tool));
    for (number, (field, value)) in all_fields().as_object().unwrap().iter().enumerate() {
        let method = ["POST", "PUT", "PATCH"][number % 3].parse().unwrap();
        let changed = service.api.request(method, &path).json(json!({field: value})).send().await.expect(200).json();
        assert_eq!(&changed[field], value, "{field}");
        tool[field] = value.clone();
        tool["updated_at"] = changed["updated_at"].clone();
        assert_eq!(changed, tool, "an update of {field} changes nothing else");
    }
    assert_eq!(service.api.read(&path).await, tool);
    for field in ["output_schema", "required_client_capabilities", "annotations"] {
        let cleared = service.api.patch(&path).json(json!({field: null})).send().await.expect(200).json();
        assert_eq!(cleared[field], Value::Null, "{field}");
    }
}

async fn a_tool_written_back_as_read_stays_the_same(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let mut original = all_fields();
    original["headers"] = json!({"Accept": "a/b", "X-Api-Key": "secret"});
    let tool = service.api.create_tool(server_id, original).await;
    let copy = service.api.post(&format!("/tools/{}/duplicate", id(&tool))).send().await.expect(201).json();
    // The name of a copy is not valid for a new tool, but it is the stored name and stays valid.
    for tool_id in [id(&tool), id(&copy)] {
        let path = format!("/tools/{tool_id}");
        let read = service.api.read(&path).await;
        let mut written = service.api.put(&path).json(read.clone()).send().await.expect(200).json();
        written["updated_at"] = read["updated_at"].clone();
        assert_eq!(written, read);
    }
}

async fn names_are_unique_within_a_server(service: &ApiFixture) {
    let (first, second) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let ids = service.api.create_tools(first, &["a", "b", "A"]).await;
    service.api.create_tool(second, json!({"name": "a"})).await;
    let body = json!({"name": "a", "endpoint_url": "https://a.example"});
    let again = service.api.post(&format!("/servers/{first}/tools")).json(body).send().await;
    assert_error(&again, 409, "rest_tool_exists");
    let renamed =
        service.api.patch(&format!("/tools/{}", ids[1])).json(json!({"name": "a", "timeout": 9})).send().await;
    assert_error(&renamed, 409, "rest_tool_exists");
    assert_eq!(
        service.api.read(&format!("/tools/{}", ids[1])).await["timeout"],
        30,
        "the refused update changed nothing"
    );
    service.api.patch(&format!("/tools/{}", ids[0])).json(json!({"name": "a"})).send().await.expect(200);
    service.api.delete(&format!("/tools/{}", ids[0])).send().await.expect(200);
    service.api.patch(&format!("/tools/{}", ids[1])).json(json!({"name": "a"})).send().await.expect(200);
}

async fn toggling_a_tool_pauses_and_activates_it(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool = service.api.create_tool(server_id, json!({})).await;
    let path = format!("/tools/{}", id(&tool));
    for status in ["paused", "active", "paused"] {
        let toggled = service.api.post(&format!("{path}/toggle")).send().await.expect(200).json();
        assert_eq!(toggled["status"], status);
        assert_eq!(service.api.read(&path).await, toggled);
    }
    let activated = service.api.patch(&path).json(json!({"status": "active"})).send().await.expect(200).json();
    assert_eq!(activated["status"], "active");
}

async fn deleting_a_tool_returns_it(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    for query in ["", "?force=true", "?force=false"] {
        let tool = service.api.create_tool(server_id, json!({})).await;
        let path = format!("/tools/{}", id(&tool));
        let deleted = service.api.delete(&format!("{path}{query}")).send().await.expect(200).json();
        assert_eq!(deleted, json!({"deleted": true, "previous": tool}));
        assert_error(&service.api.get(&path).send().await, 404, "rest_tool_invalid_id");
    }
}
