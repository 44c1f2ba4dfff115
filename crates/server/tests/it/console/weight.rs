//! What a first visit costs.

use std::io::{self, Write as _};

use serde_json::Value;

use super::browser::{Browser, service};

/// Of everything: the page, its scripts and styles, and what they ask the API for.
const BYTES_MAX: u64 = 150 * 1024;

#[tokio::test]
async fn the_first_page_weighs_less_than_150_kilobytes() {
    let Some(browser) = Browser::find() else { return };
    let app = service().start();
    let output = browser.run("weight.mjs", &app, &Value::Null).await;
    output.assert_no_errors();
    let resources = output["resources"].as_array().unwrap();
    let bytes: u64 = resources.iter().map(|resource| resource["bytes"].as_u64().unwrap()).sum();
    let is_packed = |resource: &Value| resource["type"] == "Script" && !resource["encoding"].is_null();
    assert!(resources.iter().any(is_packed), "sent as it is: {output:#}");
    assert!(bytes < BYTES_MAX, "{bytes} bytes: {output:#}");
    let usable_ms = &output["interactiveMs"];
    // Not asserted: a busy machine is slow. Not println!, which a test that passes would not show.
    let _ = writeln!(
        io::stderr(),
        "the first page: {} resources, {bytes} bytes, usable after {usable_ms} ms",
        resources.len()
    );
}
