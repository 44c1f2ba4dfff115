//! Revision 2026-07-28 is stateless: each request carries its metadata, and headers repeat the values by which proxies
//! route. Faults are checked in a fixed order, so that every client gets the same first error.

use http::Method;
use serde_json::{Value, json};
use toolgate_testkit::mcp::MODERN;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::management::{self, assert_refused, bare_client};

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// Label, parameters, headers, and the expected error code.
type FaultCase<'a> = (&'a str, Value, &'a [(&'a str, &'a str)], i64);

async fn start_server_with_objects(upstream: &Upstream) -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    fixture.create("/tools", management::tool(upstream, "t")).await;
    fixture.create("/prompts", json!({"name": "p", "template_content": "hello"})).await;
    fixture.create("/resources", json!({"uri": "docs://é", "name": "r", "data_source_config": {"content": "x"}})).await;
    fixture
}

fn meta(version: &str) -> Value {
    json!({VERSION_KEY: version, CAPABILITIES_KEY: {}})
}

/// A request with these headers and no others.
async fn post(mcp: &McpClient, method: &str, params: Value, headers: &[(&str, &str)]) -> TestResponse {
    let request =
        headers.iter().fold(mcp.raw_request(Method::POST), |request, (name, value)| request.header(name, value));
    request.json(json!({"jsonrpc": "2.0", "id": 5, "method": method, "params": params})).send().await
}

#[tokio::test]
async fn faults_are_reported_in_the_order_meta_version_header_revision_method_name() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream).await;
    let mcp = bare_client(&fixture);
    let call = |meta: Value| json!({"name": "t", "arguments": {}, "_meta": meta});
    let (version, method, name) = (("mcp-protocol-version", MODERN), ("mcp-method", "tools/call"), ("mcp-name", "t"));
    let unsupported = ("mcp-protocol-version", "2099-01-01");
    let cases: &[FaultCase<'_>] = &[
        ("no _meta", json!({"name": "t"}), &[version, method, name], -32602),
        ("_meta is not an object", call(json!("x")), &[version, method, name], -32602),
        ("no revision in _meta", call(json!({CAPABILITIES_KEY: {}})), &[version], -32602),
        ("revision is not a text", call(json!({VERSION_KEY: 1, CAPABILITIES_KEY: {}})), &[version], -32602),
        ("no capabilities", call(json!({VERSION_KEY: MODERN})), &[version], -32602),
        (
            "capabilities are not an object",
            call(json!({VERSION_KEY: MODERN, CAPABILITIES_KEY: []})),
            &[version],
            -32602,
        ),
        ("no _meta, and an unsupported version header", json!({"name": "t"}), &[unsupported, method, name], -32022),
        (
            "no capabilities, and an unsupported revision",
            call(json!({VERSION_KEY: "2099-01-01"})),
            &[unsupported],
            -32022,
        ),
        ("no version header", call(meta(MODERN)), &[method, name], -32020),
        ("another version header", call(meta(MODERN)), &[unsupported, method, name], -32020),
        ("an older version header", call(meta(MODERN)), &[("mcp-protocol-version", "2025-11-25")], -32020),
        ("another version in _meta", call(meta("2099-01-01")), &[version, method, name], -32020),
        ("an unsupported revision", call(meta("2099-01-01")), &[unsupported], -32022),
        ("no method header", call(meta(MODERN)), &[version, name], -32020),
        ("another method header", call(meta(MODERN)), &[version, ("mcp-method", "tools/list"), name], -32020),
        (
            "the method header in another case",
            call(meta(MODERN)),
            &[version, ("mcp-method", "Tools/Call"), name],
            -32020,
        ),
        ("no name header", call(meta(MODERN)), &[version, method], -32020),
        ("another name header", call(meta(MODERN)), &[version, method, ("mcp-name", "u")], -32020),
    ];
    for (label, params, headers, code) in cases {
        let reply = post(&mcp, "tools/call", params.clone(), headers).await;
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(code)), "{label}: {reply:?}");
        assert_eq!(reply.json()["id"], 5, "{label}");
    }
    assert_eq!(upstream.request_count(), 0);
    post(&mcp, "tools/call", call(meta(MODERN)), &[version, method, name]).await.expect(200);
    assert_eq!(upstream.request_count(), 1);
}

