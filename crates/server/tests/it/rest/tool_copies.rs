//! Duplicating a tool.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_invalid, assert_timestamp, column, keys};

on_both_databases!(
    a_copy_shows_exactly_fourteen_fields,
    a_copy_has_every_field_of_the_original,
    the_suffix_copy_is_appended_until_the_name_is_unused,
    a_copy_goes_to_the_end,
    a_copy_can_be_renamed_only_to_a_valid_name,
);

async fn duplicate(service: &ApiFixture, tool_id: i64) -> Value {
    service.api.post(&format!("/tools/{tool_id}/duplicate")).send().await.expect(201).json()
}

async fn a_copy_shows_exactly_fourteen_fields(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool = service.api.create_tool(server_id, json!({})).await;
    // A body is ignored.
    let request = service.api.post(&format!("/tools/{}/duplicate", id(&tool))).json(json!({"name": "other"}));
    let reply = request.send().await.expect(201);
    let copy = reply.json();
    let fields = [
        "id",
        "server_id",
        "name",
        "description",
        "endpoint_url",
        "http_method",
        "auth_type",
        "auth_credentials",
        "cache_ttl",
        "timeout",
        "sort_order",
        "status",
        "created_at",
        "updated_at",
    ];
    assert_eq!(keys(&copy), fields);
    let location = format!("{}/tools/{}", service.app.api_base(), copy["id"]);
    assert_eq!(reply.header("location"), Some(location.as_str()));
    assert_eq!((&copy["name"], &copy["sort_order"]), (&json!("get_weather (copy)"), &json!(99)));
    assert_eq!((&copy["status"], &copy["auth_credentials"]), (&json!("active"), &Value::Null));
    assert_eq!((&copy["server_id"], &copy["created_at"]), (&json!(server_id), &copy["updated_at"]));
    assert_ne!(copy["id"], tool["id"]);
    assert_timestamp(&copy["created_at"]);
    let full_copy = service.api.read(&location).await;
    for field in fields {
        assert_eq!(full_copy[field], copy[field], "{field}");
    }
}

async fn a_copy_has_every_field_of_the_original(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool = json!({
        "description": "d", "endpoint_url": "https://a.example/{x}?y=1", "http_method": "POST", "auth_type": "bearer",
        "auth_credentials": {"token": "t"}, "input_schema": {"type": "object", "properties": {"x": {"type": "string"}}},
        "parameter_mapping": {"x": {"location": "path"}}, "headers": {"X-Api-Key": "secret", "Accept": "a/b"},
        "cache_ttl": 300, "timeout": 5, "retry_count": 1, "body_type": "raw", "body_required": false, "status": "paused",
        "output_schema": {"type": "object"}, "annotations": {"title": "T"}, "tags": ["t"],
    });
    let tool = service.api.create_tool(server_id, tool).await;
    let copy = duplicate(service, id(&tool)).await;
    assert_eq!(copy["status"], "paused");
    let mut expected = tool.clone();
    for field in ["id", "name", "sort_order", "created_at", "updated_at"] {
        expected[field] = copy[field].clone();
    }
    assert_eq!(service.api.read(&format!("/tools/{}", id(&copy))).await, expected);
    assert_eq!(service.api.read(&format!("/tools/{}", id(&tool))).await, tool, "the original is unchanged");
}

async fn the_suffix_copy_is_appended_until_the_name_is_unused(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool_id = id(&service.api.create_tool(server_id, json!({"name": "x"})).await);
    let first = duplicate(service, tool_id).await;
    assert_eq!(first["name"], "x (copy)");
    assert_eq!(duplicate(service, tool_id).await["name"], "x (copy) (copy)");
    assert_eq!(duplicate(service, id(&first)).await["name"], "x (copy) (copy) (copy)");
    service.api.delete(&format!("/tools/{}", id(&first))).send().await.expect(200);
    assert_eq!(duplicate(service, tool_id).await["name"], "x (copy)", "the name is free again");
    let longest = "y".repeat(128);
    let long = service.api.create_tool(server_id, json!({"name": longest})).await;
    assert_eq!(duplicate(service, id(&long)).await["name"], format!("{longest} (copy)"));
}

async fn a_copy_goes_to_the_end(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let ids = service.api.create_tools(server_id, &["a", "b"]).await;
    // The sort order of a copy is one more than the highest one, but at least 99.
    assert_eq!(duplicate(service, ids[0]).await["sort_order"], 99);
    assert_eq!(duplicate(service, ids[1]).await["sort_order"], 100);
    assert_eq!(service.api.create_tool(server_id, json!({"name": "c"})).await["sort_order"], 101);
    let list = service.api.read(&format!("/servers/{server_id}/tools")).await;
    assert_eq!(column(&list, "name"), ["a", "b", "a (copy)", "b (copy)", "c"]);
}

async fn a_copy_can_be_renamed_only_to_a_valid_name(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let tool_id = id(&service.api.create_tool(server_id, json!({"name": "x"})).await);
    let copy = format!("/tools/{}", id(&duplicate(service, tool_id).await));
    let rename = async |name: &str| service.api.patch(&copy).json(json!({"name": name})).send().await;
    assert_eq!(rename("x (copy)").await.expect(200).json()["name"], "x (copy)");
    assert_invalid(&rename("y (copy)").await, "name", "rest_invalid_pattern");
    assert_eq!(rename("y").await.expect(200).json()["name"], "y");
    assert_invalid(&rename("x (copy)").await, "name", "rest_invalid_pattern");
}
