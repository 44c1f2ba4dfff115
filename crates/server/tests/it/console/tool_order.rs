//! The tools of a server: reordered with the mouse and the keyboard, and paused.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn tools_are_reordered_by_dragging_and_by_keyboard_and_paused() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let owner = app.client();
    let server = owner.create("/servers", json!({"name": "Ordered"})).await;
    let path = format!("/servers/{}/tools", server["id"]);
    for name in ["first", "second", "third"] {
        owner.create(&path, json!({"name": name, "endpoint_url": "https://api.example.com/"})).await;
    }
    let output = browser.run("tool_order.mjs", &app, &json!({"server": server["id"]})).await;
    output.assert_no_errors();
    // At the start, after dragging, after a key press, and after pausing and a reload.
    let expected = json!([
        ["first", "second", "third"],
        ["second", "third", "first"],
        ["second", "first", "third"],
        ["second", "first", "third"],
    ]);
    assert_eq!(output["seen"], expected, "{output:#}");
    assert_eq!(output["announcement"], "first moved to position 2 of 3.");
    assert!(output.text("/focused").starts_with("Move first, position 2"), "the focus moves with the tool: {output:#}");
    let tools = owner.get(&path).send().await.expect(200).json();
    let stored: Vec<_> = tools.as_array().unwrap().iter().map(|tool| (&tool["name"], &tool["status"])).collect();
    let (active, paused) = (Value::from("active"), Value::from("paused"));
    let names = ["second", "first", "third"].map(Value::from);
    assert_eq!(stored, [(&names[0], &paused), (&names[1], &active), (&names[2], &active)]);
}
