//! Toggling a server.

use serde_json::json;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::assertions::keys;

on_both_databases!(
    toggling_switches_between_active_and_paused,
    toggling_a_draft_activates_it,
    the_reply_is_the_server_without_owner_and_settings,
);

async fn toggling_switches_between_active_and_paused(service: &ApiFixture) {
    let server_id = service.api.create_default_server().await;
    let path = format!("/servers/{server_id}");
    for expected in ["paused", "active", "paused"] {
        let toggled = service.api.post(&format!("{path}/toggle")).send().await.expect(200).json();
        assert_eq!(toggled["status"], expected);
        let read = service.api.read(&path).await;
        assert_eq!(read["status"], expected);
        assert_eq!(read["updated_at"], toggled["updated_at"]);
        assert_eq!(read["user_id"], 1);
    }
}

async fn toggling_a_draft_activates_it(service: &ApiFixture) {
    let server = service.api.create_server(json!({"status": "draft"})).await;
    let path = format!("/servers/{}", id(&server));
    let toggled = service.api.post(&format!("{path}/toggle")).send().await.expect(200).json();
    assert_eq!(toggled["status"], "active");
    let reset = service.api.patch(&path).json(json!({"status": "draft"})).send().await.expect(200).json();
    assert_eq!(reset["status"], "draft");
}

async fn the_reply_is_the_server_without_owner_and_settings(service: &ApiFixture) {
    let server = service.api.create_server(json!({"settings": {"description": "d"}})).await;
    let path = format!("/servers/{}", id(&server));
    // The body is ignored.
    let toggle = service.api.post(&format!("{path}/toggle")).json(json!({"status": "draft", "name": "B"}));
    let toggled = toggle.send().await.expect(200).json();
    let expected: Vec<&str> =
        super::servers::FIELDS.into_iter().filter(|field| !["user_id", "settings"].contains(field)).collect();
    assert_eq!(keys(&toggled), expected);
    assert_eq!((&toggled["status"], &toggled["name"]), (&json!("paused"), &server["name"]));
    let read = service.api.read(&path).await;
    assert_eq!(read["settings"], json!({"description": "d"}));
    for field in expected {
        assert_eq!(toggled[field], read[field], "{field}");
    }
}
