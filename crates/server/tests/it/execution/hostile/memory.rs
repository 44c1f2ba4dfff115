//! Memory: no answer makes the service hold much more of it than the largest one it passes on.

use http::Method;
use serde_json::json;
use toolgate_testkit::process::peak_rss_kib;
use toolgate_testkit::{Answer, Upstream};

use super::large::cases;
use super::serving;
use crate::execution::setup::Stage;

const MB: u64 = 1_000_000;

/// What the process holds more at its peak than it ever did before, after so many calls of each tool.
async fn growth(stage: &Stage, tools: &[&str], arguments: &str) -> u64 {
    stage.caller().text("warm", json!({})).await;
    let before = peak_rss_kib(stage.app.pid());
    for tool in tools {
        for _ in 0..2 {
            let message = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
            );
            let request = stage.caller().plain(Method::POST).header("content-type", "application/json");
            request.body(message).send().await;
        }
    }
    // The kernel tells it a little late, so that it may seem to have been more before.
    peak_rss_kib(stage.app.pid()).saturating_sub(before) * 1024
}

#[tokio::test]
async fn hostile_answers_cost_less_than_96_megabytes_at_scale() {
    let cases = cases();
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let stage = Stage::new(serving(cases)).await;
    for name in names.iter().chain(&["warm"]) {
        stage.tool(json!({"name": name, "endpoint_url": format!("/{name}"), "timeout": 20})).await;
    }
    let growth = growth(&stage, &names, "{}").await;
    assert!(growth < 96 * MB, "{growth} bytes");
}

/// As many values as fit into so many bytes.
fn many_values(bytes: usize) -> String {
    format!("[{}0]", "0,".repeat(bytes / 2 - 2))
}

#[tokio::test]
async fn documents_of_many_values_cost_less_than_96_megabytes_at_scale() {
    let (many, most) = (many_values(8 * 1024 * 1024), many_values(290_000));
    let upstream = Upstream::answering(move |request| match request.path() {
        "/many" => Answer::bytes("application/json", many.clone()),
        "/most" => Answer::bytes("application/json", most.clone()),
        _ => Answer::text("well"),
    });
    let stage = Stage::new(upstream).await;
    stage.tool(json!({"name": "warm"})).await;
    for name in ["many", "most"] {
        let fields = json!({"name": name, "endpoint_url": format!("/{name}"), "output_schema": {"type": "array"}});
        stage.tool(fields).await;
    }
    let of_answers = growth(&stage, &["many", "most"], "{}").await;
    assert!(of_answers < 96 * MB, "{of_answers} bytes");
    assert_eq!(stage.upstream.hits_of("/many"), 2);
    assert!(stage.caller().text("most", json!({})).await.len() > 250_000, "what is below the limit is read");
    let of_arguments = growth(&stage, &["warm"], &format!(r#"{{"a":{}}}"#, many_values(4_000_000))).await;
    assert!(of_arguments < 96 * MB, "{of_arguments} bytes");
}
