//! Headers on their way out: those that the tool's owner wrote, and none of the caller's.

use serde_json::json;
use toolgate_testkit::{Answer, Upstream};

use super::setup::Stage;

async fn stage() -> Stage {
    Stage::new(Upstream::answering(|_| Answer::text("ok"))).await
}

#[tokio::test]
async fn static_headers_are_sent_secret_ones_included() {
    let stage = stage().await;
    let headers = json!({"Accept": "application/ld+json", "X-Api-Key": "header-secret-1", "Cookie": "sid=cookie-secret-2",
        "User-Agent": "own/1", "X-Empty": "", "X-Stars": "********"});
    let id = stage.tool(json!({"headers": headers})).await;
    stage.caller().text("tool", json!({})).await;
    let seen = stage.upstream.last();
    for (name, value) in headers.as_object().unwrap() {
        assert_eq!(seen.header(name), value.as_str(), "{name}");
    }
    // What is read back can be written back: the mask leaves the secrets as they are.
    let read = stage.api.get(&format!("/tools/{id}")).send().await.expect(200).json();
    assert_eq!(read["headers"]["Cookie"], "********");
    stage.update(id, json!({"headers": read["headers"]})).await;
    stage.caller().text("tool", json!({})).await;
    assert_eq!(stage.upstream.last().header("cookie"), Some("sid=cookie-secret-2"));
}

#[tokio::test]
async fn headers_that_frame_a_message_are_left_to_the_transport() {
    let stage = stage().await;
    let headers = json!({"Host": "evil.example", "Content-Length": "3", "Connection": "close, x-kept",
        "Transfer-Encoding": "chunked", "Accept-Encoding": "zstd", "TE": "trailers", "Upgrade": "h2c",
        "Keep-Alive": "timeout=1", "Trailer": "X-T", "Expect": "100-continue", "Proxy-Authorization": "Basic eA==",
        "Proxy-Connection": "close", "x-kept": "yes"});
    let properties = json!({"type": "object", "properties": {"a": {}}});
    stage.tool(json!({"http_method": "POST", "headers": headers, "input_schema": properties})).await;
    stage.caller().text("tool", json!({"a": 1})).await;
    let seen = stage.upstream.last();
    assert_eq!(seen.header("host"), Some(stage.upstream.address().to_string().as_str()));
    assert_eq!(seen.header("content-length"), Some("7"), "{seen:?}");
    assert_eq!(seen.header("accept-encoding"), Some("gzip, br"));
    assert_eq!((seen.header("x-kept"), seen.text().as_str()), (Some("yes"), r#"{"a":1}"#));
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
        assert_eq!(seen.header_values(name), [""; 0], "{name}");
    }
}

#[tokio::test]
async fn nothing_that_a_caller_sends_along_reaches_the_upstream() {
    let stage = stage().await;
    stage.tool(json!({})).await;
    let caller = stage
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
        let seen = stage.upstream.last();
        let mut names: Vec<String> = seen.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"], "{seen:?}");
        assert!(seen.header("user-agent").unwrap().starts_with("Toolgate/"), "{seen:?}");
        assert_eq!(seen.header("accept"), Some("*/*"));
    }
}

#[tokio::test]
async fn no_cookie_of_an_upstream_is_kept() {
    let upstream = Upstream::answering(|_| Answer::text("ok").header("set-cookie", "sid=upstream; Path=/"));
    let stage = Stage::new(upstream).await;
    stage.tool(json!({})).await;
    for _ in 0..2 {
        let reply = stage.caller().send("tools/call", json!({"name": "tool"})).await.expect(200);
        assert_eq!(reply.header("set-cookie"), None);
        assert_eq!(stage.upstream.last().header("cookie"), None);
    }
}
