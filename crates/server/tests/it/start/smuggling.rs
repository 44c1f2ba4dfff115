//! Requests with ambiguous framing, over a raw socket (guarantee 30 in SECURITY.md). Each is followed by another
//! request, which the service would answer if it misread the length of the first.

use std::time::Duration;

use serde_json::json;
use toolgate_testkit::RunningService;
use toolgate_testkit::raw::{RawResponse, exchange};

use crate::toolgate;

const READ_TIMEOUT: Duration = Duration::from_secs(15);
/// A second request. The service answers it only if it does not refuse the first.
const SECOND_REQUEST: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

async fn send(app: &RunningService, bytes: &str) -> RawResponse {
    exchange(app.address(), bytes.as_bytes(), READ_TIMEOUT).await
}

fn response_count(reply: &RawResponse) -> usize {
    reply.text().matches("HTTP/1.1 ").count()
}

/// Asserts that the first request was refused and nothing after it was read.
#[track_caller]
fn assert_refused(input: &str, reply: &RawResponse) {
    assert_eq!((reply.status(), response_count(reply)), (Some(400), 1), "{input:?}: {}", reply.text());
    assert!(reply.is_closed, "{input:?}");
}

#[tokio::test]
async fn ambiguous_lengths_are_refused() {
    let app = toolgate().start();
    for framing in [
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5, 5",
        "Content-Length: 5 5",
        "Content-Length: -1",
        "Content-Length: +5",
        "Content-Length: 0x5",
        "Content-Length:",
        "Content-Length: 99999999999999999999",
        "Content-Length : 5",
        "Content-Length:\r\n 5",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nTransfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding:\u{b}chunked",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:\r\n chunked",
        "Transfer-Encoding:",
    ] {
        let request = format!("POST /healthz HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\n0\r\n\r\n{SECOND_REQUEST}");
        assert_refused(framing, &send(&app, &request).await);
    }
    let http_1_0 = format!("POST /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{SECOND_REQUEST}");
    assert_refused("HTTP/1.0", &send(&app, &http_1_0).await);
}

#[tokio::test]
async fn lines_without_crlf_and_malformed_lines_are_refused() {
    let app = toolgate().start();
    for head in [
        "GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\n",
        "GET /healthz HTTP/1.1\nHost: x\n\n",
        "\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\nContent-Length: 5\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\rContent-Length: 5\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n\tfolded\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET /healthz\r\n\r\n",
    ] {
        assert_refused(head, &send(&app, &format!("{head}{SECOND_REQUEST}")).await);
    }
}

#[tokio::test]
async fn a_request_with_two_hosts_is_refused() {
    let app = toolgate().start();
    for hosts in ["Host: localhost\r\nHost: evil.example", "Host: localhost\r\nhost: localhost"] {
        let request = format!("GET /healthz HTTP/1.1\r\n{hosts}\r\n\r\n{SECOND_REQUEST}");
        assert_refused(hosts, &send(&app, &request).await);
    }
}

/// A request that creates a server, with a body in these chunks.
fn chunked_request(app: &RunningService, chunks: &str) -> String {
    format!(
        "POST /wp-json/toolgate/v1/servers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}{SECOND_REQUEST}",
        app.key()
    )
}

#[tokio::test]
async fn invalid_chunks_are_refused() {
    let app = toolgate().start();
    for chunks in [
        "0xc\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "-c\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "c\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "c;a\n0\r\n\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "c\r\n{\"name\":\"a\"}\n0\r\n\r\n",
        "b\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "d\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
        "1000000000000000c\r\n{\"name\":\"a\"}\r\n0\r\n\r\n",
    ] {
        assert_refused(chunks, &send(&app, &chunked_request(&app, chunks)).await);
    }
    let servers = app.client().get("/servers").send().await.expect(200).json();
    assert_eq!(servers, json!([]));
}

#[tokio::test]
async fn a_chunked_body_is_read_and_closes_its_connection() {
    let app = toolgate().start();
    let reply = send(&app, &chunked_request(&app, "5\r\n{\"nam\r\n7;x=y\r\ne\":\"a\"}\r\n0\r\n\r\n")).await;
    assert_eq!((reply.status(), response_count(&reply)), (Some(201), 1), "{}", reply.text());
    assert!(reply.is_closed && reply.text().contains("connection: close"), "{}", reply.text());
}

#[tokio::test]
async fn requests_of_known_length_on_one_connection_are_all_answered() {
    let app = toolgate().start();
    let body = "GET / HTTP/1.1\nHost: a\nHost: b\n\n";
    let first = format!("POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let last = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let text = send(&app, &format!("{first}{SECOND_REQUEST}{first}\r\n{SECOND_REQUEST}{last}")).await.text();
    let statuses: Vec<&str> =
        text.split("HTTP/1.1 ").skip(1).map(|response| response.split(' ').next().unwrap()).collect();
    assert_eq!(statuses, ["405", "200", "405", "200", "200"]);
}
