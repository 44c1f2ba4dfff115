//! Metadata of results, and errors for missing objects, in each protocol era.

use serde_json::{Value, json};
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, bare_client, change};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

async fn start_server_with_objects(upstream: &Upstream, fields: Value) -> ServiceFixture {
    let fixture = management::start_server(fields).await;
    fixture.create("/tools", management::tool(upstream, "t")).await;
    fixture.create("/prompts", json!({"name": "p", "template_content": "hello"})).await;
    fixture
        .create("/resources", json!({"uri": "docs://here", "name": "r", "data_source_config": {"content": "x"}}))
        .await;
    let remote_config = json!({"url": upstream.url("/r")});
    fixture
        .create(
            "/resources",
            json!({"uri": "docs://there", "name": "r", "data_source_type": "url", "data_source_config": remote_config}),
        )
        .await;
    fixture
}

/// Requests whose results have a TTL, with the TTL in milliseconds.
fn cacheable_requests() -> Vec<(&'static str, Value, u64)> {
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

fn uncacheable_requests() -> Vec<(&'static str, Value)> {
    let complete = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}});
    vec![
        ("tools/call", json!({"name": "t", "arguments": {}})),
        ("prompts/get", json!({"name": "p"})),
        ("completion/complete", complete),
    ]
}

async fn assert_metadata(mcp: &McpClient, scope: &str) {
    for (method, params, ttl_ms) in cacheable_requests() {
        let result = mcp.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}: {result}");
        assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(ttl_ms), &json!(scope)), "{method}: {result}");
        assert_eq!(result["_meta"][SERVER_INFO]["title"], "Shop", "{method}: {result}");
    }
    for (method, params) in uncacheable_requests() {
        let result = mcp.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}: {result}");
        assert_eq!(result["_meta"][SERVER_INFO]["title"], "Shop", "{method}: {result}");
        assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none(), "{method}: {result}");
    }
}

#[tokio::test]
async fn modern_results_have_a_type_server_info_and_a_ttl() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream, json!({})).await;
    assert_metadata(&bare_client(&fixture).modern(), "public").await;
}

#[tokio::test]
async fn results_behind_a_key_are_private() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream, json!({"auth_type": "api-key"})).await;
    let mcp = bare_client(&fixture).bearer(&fixture.create_key().await).modern();
    assert_metadata(&mcp, "private").await;
    management::change_server(&fixture, json!({"auth_type": "none"})).await;
    assert_eq!(mcp.result("tools/list", json!({})).await["cacheScope"], "public");
}

#[tokio::test]
async fn older_results_have_no_modern_members() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream, json!({})).await;
    for mcp in [bare_client(&fixture), bare_client(&fixture).legacy(NEWEST_LEGACY).await] {
        // Only modern clients may send the first request, `server/discover`.
        let all = cacheable_requests().into_iter().skip(1).map(|(method, params, _)| (method, params));
        for (method, params) in all.chain(uncacheable_requests()) {
            let result = mcp.result(method, params).await;
            for member in ["resultType", "_meta", "ttlMs", "cacheScope"] {
                assert!(result.get(member).is_none(), "{method}: {result}");
            }
        }
    }
}

#[tokio::test]
async fn a_failed_call_is_a_complete_result_too() {
    let upstream = Upstream::with_handler(|_| MockResponse::status(500));
    let fixture = start_server_with_objects(&upstream, json!({})).await;
    let result = bare_client(&fixture).modern().call("t", json!({})).await;
    assert_eq!((&result["isError"], &result["resultType"]), (&json!(true), &json!("complete")));
}

#[tokio::test]
async fn structured_content_is_sent_only_to_revisions_that_support_it() {
    let upstream = Upstream::with_handler(|_| MockResponse::json(json!({"n": 1})));
    let fixture = start_server_with_objects(&upstream, json!({})).await;
    let tools = fixture.app.client().get(&fixture.path("/tools")).send().await.expect(200).json();
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    change(&fixture, &format!("/tools/{}", tools[0]["id"]), json!({"output_schema": schema})).await;
    let without_structured_content = bare_client(&fixture).legacy("2025-03-26").await;
    for mcp in [bare_client(&fixture), without_structured_content] {
        assert_eq!(mcp.call("t", json!({})).await, json!({"content": [{"type": "text", "text": "{\"n\":1}"}]}));
    }
    for mcp in [bare_client(&fixture).legacy("2025-06-18").await, bare_client(&fixture).modern()] {
        assert_eq!(mcp.call("t", json!({})).await["structuredContent"], json!({"n": 1}));
        assert_eq!(mcp.result("tools/list", json!({})).await["tools"][0]["outputSchema"], schema);
    }
}

#[tokio::test]
async fn a_missing_resource_has_the_error_code_of_the_clients_revision() {
    let fixture = start_server_with_objects(&Upstream::with_handler(|_| MockResponse::text("ok")), json!({})).await;
    let legacy = bare_client(&fixture).legacy(NEWEST_LEGACY).await;
    for (mcp, code) in [(bare_client(&fixture), -32002), (legacy, -32002), (bare_client(&fixture).modern(), -32602)] {
        let (status, error) = mcp.error("resources/read", json!({"uri": "docs://nowhere"})).await;
        let expected = json!({"code": code, "message": "Resource not found", "data": {"uri": "docs://nowhere"}});
        assert_eq!((status, error), (200, expected));
    }
}

#[tokio::test]
async fn missing_client_capabilities_are_named() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = management::start_server(json!({})).await;
    let mut fields = management::tool(&upstream, "t");
    fields["required_client_capabilities"] = json!({"sampling": {}, "roots": {}});
    fixture.create("/tools", fields).await;
    let call = json!({"name": "t", "arguments": {}});
    let (status, error) =
        bare_client(&fixture).modern_with_capabilities(json!({"roots": {}})).error("tools/call", call).await;
    assert_eq!((status, &error["code"]), (400, &json!(-32021)));
    assert_eq!(error["data"], json!({"requiredCapabilities": {"sampling": {}}}));
    assert_eq!(upstream.request_count(), 0);
    let capable = bare_client(&fixture).modern_with_capabilities(json!({"roots": {}, "sampling": {}}));
    assert_eq!(capable.text("t", json!({})).await, "ok");
}
