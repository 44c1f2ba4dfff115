//! No response makes the service use much more memory than the largest accepted response does.

use http::Method;
use serde_json::json;
use toolgate_testkit::process::peak_rss_kib;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::large::cases;
use super::upstream_with_cases;
use crate::execution::setup::start;

const MB: u64 = 1_000_000;

/// By how many bytes the peak memory of the process grows during two calls of each tool.
async fn growth(fixture: &ServiceFixture, tools: &[&str], arguments: &str) -> u64 {
    fixture.caller().text("warm", json!({})).await;
    let peak_before = peak_rss_kib(fixture.app.pid());
    for tool in tools {
        for _ in 0..2 {
            let message = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
            );
            let request = fixture.caller().raw_request(Method::POST).header("content-type", "application/json");
            request.body(message).send().await;
        }
    }
    // The kernel reports the peak with a delay, so the earlier value may be higher.
    peak_rss_kib(fixture.app.pid()).saturating_sub(peak_before) * 1024
}

#[tokio::test]
async fn hostile_responses_cost_less_than_96_megabytes_at_scale() {
    let cases = cases();
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let fixture = start(upstream_with_cases(cases)).await;
    for name in names.iter().chain(&["warm"]) {
        fixture.create_tool(json!({"name": name, "endpoint_url": format!("/{name}"), "timeout": 20})).await;
    }
    let growth = growth(&fixture, &names, "{}").await;
    assert!(growth < 96 * MB, "the peak grew by {growth} bytes");
}

/// A document of `bytes` bytes with as many values as possible.
fn many_values(bytes: usize) -> String {
    format!("[{}0]", "0,".repeat(bytes / 2 - 2))
}

#[tokio::test]
async fn documents_with_many_values_cost_less_than_96_megabytes_at_scale() {
    // A document may have 150,000 values: `accepted` has slightly fewer.
    let (rejected, accepted) = (many_values(8 * 1024 * 1024), many_values(290_000));
    let upstream = Upstream::with_handler(move |request| match request.path() {
        "/rejected" => MockResponse::bytes("application/json", rejected.clone()),
        "/accepted" => MockResponse::bytes("application/json", accepted.clone()),
        _ => MockResponse::text("well"),
    });
    let fixture = start(upstream).await;
    fixture.create_tool(json!({"name": "warm"})).await;
    for name in ["rejected", "accepted"] {
        let fields = json!({"name": name, "endpoint_url": format!("/{name}"), "output_schema": {"type": "array"}});
        fixture.create_tool(fields).await;
    }
    let response_growth = growth(&fixture, &["rejected", "accepted"], "{}").await;
    assert!(response_growth < 96 * MB, "the peak grew by {response_growth} bytes");
    assert_eq!(fixture.upstream.request_count_for("/rejected"), 2);
    assert!(fixture.caller().text("accepted", json!({})).await.len() > 250_000, "a document below the limit is read");
    let argument_growth = growth(&fixture, &["warm"], &format!(r#"{{"a":{}}}"#, many_values(4_000_000))).await;
    assert!(argument_growth < 96 * MB, "the peak grew by {argument_growth} bytes");
}
