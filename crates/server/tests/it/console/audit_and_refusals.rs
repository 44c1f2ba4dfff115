//! Endpoint keys, refused requests and the audit log in the console.

use serde_json::{Value, json};
use toolgate_testkit::McpClient;

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn the_console_shows_limits_of_keys_refused_requests_and_changes() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let server = app.client().create("/servers", json!({"name": "Guarded", "auth_type": "api-key"})).await;
    McpClient::new(server["endpoint_url"].as_str().unwrap()).send("tools/list", json!({})).await.expect(401);
    let output = browser.run("audit_and_refusals.mjs", &app, &json!({"server": server["id"]})).await;
    let created = output.text("/created");
    assert!(created.contains("never") && created.contains("30"), "no use yet, and a limit: {output:#}");
    assert!(output.text("/edited").contains("server limit"), "{output:#}");
    let refused = output.text("/refused");
    assert!(refused.contains("Guarded") && refused.contains("401") && refused.contains('1'), "{output:#}");
    let newest = output.text("/newest");
    assert!(
        newest.contains("admin") && newest.contains("Hourly") && newest.contains("Changed: endpoint key"),
        "{output:#}"
    );
    assert!(output.text("/filtered").contains("Created: endpoint key"), "{output:#}");
    assert_eq!(output["failed"], Value::Array(vec![]), "{output:#}");
}
