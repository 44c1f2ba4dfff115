//! Headers of upstream requests: the headers of the tool, and none of the caller's.

use serde_json::json;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::start;

async fn fixture() -> ServiceFixture {
    start(Upstream::with_handler(|_| MockResponse::text("ok"))).await
}

#[tokio::test]
async fn static_headers_are_sent_including_secret_ones() {
    let fixture = fixture().await;
    let headers = json!({"Accept": "application/ld+json", "X-Api-Key": "header-secret-1", "Cookie": "sid=cookie-secret-2",
        "User-Agent": "own/1", "X-Empty": "", "X-Stars": "********"});
    let id = fixture.create_tool(json!({"headers": headers})).await;
    fixture.caller().text("tool", json!({})).await;
    let received = fixture.upstream.last();
    for (name, value) in headers.as_object().unwrap() {
        assert_eq!(received.header(name), value.as_str(), "{name}");
    }
    // A masked value can be written back: the secret does not change.
    let stored = fixture.api.get(&format!("/tools/{id}")).send().await.expect(200).json();
    assert_eq!(stored["headers"]["Cookie"], "********");
    fixture.update_tool(id, json!({"headers": stored["headers"]})).await;
    fixture.caller().text("tool", json!({})).await;
    assert_eq!(fixture.upstream.last().header("cookie"), Some("sid=cookie-secret-2"));
}

#[tokio::test]
async fn headers_that_frame_a_message_are_left_to_the_transport() {
    let fixture = fixture().await;
    let headers = json!({"Host": "evil.example", "Content-Length": "3", "Connection": "close, x-kept",
        "Transfer-Encoding": "chunked", "Accept-Encoding": "zstd", "TE": "trailers", "Upgrade": "h2c",
        "Keep-Alive": "timeout=1", "Trailer": "X-T", "Expect": "100-continue", "Proxy-Authorization": "Basic eA==",
        "Proxy-Connection": "close", "x-kept": "yes"});
    let input_schema = json!({"type": "object", "properties": {"a": {}}});
    fixture.create_tool(json!({"http_method": "POST", "headers": headers, "input_schema": input_schema})).await;
    fixture.caller().text("tool", json!({"a": 1})).await;
    let received = fixture.upstream.last();
    assert_eq!(received.header("host"), Some(fixture.upstream.address().to_string().as_str()));
    assert_eq!(received.header("content-length"), Some("7"), "{received:?}");
    assert_eq!(received.header("accept-encoding"), Some("gzip, br"));
    assert_eq!((received.header("x-kept"), received.text().as_str()), (Some("yes"), r#"{"a":1}"#));
    for name in [
        "connection",
        "transfer-encoding",
        "te",
        "upgrade",
        "keep-alive",
        "trailer",
        "expect",
        "proxy-authorization",
        "proxy-connection",
    ] {
        assert_eq!(received.header_values(name), [""; 0], "{name}");
    }
}

#[tokio::test]
async fn no_header_of_the_caller_reaches_the_upstream() {
    let fixture = fixture().await;
    fixture.create_tool(json!({})).await;
    let caller = fixture
        .caller()
        .bearer("caller-token-123456")
        .header("cookie", "caller-cookie-123456")
        .header("x-api-key", "caller-key-123456")
        .header("x-forwarded-for", "203.0.113.9")
        .header("forwarded", "for=203.0.113.9")
        .header("proxy-authorization", "Basic caller-proxy-123456")
        .header("x-custom", "caller-custom-123456")
        .header("user-agent", "caller-agent-123456")
        .header("referer", "http://caller.example/")
        .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        .header("x-request-id", "caller-request-123456");
    for caller in [caller.clone(), caller.clone().modern(), caller.legacy("2025-11-25").await] {
        caller.text("tool", json!({})).await;
        let received = fixture.upstream.last();
        let mut names: Vec<String> = received.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"], "{received:?}");
        assert!(received.header("user-agent").unwrap().starts_with("Toolgate/"), "{received:?}");
        assert_eq!(received.header("accept"), Some("*/*"));
    }
}

#[tokio::test]
async fn cookies_of_an_upstream_are_not_stored() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok").header("set-cookie", "sid=upstream; Path=/"));
    let fixture = start(upstream).await;
    fixture.create_tool(json!({})).await;
    for _ in 0..2 {
        let reply = fixture.caller().send("tools/call", json!({"name": "tool"})).await.expect(200);
        assert_eq!(reply.header("set-cookie"), None);
        assert_eq!(fixture.upstream.last().header("cookie"), None);
    }
}
