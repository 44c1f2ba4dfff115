//! Signing in and out, and leaving a page with unsaved changes.

use serde_json::json;

use super::browser::Browser;
use crate::objects::api_keys::{expiring_key, wait_until_refused};
use crate::toolgate;

#[tokio::test]
async fn a_wrong_key_is_explained_tabs_share_the_sign_in_and_signing_out_leaves_nothing_in_the_browser() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let other = app.client().create("/api-keys", json!({"name": "Other"})).await;
    let expired = expiring_key(&app).await;
    wait_until_refused(&app, &expired).await;
    let input = json!({"expired": expired["key"], "other": other["key"]});
    let output = browser.run("session.mjs", &app, &input).await;
    assert!(output.text("/wrong").contains("Unknown API key"), "{output:#}");
    assert_eq!(output["typed"], "tg_wrong", "the input is still there");
    let (during, after) = (output.text("/during/stores"), output.text("/after/stores"));
    assert!(during.contains(&app.key()), "the key is in the session storage of the tab: {during}");
    assert!(during.ends_with(r#",{},""]"#), "the key is not in local storage or in a cookie: {during}");
    assert_eq!(output["key"], app.key(), "a new tab has the key of the tab with the link: {output:#}");
    for after in [after, output.text("/afterInOther/stores")] {
        assert!(!after.contains("tg_"), "{after}");
    }
    for text in [output.text("/expired"), output.text("/expiredLink")] {
        assert!(text.contains("has expired"), "{output:#}");
    }
    assert_eq!((&output["during"]["cookies"], &output["after"]["cookies"]), (&json!(0), &json!(0)));
    assert!(output.text("/badLink").contains("Unknown API key"), "{output:#}");
    assert!(!output.text("/address").contains("tg_"), "the key is gone from the address: {output:#}");
}

#[tokio::test]
async fn leaving_a_page_with_unsaved_changes_asks_first_and_staying_keeps_the_changes() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let owner = app.client();
    let server = owner.create("/servers", json!({"name": "Edited"})).await;
    let path = format!("/servers/{}/tools", server["id"]);
    let tool = owner.create(&path, json!({"name": "edited", "endpoint_url": "https://api.example.com/"})).await;
    let output = browser.run("unsaved.mjs", &app, &json!({"server": server["id"]})).await;
    let words = "Not saved yet, and dear to me.";
    let at = format!("{path}/{}", tool["id"]);
    let stayed = json!({"at": at, "words": words, "afterBack": words, "askedAs": "beforeunload"});
    assert_eq!(output["stayed"], stayed, "{output:#}");
    assert_eq!(owner.get(&format!("/tools/{}", tool["id"])).send().await.expect(200).json()["description"], "");
}
