//! The HTTP request of a message: content type, size, method.

use std::time::Duration;

use http::Method;
use serde_json::json;
use toolgate_testkit::raw;

use super::management::{self, assert_refused, bare_client};

const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A valid message of exactly this many bytes.
fn message(len: usize) -> String {
    let empty = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":""}}"#;
    let padding = "x".repeat(len - empty.len());
    empty.replace(r#""a":"""#, &format!(r#""a":"{padding}""#))
}

#[tokio::test]
async fn only_json_content_types_are_accepted() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    let post = |content_type: &str| {
        mcp.raw_request(Method::POST).header("content-type", content_type).body(message(100)).send()
    };
    for content_type in
        ["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;x"]
    {
        post(content_type).await.expect(200);
    }
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "", "json"]
    {
        assert_refused(&post(content_type).await, 415, 415);
    }
    let without_content_type = mcp.raw_request(Method::POST).body(message(100)).send().await;
    assert_refused(&without_content_type, 415, 415);
}

#[tokio::test]
async fn a_body_may_have_up_to_four_mebibytes() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    let post = |len| mcp.raw_request(Method::POST).header("content-type", "application/json").body(message(len)).send();
    post(BODY_BYTES_MAX).await.expect(200);
    assert_refused(&post(BODY_BYTES_MAX + 1).await, 413, 413);
    post(100).await.expect(200);
}

/// JSON in the private format in which `serde_json` serializes a `RawValue`: an object whose text is JSON as well, here
/// nested `levels` times. Each text is within the depth limit, but a parser that expands them would recurse too deeply.
fn nested_raw_values(levels: usize) -> String {
    let wrap = |inner: &str| {
        let text = inner.replace('\\', "\\u005c").replace('"', "\\u0022");
        format!(r#"{{"$serde_json::private::RawValue":"{text}"}}"#)
    };
    // `serde_json` refuses more than 127 levels.
    let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(126), "]".repeat(126));
    wrap(&(0..levels).fold("1".to_owned(), |inner, _| deep(&wrap(&inner))))
}

#[tokio::test]
async fn private_raw_values_of_serde_json_are_refused() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    for levels in [0, 1, 200] {
        let token = nested_raw_values(levels);
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{{"progressToken":{token}}}}}}}"#);
        let reply = mcp.raw_request(Method::POST).header("content-type", "application/json").body(body).send().await;
        assert_refused(&reply, 400, -32600);
    }
}

#[tokio::test]
async fn a_body_without_a_length_is_cut_off_at_the_limit() {
    let fixture = management::start_server(json!({})).await;
    let path = fixture.url().strip_prefix(&fixture.app.origin()).unwrap();
    let mut bytes = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 0x10000], b"\r\n"].concat();
    // The chunks exceed the limit, and no last chunk follows.
    bytes.extend(chunk.repeat(BODY_BYTES_MAX / 0x10000 + 2));
    let reply = raw::exchange(fixture.app.address(), &bytes, Duration::from_secs(10)).await;
    assert_eq!(reply.status(), Some(413), "{}", reply.text());
    assert!(reply.is_closed, "the rest of the body is not read");
}

#[tokio::test]
async fn a_body_with_an_excessive_content_length_is_refused_immediately() {
    let fixture = management::start_server(json!({})).await;
    let path = fixture.url().strip_prefix(&fixture.app.origin()).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        BODY_BYTES_MAX + 1
    );
    // No byte of the body is sent.
    let reply = raw::exchange(fixture.app.address(), head.as_bytes(), Duration::from_secs(10)).await;
    assert_eq!(reply.status(), Some(413), "{}", reply.text());
    assert!(reply.is_closed);
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let fixture = management::start_server(json!({})).await;
    let mcp = bare_client(&fixture);
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH] {
        let reply = mcp.raw_request(method).send().await;
        assert_refused(&reply, 405, 405);
        assert!(reply.header("allow").is_some_and(|allowed| allowed.contains("POST")), "{reply:?}");
    }
    let head = mcp.raw_request(Method::HEAD).send().await.expect(405);
    assert!(head.body.is_empty());
}

#[tokio::test]
async fn replies_forbid_caching_and_sniffing() {
    let fixture = management::start_server(json!({})).await;
    for method in ["ping", "no/such"] {
        let reply = bare_client(&fixture).send(method, json!({})).await;
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn a_url_may_end_in_a_slash() {
    let fixture = management::start_server(json!({})).await;
    let mcp = toolgate_testkit::McpClient::new(&format!("{}/", fixture.url()));
    assert_eq!(mcp.result("ping", json!({})).await, json!({}));
}

/// Sends a message of this length to an unknown server, and a second one that closes the connection.
async fn send_after_refusal(len: usize) -> raw::RawResponse {
    let fixture = management::start_server(json!({})).await;
    let path = fixture.url().strip_prefix(&fixture.app.origin()).unwrap();
    let head = "HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let (refused, accepted) = (message(len), message(100));
    let bytes = format!(
        "POST /mcp/none/none {head}Content-Length: {len}\r\n\r\n{refused}\
         POST {path} {head}Connection: close\r\nContent-Length: 100\r\n\r\n{accepted}"
    );
    raw::exchange(fixture.app.address(), bytes.as_bytes(), Duration::from_secs(10)).await
}

#[tokio::test]
async fn a_refusal_leaves_the_connection_usable_after_a_short_body() {
    let reply = send_after_refusal(1000).await;
    let (first, second) = reply.text().split_once("HTTP/1.1 200").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(first.starts_with("HTTP/1.1 404") && !first.contains("connection: close"), "{first}");
    assert!(second.contains(r#""result":{}"#), "{second}");
}

#[tokio::test]
async fn a_refusal_closes_the_connection_after_a_long_body() {
    let reply = send_after_refusal(1024 * 1024).await;
    let text = reply.text();
    assert!(text.starts_with("HTTP/1.1 404") && text.contains("connection: close"), "{text}");
    assert_eq!(text.matches("HTTP/1.1 ").count(), 1, "the bytes after the refused request are not read as a request");
    assert!(reply.is_closed);
}

#[tokio::test]
async fn a_path_that_is_not_utf_8_is_not_found() {
    let fixture = management::start_server(json!({})).await;
    let bytes = b"POST /mcp/%ff/%fe HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                  Connection: close\r\nContent-Length: 2\r\n\r\n{}";
    let reply = raw::exchange(fixture.app.address(), bytes, Duration::from_secs(10)).await;
    assert_eq!(reply.status(), Some(404), "{}", reply.text());
    assert!(reply.text().contains(r#""message":"Server not found""#), "{}", reply.text());
}
