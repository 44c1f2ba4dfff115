//! The main workflow of the console: from the printed link to a call by an MCP client.

use std::path::Path;

use serde_json::json;
use toolgate_testkit::{MockResponse, Upstream};

use super::browser::Browser;
use crate::external_tools;
use crate::toolgate;

#[tokio::test]
async fn a_pasted_curl_becomes_a_tool_that_a_real_client_calls_within_a_minute() {
    let Some(browser) = Browser::find() else { return };
    let Some(clients) = external_tools::installed_path("TOOLGATE_MCP_CLIENTS", "scripts/mcp-clients") else { return };
    let api = Upstream::with_handler(|request| MockResponse::json(json!({"asked": request.query_pairs()})));
    let app = toolgate().without_api_key().start();
    let curl =
        format!("curl '{}' -H 'Authorization: Bearer s3cret-of-the-api'", api.url("/weather?city=Bern&units=metric"));
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/js_snippet.mjs");
    let output =
        browser.run("one_minute.mjs", &app, &json!({"curl": curl, "clients": clients, "program": program})).await;

    output.assert_no_errors();
    let tested = output.text("/tested");
    assert!(tested.contains("Success") && tested.contains("\"Bern\"") && !tested.contains("s3cret"), "{tested}");
    let answer = output.text("/answer");
    assert!(
        ["Lima", "metric"].iter().all(|word| answer.contains(word)),
        "the upstream must receive the fixed value and the argument: {answer}"
    );
    assert!(output.text("/light").starts_with("Cursor is connected"), "{output:#}");
    assert_eq!(output["log"]["rows"], 1, "a test of a tool is not recorded as a call: {output:#}");
    for part in ["Success", "get_weather", "cursor"] {
        assert!(output.text("/log/row").contains(part), "the row must contain {part}: {output:#}");
    }
    assert!(output.text("/chart/calls").starts_with("Calls\n\n1\n"), "{output:#}");
    assert_eq!(output["chart"]["points"].as_array().unwrap().last(), Some(&json!("1")), "{output:#}");
    assert!(output["took"].as_u64().unwrap() < 60_000, "{output:#}");
    let tokens: Vec<_> =
        api.requests().into_iter().map(|request| request.header("authorization").map(str::to_owned)).collect();
    assert_eq!(tokens, vec![Some("Bearer s3cret-of-the-api".to_owned()); 2]);
}