#[tokio::test]
async fn the_error_for_an_unsupported_revision_lists_the_supported_ones() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream).await;
    let mcp = bare_client(&fixture);
    for requested in ["2099-01-01", "2025-11-25"] {
        let headers = [("mcp-protocol-version", requested)];
        let reply = post(&mcp, "tools/list", json!({"_meta": meta(requested)}), &headers).await;
        assert_refused(&reply, 400, -32022);
        let data = &reply.json()["error"]["data"];
        assert_eq!(data["requested"], requested);
        let supported = json!([MODERN, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
        assert_eq!(data["supported"], supported);
    }
}

#[tokio::test]
async fn a_later_revision_in_the_header_alone_is_refused_with_the_supported_ones() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream).await;
    let mcp = bare_client(&fixture);
    for method in ["initialize", "tools/list", "tools/call", "server/discover", "unknown/method"] {
        let reply = post(&mcp, method, json!({}), &[("mcp-protocol-version", "2029-01-01")]).await;
        assert_refused(&reply, 400, -32022);
        let data = &reply.json()["error"]["data"];
        assert_eq!((&data["requested"], &data["supported"][0]), (&json!("2029-01-01"), &json!(MODERN)), "{method}");
    }
}

#[tokio::test]
async fn the_name_header_must_match_the_request() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream).await;
    let mcp = bare_client(&fixture);
    let common = |method| [("mcp-protocol-version", MODERN), ("mcp-method", method)];
    for (method, params, name) in [
        ("prompts/get", json!({"name": "p"}), "p"),
        ("resources/read", json!({"uri": "docs://é"}), "=?base64?ZG9jczovL8OpCg==?="),
    ] {
        let mut params = params;
        params["_meta"] = meta(MODERN);
        assert_refused(&post(&mcp, method, params.clone(), &common(method)).await, 400, -32020);
        // The decoded name of the resource ends in a line break, so it does not match.
        let [version, method_header] = common(method);
        let reply = post(&mcp, method, params, &[version, method_header, ("mcp-name", name)]).await;
        assert_eq!(reply.status, if method == "prompts/get" { 200 } else { 400 }, "{reply:?}");
    }
    let modern = mcp.modern();
    assert_eq!(modern.result("resources/read", json!({"uri": "docs://é"})).await["contents"][0]["text"], "x");
    // Other methods need no name, and ignore it.
    modern.request("tools/list", json!({})).header("mcp-name", "anything").send().await.expect(200);
}

#[tokio::test]
async fn headers_may_be_base64_and_bad_base64_is_refused() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture = start_server_with_objects(&upstream).await;
    let modern = bare_client(&fixture).modern();
    let call = || modern.request("tools/call", json!({"name": "t", "arguments": {}}));
    call()
        .header("mcp-name", "=?base64?dA==?=")
        .header("mcp-method", "=?base64?dG9vbHMvY2FsbA==?=")
        .send()
        .await
        .expect(200);
    for bad in ["=?base64?dA?=", "=?base64?dA==", "=?base64?!!?=", "=?base64?/w==?=", "=?BASE64?dA==?=", "=?base64??="]
    {
        assert_refused(&call().header("mcp-name", bad).send().await, 400, -32020);
    }
    assert_refused(&call().append_header("mcp-name", "t").send().await, 400, -32020);
    assert_refused(&call().append_header("mcp-protocol-version", MODERN).send().await, 400, -32020);
    assert_eq!(upstream.request_count(), 1);
}
