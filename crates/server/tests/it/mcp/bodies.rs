//! The HTTP around a message: its type, its size, its verb.

use std::time::Duration;

use http::Method;
use serde_json::json;
use testkit::raw;

use super::owner::{self, assert_refused, bare};

const LIMIT: usize = 4 * 1024 * 1024;

/// A valid message of exactly this many bytes.
fn message(len: usize) -> String {
    let empty = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":""}}"#;
    let filling = "x".repeat(len - empty.len());
    empty.replace(r#""a":"""#, &format!(r#""a":"{filling}""#))
}

#[tokio::test]
async fn only_json_is_read() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint);
    let say = |kind: &str| mcp.plain(Method::POST).header("content-type", kind).body(message(100)).send();
    for kind in ["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;x"] {
        say(kind).await.expect(200);
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "", "json"] {
        assert_refused(&say(kind).await, 415, 415);
    }
    assert_refused(&mcp.plain(Method::POST).body(message(100)).send().await, 415, 415);
}

#[tokio::test]
async fn a_body_may_have_four_mebibytes_and_not_a_byte_more() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint);
    let say = |len| mcp.plain(Method::POST).header("content-type", "application/json").body(message(len)).send();
    say(LIMIT).await.expect(200);
    assert_refused(&say(LIMIT + 1).await, 413, 413);
    say(100).await.expect(200);
}

#[tokio::test]
async fn a_body_without_a_length_is_cut_off_at_the_limit() {
    let endpoint = owner::open(json!({})).await;
    let path = endpoint.url().strip_prefix(&endpoint.app.origin()).unwrap();
    let mut bytes = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 0x10000], b"\r\n"].concat();
    // More than the limit, and its end never comes.
    bytes.extend(chunk.repeat(LIMIT / 0x10000 + 2));
    let reply = raw::exchange(endpoint.app.address(), &bytes, Duration::from_secs(10)).await;
    assert_eq!(reply.status(), Some(413), "{}", reply.text());
    assert!(reply.is_closed, "the rest of the body is not read");
}

#[tokio::test]
async fn other_verbs_are_not_allowed() {
    let endpoint = owner::open(json!({})).await;
    let mcp = bare(&endpoint);
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH] {
        let reply = mcp.plain(method).send().await;
        assert_refused(&reply, 405, 405);
        assert!(reply.header("allow").is_some_and(|allowed| allowed.contains("POST")), "{reply:?}");
    }
    let head = mcp.plain(Method::HEAD).send().await.expect(405);
    assert!(head.body.is_empty());
}

#[tokio::test]
async fn replies_are_not_to_be_kept_or_guessed_at() {
    let endpoint = owner::open(json!({})).await;
    for method in ["ping", "no/such"] {
        let reply = bare(&endpoint).send(method, json!({})).await;
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn an_address_may_end_in_a_slash() {
    let endpoint = owner::open(json!({})).await;
    let mcp = testkit::Mcp::at(&format!("{}/", endpoint.url()));
    assert_eq!(mcp.result("ping", json!({})).await, json!({}));
}
