//! The transfer size of a first visit.

use std::io::{self, Write as _};

use serde_json::Value;

use super::browser::Browser;
use crate::toolgate;

/// Limit for the page, its scripts and styles, and the API responses together.
const BYTES_MAX: u64 = 150 * 1024;

#[tokio::test]
async fn the_first_page_transfers_less_than_150_kibibytes() {
    let Some(browser) = Browser::find() else { return };
    let app = toolgate().start();
    let output = browser.run("weight.mjs", &app, &Value::Null).await;
    output.assert_no_errors();
    let resources = output["resources"].as_array().unwrap();
    let bytes: u64 = resources.iter().map(|resource| resource["bytes"].as_u64().unwrap()).sum();
    let is_compressed = |resource: &Value| resource["type"] == "Script" && !resource["encoding"].is_null();
    assert!(resources.iter().any(is_compressed), "no script is compressed: {output:#}");
    assert!(bytes < BYTES_MAX, "the first page has {bytes} bytes: {output:#}");
    let usable_ms = &output["interactiveMs"];
    // Not asserted, because a busy machine is slow. Not println!, which the test harness hides in a test that passes.
    let _ = writeln!(
        io::stderr(),
        "the first page: {} resources, {bytes} bytes, usable after {usable_ms} ms",
        resources.len()
    );
}
