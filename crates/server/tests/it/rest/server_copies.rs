//! Copying a whole server.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::{column, ids_of, keys};

on_both_databases!(a_copy_is_a_draft_with_every_object, a_copy_can_be_copied);

async fn a_copy_is_a_draft_with_every_object(service: &ApiFixture) {
    let sent = json!({"name": "A", "auth_type": "api-key", "rate_limit_per_min": 5, "settings": {"description": "d"}});
    let server = service.api.create_server(sent).await;
    let path = format!("/servers/{}", id(&server));
    let tools = service.api.create_tools(id(&server), &["a", "b", "c"]).await;
    let order = json!({"tool_ids": [tools[2], tools[0], tools[1]]});
    service.api.post(&format!("{path}/tools/reorder")).json(order).send().await.expect(200);
    service.api.post(&format!("/tools/{}/toggle", tools[0])).send().await.expect(200);
    let prompt = json!({"name": "p", "template_content": "x"});
    service.api.post(&format!("{path}/prompts")).json(prompt).send().await.expect(201);
    let resource = json!({"uri": "doc://a", "name": "r", "data_source_config": {"content": "x"}});
    service.api.post(&format!("{path}/resources")).json(resource).send().await.expect(201);

    let reply = service.api.post(&format!("{path}/duplicate")).send().await.expect(201);
    let copy = reply.json();
    assert_eq!(keys(&copy), super::servers::FIELDS);
    assert_eq!(reply.header("location"), Some(format!("{}/servers/{}", service.app.api_base(), id(&copy)).as_str()));
    assert_eq!((&copy["status"], &copy["tool_count"]), (&json!("draft"), &json!(3)));
    for field in ["user_id", "auth_type", "rate_limit_per_min", "settings", "transport_type"] {
        assert_eq!(copy[field], server[field], "{field}");
    }
    for field in ["id", "slug", "server_id", "endpoint_url"] {
        assert_ne!(copy[field], server[field], "{field}");
    }
    let copy_path = format!("/servers/{}", id(&copy));
    assert_eq!(service.api.read(&copy_path).await, copy);
    let copied_tools = service.api.read(&format!("{copy_path}/tools")).await;
    assert_eq!(column(&copied_tools, "name"), ["c", "a", "b"]);
    assert_eq!(column(&copied_tools, "status"), ["active", "paused", "active"]);
    assert!(ids_of(&copied_tools).iter().all(|tool| !tools.contains(tool)));
    assert_eq!(column(&service.api.read(&format!("{copy_path}/prompts")).await, "name"), ["p"]);
    assert_eq!(column(&service.api.read(&format!("{copy_path}/resources")).await, "uri"), ["doc://a"]);
    assert_eq!(service.api.read(&path).await["status"], "active", "the original is unchanged");
}

async fn a_copy_can_be_copied(service: &ApiFixture) {
    let mut server_id = service.api.create_default_server().await;
    service.api.create_tool(server_id, json!({})).await;
    for _ in 0..3 {
        let copy = service.api.post(&format!("/servers/{server_id}/duplicate")).send().await.expect(201).json();
        server_id = id(&copy);
    }
    let servers = service.api.read("/servers").await;
    let mut slugs = column(&servers, "slug");
    slugs.sort_unstable();
    slugs.dedup();
    assert_eq!(slugs.len(), 4);
}
