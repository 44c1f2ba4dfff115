//! Signing in and out, and leaving a page with something unsaved.

use serde_json::{Value, json};

use super::browser::{Browser, create, service};

#[tokio::test]
async fn a_wrong_key_is_explained_and_signing_out_leaves_nothing_in_the_browser() {
    let Some(browser) = Browser::find() else { return };
    let app = service().start();
    let seen = browser.run("session.mjs", &app, &Value::Null).await;
    assert!(seen.text("/wrong").contains("does not know this key"), "{seen:#}");
    assert_eq!(seen["typed"], "tg_wrong", "what was typed is still there");
    let (during, after) = (seen.text("/during/stores"), seen.text("/after/stores"));
    assert!(during.contains(&app.key()), "in the tab: {during}");
    assert!(during.ends_with(r#",{},""]"#), "not in local storage, not in a cookie: {during}");
    assert!(!after.contains("tg_"), "{after}");
    assert_eq!((&seen["during"]["cookies"], &seen["after"]["cookies"]), (&json!(0), &json!(0)));
    assert!(seen.text("/badLink").contains("does not know this key"), "{seen:#}");
    assert!(!seen.text("/address").contains("tg_"), "the key is gone from the address: {seen:#}");
}

#[tokio::test]
async fn unsaved_changes_are_asked_about_and_kept_by_those_who_stay() {
    let Some(browser) = Browser::find() else { return };
    let app = service().start();
    let owner = app.client();
    let server = create(&owner, "/servers", json!({"name": "Edited"})).await;
    let path = format!("/servers/{}/tools", server["id"]);
    let tool = create(&owner, &path, json!({"name": "edited", "endpoint_url": "https://api.example.com/"})).await;
    let seen = browser.run("unsaved.mjs", &app, &json!({"server": server["id"]})).await;
    let words = "Not saved yet, and dear to me.";
    let at = format!("{path}/{}", tool["id"]);
    let stayed = json!({"at": at, "words": words, "afterBack": words, "askedAs": "beforeunload"});
    assert_eq!(seen["stayed"], stayed, "{seen:#}");
    assert_eq!(owner.get(&format!("/tools/{}", tool["id"])).send().await.expect(200).json()["description"], "");
}
