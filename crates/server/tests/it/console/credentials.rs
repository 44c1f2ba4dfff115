//! Credentials of a server in the console.

use serde_json::{Value, json};
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn a_credential_is_created_used_changed_and_deleted_in_the_console() {
    let Some(browser) = Browser::find() else { return };
    let ApiFixture { app, api } = ApiFixture::start(toolgate());
    let server = api.create_default_server().await;
    let tool = id(&api.create_tool(server, json!({"name": "bill"})).await);
    let output = browser.run("credentials.mjs", &app, &json!({"server": server, "tool": tool})).await;
    output.assert_no_errors();
    let left = api.read(&format!("/tools/{tool}")).await;
    assert_eq!((&left["credential"], &left["auth_type"]), (&Value::Null, &json!("bearer")));
    let audit = api.read("/audit?object_kind=credential").await;
    let line = |row: &Value| format!("{} {}", row["action"].as_str().unwrap(), row["object_name"].as_str().unwrap());
    let lines: Vec<String> = audit.as_array().unwrap().iter().rev().map(line).collect();
    assert_eq!(lines, ["create billing", "update renamed", "create unused", "delete unused", "delete renamed"]);
}
