//! `completion/complete`: the values that a prompt's author offers for an argument.

use serde_json::{Value, json};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, ServiceFixture};

use super::management::{self, bare_client};

async fn start_server_with_prompt() -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    let many: Vec<String> = (0..100).map(|number| format!("n{number:03}")).collect();
    let arguments = json!([{"name": "city", "values": ["Oslo", "Osaka", "Zürich", "Lima"]}, {"name": "free"},
        {"name": "many", "values": many}]);
    fixture.create("/prompts", json!({"name": "p", "arguments": arguments, "template_content": "{{city}}"})).await;
    fixture
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn params(reference: Value, argument: &str, prefix: &str) -> Value {
    json!({"ref": reference, "argument": {"name": argument, "value": prefix}})
}

async fn values(mcp: &McpClient, argument: &str, prefix: &str) -> Vec<String> {
    let params = params(json!({"type": "ref/prompt", "name": "p"}), argument, prefix);
    let completion = mcp.result("completion/complete", params).await["completion"].clone();
    let values: Vec<String> = serde_json::from_value(completion["values"].clone()).unwrap();
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(values.len()), &json!(false)));
    values
}

#[tokio::test]
async fn values_with_the_typed_prefix_are_offered_in_order() {
    let fixture = start_server_with_prompt().await;
    for mcp in
        [bare_client(&fixture), bare_client(&fixture).legacy(NEWEST_LEGACY).await, bare_client(&fixture).modern()]
    {
        assert_eq!(values(&mcp, "city", "").await, ["Oslo", "Osaka", "Zürich", "Lima"]);
        assert_eq!(values(&mcp, "city", "os").await, ["Oslo", "Osaka"]);
        assert_eq!(values(&mcp, "city", "ZÜ").await, ["Zürich"]);
        for (argument, prefix) in [("city", "slo"), ("free", ""), ("undeclared", "")] {
            assert_eq!(values(&mcp, argument, prefix).await, Vec::<String>::new(), "{argument} {prefix}");
        }
        assert_eq!(values(&mcp, "many", "").await.len(), 100);
    }
}

#[tokio::test]
async fn resources_have_no_completions() {
    let fixture = start_server_with_prompt().await;
    let params = params(json!({"type": "ref/resource", "uri": "docs://{id}"}), "id", "");
    let result = bare_client(&fixture).result("completion/complete", params).await;
    assert_eq!(result["completion"]["values"], json!([]));
}

#[tokio::test]
async fn unknown_references_are_refused() {
    let fixture = start_server_with_prompt().await;
    let mcp = bare_client(&fixture);
    for reference in [
        json!({"type": "ref/prompt", "name": "unknown"}),
        json!({"type": "ref/prompt"}),
        json!({"type": "ref/tool", "name": "p"}),
        json!({"name": "p"}),
        json!(null),
    ] {
        let (status, error) = mcp.error("completion/complete", params(reference.clone(), "city", "")).await;
        assert_eq!((status, &error["code"]), (200, &json!(-32602)), "{reference}");
    }
    let no_argument = json!({"ref": {"type": "ref/prompt", "name": "p"}});
    assert_eq!(mcp.error("completion/complete", no_argument).await.1["code"], -32602);
}
