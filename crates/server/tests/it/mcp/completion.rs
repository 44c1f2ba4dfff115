//! `completion/complete`: the values that a prompt's author offers for an argument.

use serde_json::{Value, json};
use toolgate_testkit::Mcp;
use toolgate_testkit::mcp::NEWEST_LEGACY;

use super::endpoint::Endpoint;
use super::owner::{self, bare};

async fn shop() -> Endpoint {
    let endpoint = owner::open(json!({})).await;
    let many: Vec<String> = (0..100).map(|number| format!("n{number:03}")).collect();
    let arguments = json!([{"name": "city", "values": ["Oslo", "Osaka", "Zürich", "Lima"]}, {"name": "free"},
        {"name": "many", "values": many}]);
    endpoint.prompt(json!({"name": "p", "arguments": arguments, "template_content": "{{city}}"})).await;
    endpoint
}

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn params(reference: Value, argument: &str, begun: &str) -> Value {
    json!({"ref": reference, "argument": {"name": argument, "value": begun}})
}

async fn values(mcp: &Mcp, argument: &str, begun: &str) -> Vec<String> {
    let params = params(json!({"type": "ref/prompt", "name": "p"}), argument, begun);
    let completion = mcp.result("completion/complete", params).await["completion"].clone();
    let values: Vec<String> = serde_json::from_value(completion["values"].clone()).unwrap();
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(values.len()), &json!(false)));
    values
}

#[tokio::test]
async fn values_that_begin_as_the_client_began_are_offered_in_their_order() {
    let endpoint = shop().await;
    for mcp in [bare(&endpoint), bare(&endpoint).legacy(NEWEST_LEGACY).await, bare(&endpoint).modern()] {
        assert_eq!(values(&mcp, "city", "").await, ["Oslo", "Osaka", "Zürich", "Lima"]);
        assert_eq!(values(&mcp, "city", "os").await, ["Oslo", "Osaka"]);
        assert_eq!(values(&mcp, "city", "ZÜ").await, ["Zürich"]);
        for (argument, begun) in [("city", "slo"), ("free", ""), ("undeclared", "")] {
            assert_eq!(values(&mcp, argument, begun).await, Vec::<String>::new(), "{argument} {begun}");
        }
        assert_eq!(values(&mcp, "many", "").await.len(), 100);
    }
}

#[tokio::test]
async fn for_resources_nothing_is_offered() {
    let endpoint = shop().await;
    let params = params(json!({"type": "ref/resource", "uri": "docs://{id}"}), "id", "");
    let result = bare(&endpoint).result("completion/complete", params).await;
    assert_eq!(result["completion"]["values"], json!([]));
}

#[tokio::test]
async fn references_that_lead_nowhere_are_refused() {
    let endpoint = shop().await;
    let mcp = bare(&endpoint);
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
