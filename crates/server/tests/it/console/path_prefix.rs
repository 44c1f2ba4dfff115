//! The console below a path prefix, behind a real nginx with TLS.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::packaging::proxied_service::ProxiedService;

#[tokio::test]
async fn the_console_works_below_a_path_prefix_behind_nginx() {
    let Some(browser) = Browser::find() else { return };
    // Browsers resolve names below `localhost` to this machine.
    let Some(service) = ProxiedService::start("tools.localhost") else { return };
    let output = browser.run_at("path_prefix.mjs", &service.public_url("/"), &service.app().key(), &Value::Null).await;
    output.assert_no_errors();
    assert_eq!(
        output["paths"],
        json!(["/gate/", "/gate/servers", "/gate/calls", "/gate/calls", "/gate/servers"]),
        "{output:#}"
    );
}
