//! Users, members and transfer of a server in the console, and the actions that a viewer sees.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn an_administrator_manages_a_team_and_a_viewer_is_offered_no_changes() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let admin = app.client();
    let server = admin.create("/servers", json!({"name": "Shared"})).await;
    let path = format!("/servers/{}", server["id"]);
    let tool = json!({"name": "forecast", "endpoint_url": "https://api.example.com/"});
    let tool = admin.create(&format!("{path}/tools"), tool).await;
    let viewer = admin.create("/users", json!({"name": "vera", "role": "viewer"})).await;
    let new_owner = admin.create("/users", json!({"name": "olga"})).await;
    let key = json!({"name": "k", "user_id": viewer["id"], "scopes": ["read", "write"]});
    let key = admin.create("/api-keys", key).await;
    let input = json!({"server": server["id"], "tool": tool["id"], "viewerKey": key["key"]});
    let output = browser.run("teams.mjs", &app, &input).await;
    let offered: Vec<&str> = output["offered"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for change in [
        "New server",
        "New tool",
        "Import an API",
        "Paste a curl command",
        "Test",
        "Save",
        "Settings",
        "Access",
        "New key",
        "Revoke",
    ] {
        assert!(!offered.contains(&change), "{change} is offered to a viewer: {offered:?}");
    }
    assert!(offered.contains(&"Prompts"), "{offered:?}");
    assert_eq!((&output["errors"], &output["failed"]), (&json!([]), &json!([])), "{output:#}");
    assert_eq!(admin.read(&path).await["user_id"], new_owner["id"]);
    let renamed = admin.read(&format!("/users/{}", viewer["id"])).await;
    assert_eq!((&renamed["name"], &renamed["disabled"]), (&json!("Veronika"), &json!(true)));
}
