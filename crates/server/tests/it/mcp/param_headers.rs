//! Arguments that a schema mirrors in headers (`x-mcp-header`): header and argument must match.

use serde_json::{Value, json};
use toolgate_testkit::http::TestRequest;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, assert_refused, bare_client};

async fn start_server_with_tool(upstream: &Upstream) -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    let mut fields = management::tool(upstream, "t");
    fields["input_schema"] = json!({"type": "object", "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "fast": {"type": "boolean", "x-mcp-header": "Fast"},
        "note": {"type": "string"}}});
    fixture.create("/tools", fields).await;
    fixture
}

fn call(mcp: &McpClient, arguments: &Value, headers: &[(&str, &str)]) -> TestRequest {
    let request = mcp.request("tools/call", json!({"name": "t", "arguments": arguments}));
    headers.iter().fold(request, |request, (name, value)| request.append_header(name, value))
}

const REGION: &str = "mcp-param-region";
const COUNT: &str = "mcp-param-count";
const FAST: &str = "mcp-param-fast";

#[tokio::test]
async fn headers_that_match_the_arguments_are_accepted() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_tool(&upstream).await;
    let mcp = bare_client(&fixture).modern();
    let cases: &[(Value, &[(&str, &str)])] = &[
        (json!({}), &[]),
        (json!({"note": "no header is required"}), &[]),
        (json!({"region": "eu"}), &[(REGION, "eu")]),
        (json!({"region": "Zürich"}), &[(REGION, "=?base64?WsO8cmljaA==?=")]),
        (json!({"region": "eu"}), &[(REGION, "=?base64?ZXU=?=")]),
        (json!({"count": 42}), &[(COUNT, "42")]),
        (json!({"count": 42}), &[(COUNT, "42.0")]),
        (json!({"fast": true}), &[(FAST, "true")]),
        (json!({"region": "eu", "count": -1, "fast": false}), &[(REGION, "eu"), (COUNT, "-1"), (FAST, "false")]),
    ];
    for (arguments, headers) in cases {
        let reply = call(&mcp, arguments, headers).send().await.expect(200);
        assert!(reply.json()["result"].get("isError").is_none(), "{arguments}: {reply:?}");
    }
    assert_eq!(upstream.request_count(), cases.len());
    // A null argument has no header; here the schema refuses it.
    let reply = call(&mcp, &json!({"region": null}), &[]).send().await.expect(200);
    assert_eq!(reply.json()["result"]["isError"], true);
}

#[tokio::test]
async fn headers_that_contradict_the_arguments_are_refused_and_nothing_is_sent() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_tool(&upstream).await;
    let mcp = bare_client(&fixture).modern();
    let cases: &[(Value, &[(&str, &str)])] = &[
        (json!({"region": "eu"}), &[]),
        (json!({"region": "eu"}), &[(REGION, "us")]),
        (json!({"region": "eu"}), &[(REGION, "EU")]),
        (json!({"region": "eu"}), &[(REGION, "eu"), (REGION, "eu")]),
        (json!({"region": "eu"}), &[(REGION, "=?base64?ZXU?=")]),
        (json!({"region": "eu"}), &[(REGION, "=?base64?dXM=?=")]),
        (json!({}), &[(REGION, "eu")]),
        (json!({"region": null}), &[(REGION, "null")]),
        (json!({"count": 42}), &[(COUNT, "43")]),
        (json!({"count": 42}), &[(COUNT, "forty-two")]),
        (json!({"count": 9_007_199_254_740_993_u64}), &[(COUNT, "9007199254740992")]),
        (json!({"fast": true}), &[(FAST, "TRUE")]),
        (json!({"fast": true}), &[(FAST, "1")]),
    ];
    for (arguments, headers) in cases {
        let reply = call(&mcp, arguments, headers).send().await;
        assert_eq!(reply.json()["error"]["code"], -32020, "{arguments} {headers:?}: {reply:?}");
        assert_refused(&reply, 400, -32020);
    }
    assert_eq!(upstream.request_count(), 0);
}

#[tokio::test]
async fn older_clients_need_no_parameter_headers() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_tool(&upstream).await;
    for mcp in [bare_client(&fixture), bare_client(&fixture).legacy("2025-11-25").await] {
        call(&mcp, &json!({"region": "eu"}), &[(REGION, "us")]).send().await.expect(200);
    }
    assert_eq!(upstream.request_count(), 2);
}
