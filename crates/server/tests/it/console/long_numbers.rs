//! Ids with many digits, which a JavaScript number would round.

use serde_json::json;
use toolgate_testkit::{MockResponse, Upstream};

use super::browser::Browser;
use crate::toolgate;

const ID: &str = "9007199254740993123";

#[tokio::test]
async fn long_numbers_keep_their_digits_in_requests_and_responses() {
    let Some(browser) = Browser::find() else { return };
    let api = Upstream::with_handler(|_| MockResponse::bytes("application/json", format!(r#"{{"found":{ID}}}"#)));
    let app = toolgate().start();
    let owner = app.client();
    let server = owner.create("/servers", json!({"name": "Ids"})).await;
    let schema = json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
    let fields = json!({"name": "find", "endpoint_url": api.url("/find"), "input_schema": schema});
    let tool = owner.create(&format!("/servers/{}/tools", server["id"]), fields).await;

    let input = json!({"server": server["id"], "tool": tool["id"], "id": ID});
    let output = browser.run("long_numbers.mjs", &app, &input).await;
    output.assert_no_errors();
    assert_eq!(output["json"], format!("{{\n  \"id\": {ID}\n}}"), "{output:#}");
    assert_eq!(output["response"], format!("\"found\": {ID}"), "{output:#}");
    let targets: Vec<_> = api.requests().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, [format!("/find?id={ID}"), format!("/find?id={ID}")]);
}
