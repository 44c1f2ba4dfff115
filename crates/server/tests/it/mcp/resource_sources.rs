//! Resources with external content: a URL, a WordPress site, or a tool of the same server.

use serde_json::{Value, json};
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::management::{self, bare_client};

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn resource(uri: &str, kind: &str, config: Value) -> Value {
    json!({"uri": uri, "name": "r", "mime_type": "application/json", "data_source_type": kind,
        "data_source_config": config})
}

fn with_template(mut fields: Value, template: &str) -> Value {
    fields["template_uri"] = template.into();
    fields
}

async fn read(mcp: &McpClient, uri: &str) -> Value {
    mcp.result("resources/read", json!({"uri": uri})).await["contents"][0].clone()
}

async fn error_message(mcp: &McpClient, uri: &str) -> String {
    let (status, error) = mcp.error("resources/read", json!({"uri": uri})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32603)), "{error}");
    error["message"].as_str().unwrap().to_owned()
}

/// An upstream that returns the request line.
fn echo_upstream() -> Upstream {
    Upstream::with_handler(|request| MockResponse::text(format!("{} {}", request.method, request.target)))
}

#[tokio::test]
async fn a_text_response_is_text_and_any_other_is_a_blob() {
    let upstream = Upstream::builder()
        .route("/text", MockResponse::bytes("text/plain; charset=iso-8859-1", &b"caf\xe9"[..]))
        .route("/json", MockResponse::bytes("application/json", r#"{"a": 1.0}"#))
        .route("/png", MockResponse::bytes("image/png", &b"\x89PNG\r\n\x1a\n\0"[..]))
        .route("/other", MockResponse::bytes("application/octet-stream", &b"\xff\0\xfe"[..]))
        .route("/empty", MockResponse::status(204))
        .start();
    let fixture = management::start_server(json!({})).await;
    for path in ["text", "json", "png", "other", "empty"] {
        let config = json!({"url": upstream.url(&format!("/{path}"))});
        fixture.create("/resources", resource(&format!("up://{path}"), "url", config)).await;
    }
    let mcp = bare_client(&fixture);
    for (path, member, content) in [
        ("text", "text", "café"),
        ("json", "text", r#"{"a": 1.0}"#),
        ("png", "blob", "iVBORw0KGgoA"),
        ("other", "blob", "/wD+"),
        ("empty", "text", ""),
    ] {
        let uri = format!("up://{path}");
        let expected = json!({"uri": uri, "mimeType": "application/json", member: content});
        assert_eq!(read(&mcp, &uri).await, expected);
    }
}

#[tokio::test]
async fn a_url_is_requested_as_configured_with_its_credential() {
    let upstream = echo_upstream();
    let fixture = management::start_server(json!({})).await;
    let config = json!({"url": upstream.url("/r?v=1"), "method": "POST", "headers": {"X-One": "1"},
        "auth_type": "api-key", "auth_credentials": {"key_name": "k", "key_value": "s3cret", "key_location": "query"}});
    fixture.create("/resources", resource("up://r", "url", config)).await;
    assert_eq!(read(&bare_client(&fixture), "up://r").await["text"], "POST /r?v=1&k=********");
    assert_eq!((upstream.last().query(), upstream.last().header("x-one")), (Some("v=1&k=s3cret"), Some("1")));
}

#[tokio::test]
async fn variables_fill_a_url_and_stay_in_their_component() {
    let upstream = echo_upstream();
    let fixture = management::start_server(json!({})).await;
    let config = json!({"url": upstream.url("/items/{id}{?q}")});
    fixture.create("/resources", with_template(resource("up://i", "url", config), "up://i/{id}{?q}")).await;
    let config = json!({"url": upstream.url("/files/{+path}")});
    fixture.create("/resources", with_template(resource("up://f", "url", config), "up://f/{+path}")).await;
    let mcp = bare_client(&fixture);
    for (uri, requested) in [
        ("up://i/7", "GET /items/7"),
        ("up://i/a%2Fb%3Fc", "GET /items/a%2Fb%3Fc"),
        ("up://i/7?q=x%26y", "GET /items/7?q=x%26y"),
        ("up://f/a/b", "GET /files/a/b"),
    ] {
        assert_eq!(read(&mcp, uri).await["text"], requested, "{uri}");
    }
    let requests_before = upstream.request_count();
    for uri in ["up://i/..", "up://i/%2E%2E", "up://f/../admin", "up://f/a/%2e%2e/%2e%2e/b"] {
        error_message(&mcp, uri).await;
    }
    assert_eq!(upstream.request_count(), requests_before);
}

#[tokio::test]
async fn an_upstream_that_fails_is_an_internal_error_with_its_reason() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("gone fishing").with_status(503));
    let fixture = management::start_server(json!({})).await;
    fixture.create("/resources", resource("up://r", "url", json!({"url": upstream.url("/")}))).await;
    let message = error_message(&bare_client(&fixture), "up://r").await;
    assert!(message.contains("HTTP 503 Service Unavailable: gone fishing"), "{message}");
}

#[tokio::test]
async fn a_fetched_resource_is_cached_for_its_ttl() {
    let upstream = echo_upstream();
    let fixture = management::start_server(json!({})).await;
    fixture.create("/resources", resource("up://fresh", "url", json!({"url": upstream.url("/fresh")}))).await;
    let config = json!({"url": upstream.url("/cached"), "cache_ttl": 300});
    fixture.create("/resources", resource("up://cached", "url", config)).await;
    let mcp = bare_client(&fixture);
    for _ in 0..3 {
        read(&mcp, "up://fresh").await;
        read(&mcp, "up://cached").await;
    }
    assert_eq!((upstream.request_count_for("/fresh"), upstream.request_count_for("/cached")), (3, 1));
}

#[tokio::test]
async fn a_wordpress_query_is_translated_to_its_rest_api() {
    let upstream = echo_upstream();
    let fixture = management::start_server(json!({})).await;
    let query = json!({"post_type": "page", "posts_per_page": 5, "s": "a b", "paged": 2, "order": "DESC"});
    let config = json!({"site_url": upstream.url("/blog/"), "query": query, "fields": ["id", "title"]});
    fixture.create("/resources", resource("wp://pages", "wp_query", config)).await;
    let config = json!({"site_url": upstream.url(""), "query": {"search": "{{q}}", "p": 7},
        "auth_type": "basic", "auth_credentials": {"username": "u", "password": "p"}});
    fixture.create("/resources", with_template(resource("wp://find", "wp_query", config), "wp://find/{q}")).await;
    let mcp = bare_client(&fixture);
    let target = "/blog/wp-json/wp/v2/pages?per_page=5&search=a%20b&page=2&order=desc&_fields=id,title";
    assert_eq!(read(&mcp, "wp://pages").await["text"], format!("GET {target}"));
    let expected = "GET /wp-json/wp/v2/posts?search=x%26y%3D1&include=7";
    assert_eq!(read(&mcp, "wp://find/x%26y=1").await["text"], expected);
    assert_eq!(upstream.last().header("authorization"), Some("Basic dTpw"));
}

async fn start_server_with_tool(upstream: &Upstream) -> ServiceFixture {
    let fixture = management::start_server(json!({})).await;
    let text = json!({"type": "string"});
    let mut fields = management::tool(upstream, "find");
    fields["input_schema"] = json!({"type": "object", "properties": {"q": text, "lang": text}, "required": ["q"]});
    fixture.create("/tools", fields).await;
    fixture
}

#[tokio::test]
async fn a_dynamic_resource_contains_the_result_of_its_tool() {
    let upstream = echo_upstream();
    let fixture = start_server_with_tool(&upstream).await;
    let config = json!({"tool": "find", "arguments": {"q": "fixed", "lang": "en"}});
    fixture.create("/resources", resource("dyn://fixed", "dynamic", config.clone())).await;
    fixture.create("/resources", with_template(resource("dyn://by", "dynamic", config), "dyn://by/{q}")).await;
    let mcp = bare_client(&fixture);
    assert_eq!(read(&mcp, "dyn://fixed").await["text"], "GET /find?q=fixed&lang=en");
    assert_eq!(read(&mcp, "dyn://by").await["text"], "GET /find?q=fixed&lang=en");
    // Variables of the URI override the configuration.
    assert_eq!(read(&mcp, "dyn://by/a%26b").await["text"], "GET /find?q=a%26b&lang=en");
}

#[tokio::test]
async fn a_failing_paused_or_missing_tool_is_an_internal_error() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("no").with_status(500));
    let fixture = start_server_with_tool(&upstream).await;
    fixture
        .create("/resources", resource("dyn://fails", "dynamic", json!({"tool": "find", "arguments": {"q": "x"}})))
        .await;
    fixture.create("/resources", resource("dyn://lacks", "dynamic", json!({"tool": "find"}))).await;
    fixture.create("/resources", resource("dyn://gone", "dynamic", json!({"tool": "no_such_tool"}))).await;
    let mcp = bare_client(&fixture);
    assert!(error_message(&mcp, "dyn://fails").await.contains("HTTP 500"));
    assert!(error_message(&mcp, "dyn://lacks").await.contains('q'));
    assert_eq!(upstream.request_count(), 1);
    assert!(error_message(&mcp, "dyn://gone").await.contains("no_such_tool"));
    let tools = fixture.app.client().get(&fixture.path("/tools")).send().await.expect(200).json();
    management::change(&fixture, &format!("/tools/{}/toggle", tools[0]["id"]), json!({})).await;
    assert!(error_message(&mcp, "dyn://fails").await.contains("find"));
    assert_eq!(upstream.request_count(), 1);
}

