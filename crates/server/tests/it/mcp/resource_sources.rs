//! Resources whose content lies elsewhere: at an address, at a WordPress site, or behind a tool of the same server.

use serde_json::{Value, json};
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::endpoint::Endpoint;
use super::owner::{self, bare};

#[expect(clippy::needless_pass_by_value, reason = "tests write json!(..) in place")]
fn resource(uri: &str, kind: &str, config: Value) -> Value {
    json!({"uri": uri, "name": "r", "mime_type": "application/json", "data_source_type": kind,
        "data_source_config": config})
}

fn with_template(mut fields: Value, template: &str) -> Value {
    fields["template_uri"] = template.into();
    fields
}

async fn read(mcp: &Mcp, uri: &str) -> Value {
    mcp.result("resources/read", json!({"uri": uri})).await["contents"][0].clone()
}

async fn failure(mcp: &Mcp, uri: &str) -> String {
    let (status, error) = mcp.error("resources/read", json!({"uri": uri})).await;
    assert_eq!((status, &error["code"]), (200, &json!(-32603)), "{error}");
    error["message"].as_str().unwrap().to_owned()
}

/// An upstream that tells what it was asked.
fn telling() -> Upstream {
    Upstream::answering(|request| Answer::text(format!("{} {}", request.method, request.target)))
}

