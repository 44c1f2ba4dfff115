//! Servers: creating, reading, changing, deleting.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{assert_error, assert_timestamp, ids_of, keys};

on_both_databases!(
    a_server_has_exactly_the_documented_fields,
    a_server_gets_its_defaults,
    a_server_can_be_created_with_every_field,
    a_created_server_is_at_its_location,
    an_update_changes_every_field_and_updated_at,
    an_empty_update_is_accepted,
    tool_count_counts_tools_of_any_status,
    deleting_returns_the_server_with_and_without_force,
    deleting_a_server_deletes_its_objects,
);

pub(super) const FIELDS: [&str; 14] = [
    "id",
    "user_id",
    "name",
    "slug",
    "server_id",
    "status",
    "transport_type",
    "auth_type",
    "rate_limit_per_min",
    "settings",
    "endpoint_url",
    "tool_count",
    "created_at",
    "updated_at",
];

async fn a_server_has_exactly_the_documented_fields(service: &ApiFixture) {
    let created = service.api.create_server(json!({"settings": {"description": "d"}})).await;
    let path = format!("/servers/{}", id(&created));
    let (read, listed) = (service.api.read(&path).await, service.api.read("/servers").await);
    let changed = service.api.patch(&path).json(json!({"name": "B"})).send().await.expect(200).json();
    let deleted = service.api.delete(&path).send().await.expect(200).json();
    for server in [&created, &read, &listed[0], &changed, &deleted["previous"]] {
        assert_eq!(keys(server), FIELDS);
        for field in ["id", "user_id", "rate_limit_per_min", "tool_count"] {
            assert!(server[field].is_i64(), "{field}");
        }
        for field in ["name", "slug", "server_id", "status", "transport_type", "auth_type", "endpoint_url"] {
            assert!(server[field].is_string(), "{field}");
        }
        assert!(server["settings"].is_object());
        assert_timestamp(&server["created_at"]);
        assert_timestamp(&server["updated_at"]);
    }
    assert_eq!((&read, &listed[0]), (&created, &created));
}

async fn a_server_gets_its_defaults(service: &ApiFixture) {
    let server = service.api.create_server(json!({"name": "  My Weather Server "})).await;
    assert_eq!(server["user_id"], 1);
    assert_eq!(server["name"], "My Weather Server");
    assert_eq!(server["slug"], "my-weather-server");
    assert_eq!(server["status"], "active");
    assert_eq!(server["transport_type"], "streamable-http");
    assert_eq!(server["auth_type"], "none");
    assert_eq!(server["rate_limit_per_min"], 60);
    assert_eq!(server["settings"], Value::Null);
    assert_eq!(server["tool_count"], 0);
    assert_eq!(server["created_at"], server["updated_at"]);
    let public_id = server["server_id"].as_str().unwrap();
    assert!(
        public_id.len() == 32 && public_id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()),
        "{public_id}"
    );
    let expected = format!("{}/mcp/my-weather-server/{public_id}", service.app.origin());
    assert_eq!(server["endpoint_url"], expected);
    let other = service.api.create_server(json!({})).await;
    assert_ne!(other["server_id"], server["server_id"]);
}

async fn a_server_can_be_created_with_every_field(service: &ApiFixture) {
    let sent = json!({"name": "A", "slug": "own-slug-1", "status": "draft", "transport_type": "streamable-http",
        "auth_type": "api-key", "rate_limit_per_min": 30, "settings": {"description": "d", "other": [1]}});
    let server = service.api.create_server(sent.clone()).await;
    for (field, value) in sent.as_object().unwrap() {
        assert_eq!(&server[field], value, "{field}");
    }
}

async fn a_created_server_is_at_its_location(service: &ApiFixture) {
    let reply = service.api.post("/servers").json(json!({"name": "A"})).send().await.expect(201);
    let location = reply.header("location").unwrap();
    assert_eq!(location, format!("{}/servers/{}", service.app.api_base(), reply.json()["id"]));
    assert_eq!(service.api.read(location).await, reply.json());
}