#[tokio::test]
async fn an_image_from_a_tool_is_a_blob_of_its_type() {
    let upstream = Upstream::with_handler(|_| MockResponse::bytes("image/png", &b"\x89PNG"[..]));
    let fixture = start_server_with_tool(&upstream).await;
    fixture
        .create("/resources", resource("dyn://p", "dynamic", json!({"tool": "find", "arguments": {"q": "x"}})))
        .await;
    let expected = json!({"uri": "dyn://p", "mimeType": "image/png", "blob": "iVBORw=="});
    assert_eq!(read(&bare_client(&fixture), "dyn://p").await, expected);
}

#[tokio::test]
async fn variables_are_converted_to_the_types_of_the_tool() {
    let upstream = echo_upstream();
    let fixture = management::start_server(json!({})).await;
    let mut tool = management::tool(&upstream, "get");
    tool["input_schema"] = json!({"properties": {"id": {"type": "integer"}, "on": {"type": "boolean"},
        "code": {"type": "string"}}});
    tool["endpoint_url"] = upstream.url("/x").into();
    fixture.create("/tools", tool).await;
    let fields = resource("d://all", "dynamic", json!({"tool": "get"}));
    fixture.create("/resources", with_template(fields, "d://x/{id}/{on}/{code}")).await;
    let content = read(&bare_client(&fixture), "d://x/7/true/42").await;
    assert_eq!(content["text"], "GET /x?id=7&on=true&code=42");
    assert!(error_message(&bare_client(&fixture), "d://x/seven/true/42").await.contains("\"id\""));
}
