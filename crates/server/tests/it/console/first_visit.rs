//! The first visit: the printed link signs in.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::toolgate;

#[tokio::test]
async fn a_link_with_the_key_opens_the_console_and_the_key_stays_in_the_tab() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().without_api_key().start();
    let output = browser.run("first_visit.mjs", &app, &Value::Null).await;
    output.assert_no_errors();
    assert_eq!(output["pages"].as_array().map(Vec::len), Some(3), "{output:#}");
    for page in output["pages"].as_array().unwrap() {
        assert_eq!(
            (&page["status"], &page["localStorage"], &page["cookies"]),
            (&json!(200), &json!({}), &json!(0)),
            "{page}"
        );
        assert!(!page["address"].as_str().unwrap().contains("key"), "{page}");
        assert_eq!(page["faults"], json!([]), "{page:#}");
    }
    assert_eq!(output["pages"][1]["address"], Value::from(format!("{}/servers", app.origin())));
}