async fn an_update_changes_every_field_and_updated_at(service: &ApiFixture) {
    let server = service.api.create_server(json!({})).await;
    let path = format!("/servers/{}", id(&server));
    let sent = json!({"name": "B", "slug": "b2", "status": "paused", "auth_type": "api_key", "rate_limit_per_min": 0,
        "settings": {"a": 1}, "transport_type": "streamable-http"});
    let changed = service.api.post(&path).json(sent).send().await.expect(200).json();
    assert_eq!((&changed["name"], &changed["slug"]), (&json!("B"), &json!("b2")));
    assert_eq!((&changed["status"], &changed["auth_type"]), (&json!("paused"), &json!("api-key")));
    assert_eq!((&changed["rate_limit_per_min"], &changed["settings"]), (&json!(0), &json!({"a": 1})));
    let public_id = server["server_id"].as_str().unwrap();
    assert_eq!(changed["endpoint_url"], format!("{}/mcp/b2/{public_id}", service.app.origin()));
    assert_eq!((&changed["server_id"], &changed["created_at"]), (&server["server_id"], &server["created_at"]));
    assert!(changed["updated_at"].as_str() >= server["updated_at"].as_str());
    assert_eq!(service.api.read(&path).await, changed);
}

async fn an_empty_update_is_accepted(service: &ApiFixture) {
    let server = service.api.create_server(json!({"settings": {"a": 1}})).await;
    let path = format!("/servers/{}", id(&server));
    for body in [json!({}), json!({"unknown": 1}), server.clone()] {
        let same = service.api.put(&path).json(body).send().await.expect(200).json();
        for field in FIELDS.into_iter().filter(|field| *field != "updated_at") {
            assert_eq!(same[field], server[field], "{field}");
        }
    }
    service.api.post(&path).send().await.expect(200);
}

async fn tool_count_counts_tools_of_any_status(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let count = async || service.api.read(&format!("/servers/{server_id}")).await["tool_count"].clone();
    service.api.create_tool(server_id, json!({"name": "a"})).await;
    let paused = service.api.create_tool(server_id, json!({"name": "b", "status": "paused"})).await;
    assert_eq!(count().await, 2);
    service.api.post(&format!("/tools/{}/duplicate", id(&paused))).send().await.expect(201);
    assert_eq!(count().await, 3);
    assert_eq!(service.api.read("/servers").await[0]["tool_count"], 3);
    service.api.delete(&format!("/tools/{}", id(&paused))).send().await.expect(200);
    assert_eq!(count().await, 2);
    let toggled = service.api.post(&format!("/servers/{server_id}/toggle")).send().await.expect(200).json();
    assert_eq!(toggled["tool_count"], 2);
}

async fn deleting_returns_the_server_with_and_without_force(service: &ApiFixture) {
    for query in ["", "?force=true", "?force=false", "?force=1"] {
        let server = service.api.create_server(json!({"settings": {"a": 1}})).await;
        let path = format!("/servers/{}", id(&server));
        let deleted = service.api.delete(&format!("{path}{query}")).send().await.expect(200).json();
        assert_eq!(deleted, json!({"deleted": true, "previous": server}));
        assert_error(&service.api.get(&path).send().await, 404, "rest_server_invalid_id");
        assert_error(&service.api.delete(&path).send().await, 404, "rest_server_invalid_id");
    }
    let server = service.api.create_server(json!({})).await;
    let by_body = service.api.delete(&format!("/servers/{}", id(&server))).json(json!({"force": true}));
    assert_eq!(by_body.send().await.expect(200).json()["deleted"], true);
}

async fn deleting_a_server_deletes_its_objects(service: &ApiFixture) {
    let (other, server_id) = (service.api.create_default_server().await, service.api.create_default_server().await);
    let other_tool = service.api.create_tool(other, json!({})).await;
    let tools = service.api.create_tools(server_id, &["a", "b"]).await;
    let server = format!("/servers/{server_id}");
    let prompt = json!({"name": "p", "template_content": "x"});
    service.api.post(&format!("{server}/prompts")).json(prompt).send().await.expect(201);
    service.api.post(&format!("{server}/keys")).json(json!({"name": "k"})).send().await.expect(201);
    service.api.delete(&server).send().await.expect(200);
    for tool in tools {
        assert_error(&service.api.get(&format!("/tools/{tool}")).send().await, 404, "rest_tool_invalid_id");
    }
    for kind in ["tools", "prompts", "resources", "keys"] {
        assert_error(&service.api.get(&format!("{server}/{kind}")).send().await, 404, "rest_server_invalid_id");
    }
    assert_eq!(ids_of(&service.api.read("/servers").await), [other]);
    assert_eq!(service.api.read(&format!("/tools/{}", id(&other_tool))).await, other_tool);
    let overview = service.api.read("/analytics/overview").await;
    assert_eq!((&overview["total_servers"], &overview["total_tools"]), (&json!(1), &json!(1)));
    let newer = service.api.create_default_server().await;
    assert!(newer > server_id, "ids are not reused");
}
