//! What a result says beside its content, and how what is missing is told, to each kind of caller.

use serde_json::{Value, json};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::endpoint::Endpoint;
use super::owner::{self, bare, change};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

async fn shop(upstream: &Upstream, fields: Value) -> Endpoint {
    let endpoint = owner::open(fields).await;
    endpoint.tool(owner::tool(upstream, "t")).await;
    endpoint.prompt(json!({"name": "p", "template_content": "hello"})).await;
    endpoint.resource(json!({"uri": "docs://here", "name": "r", "data_source_config": {"content": "x"}})).await;
    let there = json!({"url": upstream.url("/r")});
    endpoint
        .resource(json!({"uri": "docs://there", "name": "r", "data_source_type": "url", "data_source_config": there}))
        .await;
    endpoint
}

/// Requests whose results say how long they hold, with the milliseconds.
fn lasting() -> Vec<(&'static str, Value, u64)> {
    vec![
        ("server/discover", json!({}), 5000),
        ("tools/list", json!({}), 5000),
        ("prompts/list", json!({}), 5000),
        ("resources/list", json!({}), 5000),
        ("resources/templates/list", json!({}), 5000),
        ("resources/read", json!({"uri": "docs://here"}), 5000),
        ("resources/read", json!({"uri": "docs://there"}), 0),
    ]
}

fn passing() -> Vec<(&'static str, Value)> {
    let complete = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}});
    vec![
        ("tools/call", json!({"name": "t", "arguments": {}})),
        ("prompts/get", json!({"name": "p"})),
        ("completion/complete", complete),
    ]
}

async fn assert_decorated(mcp: &Mcp, scope: &str) {
    for (method, params, ttl) in lasting() {
        let result = mcp.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}: {result}");
        assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(ttl), &json!(scope)), "{method}: {result}");
        assert_eq!(result["_meta"][SERVER_INFO]["title"], "Shop", "{method}: {result}");
    }
    for (method, params) in passing() {
        let result = mcp.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}: {result}");
        assert_eq!(result["_meta"][SERVER_INFO]["title"], "Shop", "{method}: {result}");
        assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none(), "{method}: {result}");
    }
}

#[tokio::test]
async fn modern_results_say_that_they_are_complete_who_gave_them_and_how_long_they_hold() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let endpoint = shop(&upstream, json!({})).await;
    assert_decorated(&bare(&endpoint).modern(), "public").await;
}

#[tokio::test]
async fn results_behind_a_key_are_private() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let endpoint = shop(&upstream, json!({"auth_type": "api-key"})).await;
    let mcp = bare(&endpoint).bearer(&endpoint.key().await).modern();
    assert_decorated(&mcp, "private").await;
    owner::change_server(&endpoint, json!({"auth_type": "none"})).await;
    assert_eq!(mcp.result("tools/list", json!({})).await["cacheScope"], "public");
}

#[tokio::test]
async fn older_results_have_none_of_this() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let endpoint = shop(&upstream, json!({})).await;
    for mcp in [bare(&endpoint), bare(&endpoint).legacy(NEWEST_LEGACY).await] {
        let all = lasting().into_iter().skip(1).map(|(method, params, _)| (method, params));
        for (method, params) in all.chain(passing()) {
            let result = mcp.result(method, params).await;
            for member in ["resultType", "_meta", "ttlMs", "cacheScope"] {
                assert!(result.get(member).is_none(), "{method}: {result}");
            }
        }
    }
}

#[tokio::test]
async fn a_failed_call_is_a_complete_result_too() {
    let upstream = Upstream::answering(|_| Answer::status(500));
    let endpoint = shop(&upstream, json!({})).await;
    let result = bare(&endpoint).modern().call("t", json!({})).await;
    assert_eq!((&result["isError"], &result["resultType"]), (&json!(true), &json!("complete")));
}

#[tokio::test]
async fn structured_content_is_for_callers_who_know_it() {
    let upstream = Upstream::answering(|_| Answer::json(json!({"n": 1})));
    let endpoint = shop(&upstream, json!({})).await;
    let tools = endpoint.app.client().get(&endpoint.path("/tools")).send().await.expect(200).json();
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    change(&endpoint, &format!("/tools/{}", tools[0]["id"]), json!({"output_schema": schema})).await;
    let old = bare(&endpoint).legacy("2025-03-26").await;
    for mcp in [bare(&endpoint), old] {
        assert_eq!(mcp.call("t", json!({})).await, json!({"content": [{"type": "text", "text": "{\"n\":1}"}]}));
    }
    for mcp in [bare(&endpoint).legacy("2025-06-18").await, bare(&endpoint).modern()] {
        assert_eq!(mcp.call("t", json!({})).await["structuredContent"], json!({"n": 1}));
        assert_eq!(mcp.result("tools/list", json!({})).await["tools"][0]["outputSchema"], schema);
    }
}

#[tokio::test]
async fn a_missing_resource_has_the_code_of_the_callers_revision() {
    let endpoint = shop(&Upstream::answering(|_| Answer::text("ok")), json!({})).await;
    let legacy = bare(&endpoint).legacy(NEWEST_LEGACY).await;
    for (mcp, code) in [(bare(&endpoint), -32002), (legacy, -32002), (bare(&endpoint).modern(), -32602)] {
        let (status, error) = mcp.error("resources/read", json!({"uri": "docs://nowhere"})).await;
        let expected = json!({"code": code, "message": "Resource not found", "data": {"uri": "docs://nowhere"}});
        assert_eq!((status, error), (200, expected));
    }
}

#[tokio::test]
async fn what_a_tool_needs_of_its_client_is_named() {
    let upstream = Upstream::answering(|_| Answer::text("ok"));
    let endpoint = owner::open(json!({})).await;
    let mut fields = owner::tool(&upstream, "t");
    fields["required_client_capabilities"] = json!({"sampling": {}, "roots": {}});
    endpoint.tool(fields).await;
    let call = json!({"name": "t", "arguments": {}});
    let (status, error) = bare(&endpoint).modern_with(json!({"roots": {}})).error("tools/call", call).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)));
    assert_eq!(error["data"], json!({"requiredCapabilities": {"sampling": {}}}));
    assert_eq!(upstream.hits(), 0);
    let able = bare(&endpoint).modern_with(json!({"roots": {}, "sampling": {}}));
    assert_eq!(able.text("t", json!({})).await, "ok");
}
