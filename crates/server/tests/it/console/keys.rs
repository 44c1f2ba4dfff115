//! Keys of the management API, created in the console.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_refused_after_it_is_revoked() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let output = browser.run("keys.mjs", &app, &Value::Null).await;
    let key = output.text("/key");
    // The prefix and 43 random characters.
    assert!(key.starts_with("tg_") && key.len() == 46, "{key}");
    assert_eq!(output["shownAgain"], false);
    assert!(output.text("/whileItWorks").contains("Home"), "{output:#}");
    assert!(output.text("/revoked").contains("Unknown API key"), "{output:#}");
    // Only the request with the revoked key failed.
    let refused = format!("401 {}/me", app.api_base());
    assert_eq!(output["failed"], json!([refused]), "{output:#}");
}
