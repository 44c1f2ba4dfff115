//! Keys of the management API, from the page that makes them.

use serde_json::{Value, json};

use super::browser::{Browser, service};

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_refused_when_it_was_revoked() {
    let Some(browser) = Browser::find() else { return };
    let app = service().start();
    let seen = browser.run("keys.mjs", &app, &Value::Null).await;
    let key = seen.text("/key");
    assert!(key.starts_with("tg_") && key.len() == 46, "{key}");
    assert_eq!(seen["shownAgain"], false);
    assert!(seen.text("/whileItWorks").contains("Home"), "{seen:#}");
    assert!(seen.text("/revoked").contains("does not know this key"), "{seen:#}");
    // The revoked key was refused, which is the point.
    let refused = format!("401 {}/servers?per_page=1", app.api_base());
    assert_eq!(seen["failed"], json!([refused]), "{seen:#}");
}
