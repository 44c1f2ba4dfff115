//! Quick add: shell variables, the three modes of a value, and the question before a request that changes something.

use serde_json::{Value, json};
use toolgate_testkit::{MockResponse, Upstream};

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn quick_add_asks_for_variables_and_before_a_request_that_changes_data_and_keeps_the_draft() {
    let Some(browser) = Browser::find() else { return };
    let api = Upstream::with_handler(|_| MockResponse::json(json!({"done": true})));
    let app = toolgate().start();
    let owner = app.client();
    let server = owner.create("/servers", json!({"name": "Orders"})).await;
    let order = format!(
        r#"curl "{}" -H "Authorization: Bearer $API_KEY" -H 'X-Region: eu' -H 'Content-Type: application/json' -d '{}'"#,
        api.url("/v1/users/42/orders?notify=true"),
        json!({"item": "tea", "count": 2, "note": "x"}),
    );
    let keys = format!("curl '{}'", api.url("/recipes?app_id=id-1&app_key=key-2"));
    let output = browser.run("quick_add.mjs", &app, &json!({"order": order, "keys": keys})).await;
    output.assert_no_errors();

    let editor = &output["editor"];
    assert_eq!((&editor["hint"], &editor["before"]), (&json!(true), &json!(true)), "{output:#}");
    assert_eq!((&editor["hintAfter"], &editor["after"]), (&json!(false), &json!(false)), "{output:#}");
    assert!(output.text("/editor/text").contains("leaves the editor"), "{output:#}");
    let note = "Enter the value of $API_KEY first.";
    let expected = json!({"type": "password", "note": note, "blocked": true, "warnings": 0});
    assert_eq!(output["variable"], expected, "{output:#}");
    for (index, path) in
        ["users/{user_id}/orders", "users/42/orders", "users/42/{orders}", "users/42/orders"].into_iter().enumerate()
    {
        assert!(output.text(&format!("/descriptions/{index}")).contains(&format!("(POST /v1/{path})")), "{output:#}");
    }
    assert!(output.text("/confirmation/question").starts_with("Send this POST request?"), "{output:#}");
    assert_eq!(output["confirmation"]["cancelled"]["tests"], 0, "{output:#}");
    assert!(output.text("/confirmation/result").contains("Success"), "{output:#}");
    assert!(["2 API keys", "app_id", "app_key"].iter().all(|part| output.text("/keys").contains(part)), "{output:#}");

    let requests = api.requests();
    let [posted, keyed] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(posted.target, "/v1/users/42/orders");
    assert_eq!(posted.header("authorization"), Some("Bearer s3cret-of-the-api"));
    assert_eq!((posted.header("x-region"), posted.json()), (None, json!({"item": "tea", "count": 2})));
    assert_eq!(keyed.query_pairs(), [("app_id", "id-1"), ("app_key", "key-2")].map(|(n, v)| (n.into(), v.into())));

    let tools = owner.read(&format!("/servers/{}/tools", server["id"])).await;
    let tool = tools.as_array().unwrap().iter().find(|tool| tool["http_method"] == "POST").unwrap();
    assert_eq!(tool["parameter_mapping"]["count"], json!({"location": "body", "value": 2}), "{tool}");
    assert_eq!(tool["input_schema"]["properties"].as_object().map(serde_json::Map::len), Some(1), "{tool}");
    assert_eq!((&tool["annotations"], &tool["auth_credentials"]), (&json!({"readOnlyHint": false}), &Value::Null));
}
