//! Sign-in of the console in Chromium: with a browser session, through an OpenID provider, and below a path prefix.

use serde_json::{Value, json};

use super::openid_provider::TestProvider;
use crate::console::browser::{Browser, ScriptOutput};
use crate::packaging::proxied_service::ProxiedService;
use crate::toolgate;

fn assert_signed_in_and_out(output: &ScriptOutput, path: &str) {
    assert_eq!(output["path"], path, "the page from which the person came: {output:#}");
    for stores in [output.text("/during/stores"), output.text("/after/stores")] {
        assert_eq!(stores, r#"[{},{},""]"#, "no script can read a token or a cookie: {output:#}");
    }
    assert_eq!((&output["during"]["cookies"], &output["after"]["cookies"]), (&json!(1), &json!(0)), "{output:#}");
    assert_eq!((&output["rejections"], &output["renewal"]), (&json!(1), &json!(200)), "{output:#}");
    assert_eq!((&output["errors"], &output["overflow"]), (&json!([]), &json!([])), "{output:#}");
}

#[tokio::test]
async fn people_sign_in_to_the_console_without_pasting_a_key() {
    let Some(browser) = Browser::find() else { return };
    let provider = TestProvider::start();
    let app = provider.configure(toolgate(), "example.com").env("TOOLGATE_OIDC_NAME", "Example").start();
    let output = browser.run("sign_in.mjs", &app, &json!({"provider": "Example"})).await;
    assert_signed_in_and_out(&output, "/calls?status=error");
    assert_eq!(output["provided"], "Ada Lovelace", "{output:#}");
}

#[tokio::test]
async fn linked_accounts_are_shown_and_removed_in_the_console_and_on_the_page_of_the_service() {
    let Some(browser) = Browser::find() else { return };
    let provider = TestProvider::start();
    let app = provider.configure(toolgate(), "example.com").env("TOOLGATE_OIDC_NAME", "Example").start();
    let limited = json!({"name": "short", "scopes": ["admin"], "expires_at": "2099-01-01T00:00:00"});
    let limited_key = app.client().create("/api-keys", limited).await["key"].clone();
    let input = json!({"provider": "Example", "limitedKey": limited_key});
    let output = browser.run("linked_accounts.mjs", &app, &input).await;
    for refusal in [output.text("/refusals/0"), output.text("/refusals/1")] {
        assert!(refusal.contains("Ask an administrator"), "{output:#}");
    }
    for table in [output.text("/limitedTables/0"), output.text("/limitedTables/1")] {
        assert!(table.contains("248289761001") && !table.contains("Remove"), "{output:#}");
    }
    for table in [output.text("/own"), output.text("/listed")] {
        assert!(table.contains("248289761001") && table.contains(&provider.issuer()), "{output:#}");
    }
    assert_eq!((&output["faults"], &output["errors"]), (&json!([]), &json!([])), "{output:#}");
    assert!(!output["buttons"].to_string().contains("Accounts"), "{output:#}");
}

#[tokio::test]
async fn people_sign_in_to_a_console_below_a_path_prefix() {
    let Some(browser) = Browser::find() else { return };
    let Some(service) = ProxiedService::start("tools.localhost") else { return };
    let output = browser.run_at("sign_in.mjs", &service.public_url("/"), &service.app().key(), &Value::Null).await;
    assert_signed_in_and_out(&output, "/gate/calls?status=error");
}