#[tokio::test]
async fn text_at_an_address_is_text_and_anything_else_is_a_blob() {
    let upstream = Upstream::builder()
        .route("/text", Answer::bytes("text/plain; charset=iso-8859-1", &b"caf\xe9"[..]))
        .route("/json", Answer::bytes("application/json", r#"{"a": 1.0}"#))
        .route("/png", Answer::bytes("image/png", &b"\x89PNG\r\n\x1a\n\0"[..]))
        .route("/other", Answer::bytes("application/octet-stream", &b"\xff\0\xfe"[..]))
        .route("/empty", Answer::status(204))
        .start();
    let endpoint = owner::open(json!({})).await;
    for path in ["text", "json", "png", "other", "empty"] {
        let config = json!({"url": upstream.url(&format!("/{path}"))});
        endpoint.resource(resource(&format!("up://{path}"), "url", config)).await;
    }
    let mcp = bare(&endpoint);
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
async fn an_address_is_asked_as_configured_with_its_credential() {
    let upstream = telling();
    let endpoint = owner::open(json!({})).await;
    let config = json!({"url": upstream.url("/r?v=1"), "method": "POST", "headers": {"X-One": "1"},
        "auth_type": "api-key", "auth_credentials": {"key_name": "k", "key_value": "s3cret", "key_location": "query"}});
    endpoint.resource(resource("up://r", "url", config)).await;
    assert_eq!(read(&bare(&endpoint), "up://r").await["text"], "POST /r?v=1&k=s3cret");
    assert_eq!(upstream.last().header("x-one"), Some("1"));
}

#[tokio::test]
async fn variables_fill_an_address_and_stay_in_their_place() {
    let upstream = telling();
    let endpoint = owner::open(json!({})).await;
    let config = json!({"url": upstream.url("/items/{id}{?q}")});
    endpoint.resource(with_template(resource("up://i", "url", config), "up://i/{id}{?q}")).await;
    let config = json!({"url": upstream.url("/files/{+path}")});
    endpoint.resource(with_template(resource("up://f", "url", config), "up://f/{+path}")).await;
    let mcp = bare(&endpoint);
    for (uri, asked) in [
        ("up://i/7", "GET /items/7"),
        ("up://i/a%2Fb%3Fc", "GET /items/a%2Fb%3Fc"),
        ("up://i/7?q=x%26y", "GET /items/7?q=x%26y"),
        ("up://f/a/b", "GET /files/a/b"),
    ] {
        assert_eq!(read(&mcp, uri).await["text"], asked, "{uri}");
    }
    let before = upstream.hits();
    for uri in ["up://i/..", "up://i/%2E%2E", "up://f/../admin", "up://f/a/%2e%2e/%2e%2e/b"] {
        failure(&mcp, uri).await;
    }
    assert_eq!(upstream.hits(), before);
}

#[tokio::test]
async fn an_upstream_that_fails_is_an_internal_error_with_its_reason() {
    let upstream = Upstream::answering(|_| Answer::text("gone fishing").with_status(503));
    let endpoint = owner::open(json!({})).await;
    endpoint.resource(resource("up://r", "url", json!({"url": upstream.url("/")}))).await;
    let message = failure(&bare(&endpoint), "up://r").await;
    assert!(message.contains("HTTP 503 Service Unavailable: gone fishing"), "{message}");
}

#[tokio::test]
async fn a_fetched_resource_is_kept_as_long_as_it_says() {
    let upstream = telling();
    let endpoint = owner::open(json!({})).await;
    endpoint.resource(resource("up://fresh", "url", json!({"url": upstream.url("/fresh")}))).await;
    let config = json!({"url": upstream.url("/kept"), "cache_ttl": 300});
    endpoint.resource(resource("up://kept", "url", config)).await;
    let mcp = bare(&endpoint);
    for _ in 0..3 {
        read(&mcp, "up://fresh").await;
        read(&mcp, "up://kept").await;
    }
    assert_eq!((upstream.hits_of("/fresh"), upstream.hits_of("/kept")), (3, 1));
}

#[tokio::test]
async fn a_wordpress_site_is_asked_in_its_own_words() {
    let upstream = telling();
    let endpoint = owner::open(json!({})).await;
    let query = json!({"post_type": "page", "posts_per_page": 5, "s": "a b", "paged": 2, "order": "DESC"});
    let config = json!({"site_url": upstream.url("/blog/"), "query": query, "fields": ["id", "title"]});
    endpoint.resource(resource("wp://pages", "wp_query", config)).await;
    let config = json!({"site_url": upstream.url(""), "query": {"search": "{{q}}", "p": 7},
        "auth_type": "basic", "auth_credentials": {"username": "u", "password": "p"}});
    endpoint.resource(with_template(resource("wp://find", "wp_query", config), "wp://find/{q}")).await;
    let mcp = bare(&endpoint);
    let target = "/blog/wp-json/wp/v2/pages?per_page=5&search=a%20b&page=2&order=desc&_fields=id,title";
    assert_eq!(read(&mcp, "wp://pages").await["text"], format!("GET {target}"));
    let expected = "GET /wp-json/wp/v2/posts?search=x%26y%3D1&include=7";
    assert_eq!(read(&mcp, "wp://find/x%26y=1").await["text"], expected);
    assert_eq!(upstream.last().header("authorization"), Some("Basic dTpw"));
}

async fn with_tool(upstream: &Upstream) -> Endpoint {
    let endpoint = owner::open(json!({})).await;
    let text = json!({"type": "string"});
    let mut fields = owner::tool(upstream, "find");
    fields["input_schema"] = json!({"type": "object", "properties": {"q": text, "lang": text}, "required": ["q"]});
    endpoint.tool(fields).await;
    endpoint
}

#[tokio::test]
async fn a_tools_result_is_the_content_with_variables_among_its_arguments() {
    let upstream = telling();
    let endpoint = with_tool(&upstream).await;
    let config = json!({"tool": "find", "arguments": {"q": "fixed", "lang": "en"}});
    endpoint.resource(resource("dyn://fixed", "dynamic", config.clone())).await;
    endpoint.resource(with_template(resource("dyn://by", "dynamic", config), "dyn://by/{q}")).await;
    let mcp = bare(&endpoint);
    assert_eq!(read(&mcp, "dyn://fixed").await["text"], "GET /find?q=fixed&lang=en");
    assert_eq!(read(&mcp, "dyn://by").await["text"], "GET /find?q=fixed&lang=en");
    // What the address says wins over what the configuration says.
    assert_eq!(read(&mcp, "dyn://by/a%26b").await["text"], "GET /find?q=a%26b&lang=en");
}

#[tokio::test]
async fn a_tool_that_fails_is_paused_or_gone_is_an_internal_error() {
    let upstream = Upstream::answering(|_| Answer::text("no").with_status(500));
    let endpoint = with_tool(&upstream).await;
    endpoint.resource(resource("dyn://fails", "dynamic", json!({"tool": "find", "arguments": {"q": "x"}}))).await;
    endpoint.resource(resource("dyn://lacks", "dynamic", json!({"tool": "find"}))).await;
    endpoint.resource(resource("dyn://gone", "dynamic", json!({"tool": "no_such_tool"}))).await;
    let mcp = bare(&endpoint);
    assert!(failure(&mcp, "dyn://fails").await.contains("HTTP 500"));
    assert!(failure(&mcp, "dyn://lacks").await.contains('q'));
    assert_eq!(upstream.hits(), 1);
    assert!(failure(&mcp, "dyn://gone").await.contains("no_such_tool"));
    let tools = endpoint.app.client().get(&endpoint.path("/tools")).send().await.expect(200).json();
    owner::change(&endpoint, &format!("/tools/{}/toggle", tools[0]["id"]), json!({})).await;
    assert!(failure(&mcp, "dyn://fails").await.contains("find"));
    assert_eq!(upstream.hits(), 1);
}

#[tokio::test]
async fn a_picture_from_a_tool_is_a_blob_of_its_own_type() {
    let upstream = Upstream::answering(|_| Answer::bytes("image/png", &b"\x89PNG"[..]));
    let endpoint = with_tool(&upstream).await;
    endpoint.resource(resource("dyn://p", "dynamic", json!({"tool": "find", "arguments": {"q": "x"}}))).await;
    let expected = json!({"uri": "dyn://p", "mimeType": "image/png", "blob": "iVBORw=="});
    assert_eq!(read(&bare(&endpoint), "dyn://p").await, expected);
}

#[tokio::test]
async fn variables_become_numbers_where_the_tool_wants_them_so() {
    let upstream = telling();
    let endpoint = owner::open(json!({})).await;
    let mut tool = owner::tool(&upstream, "get");
    tool["input_schema"] = json!({"properties": {"id": {"type": "integer"}, "on": {"type": "boolean"},
        "code": {"type": "string"}}});
    tool["endpoint_url"] = upstream.url("/x").into();
    endpoint.tool(tool).await;
    let fields = resource("d://all", "dynamic", json!({"tool": "get"}));
    endpoint.resource(with_template(fields, "d://x/{id}/{on}/{code}")).await;
    let content = read(&bare(&endpoint), "d://x/7/true/42").await;
    assert_eq!(content["text"], "GET /x?id=7&on=true&code=42");
    assert!(failure(&bare(&endpoint), "d://x/seven/true/42").await.contains("'id'"));
}
