//! Tests of the fake upstream over real sockets.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{ConnectionCounts, MockResponse, ResponseGate, Upstream};
use crate::http::{Client, RequestError};
use crate::raw;

const LONG_TIMEOUT: Duration = Duration::from_secs(20);
const SHORT_TIMEOUT: Duration = Duration::from_millis(100);

fn client() -> Client {
    Client::new("http://127.0.0.1:1", None)
}

#[tokio::test]
async fn routes_respond_and_other_paths_go_to_the_fallback() {
    let upstream = Upstream::builder()
        .route("/text", MockResponse::text("hello"))
        .route("/made", MockResponse::json(json!({"id": 7})).with_status(201).header("x-seen", "yes"))
        .fallback(|request| MockResponse::text(format!("{} {}", request.method, request.path())))
        .start();
    let reply = client().get(&upstream.url("/text?q=1")).send().await.expect(200);
    assert_eq!((reply.text().as_str(), reply.header("content-type")), ("hello", Some("text/plain; charset=utf-8")));
    let reply = client().post(&upstream.url("/made")).send().await.expect(201);
    assert_eq!((reply.json(), reply.header("x-seen")), (json!({"id": 7}), Some("yes")));
    let reply = client().delete(&upstream.url("/other")).send().await.expect(200);
    assert_eq!(reply.text(), "DELETE /other");
    assert_eq!(
        (upstream.request_count(), upstream.request_count_for("/text"), upstream.request_count_for("/")),
        (3, 1, 0)
    );
}

#[tokio::test]
async fn a_path_without_a_response_is_a_404() {
    let upstream = Upstream::builder().start();
    client().get(&upstream.url("/x")).send().await.expect(404);
}

#[tokio::test]
async fn requests_are_recorded_byte_for_byte() {
    let upstream = Upstream::with_handler(|_| MockResponse::status(204));
    let request = "PUT /a%2fb/%7E?q=a+b&q=%26 HTTP/1.1\r\nHost: x\r\nX-Mixed: One\r\nX-mixed:  two \r\n\
        Content-Length: 7\r\nConnection: close\r\n\r\n{\"a\":1}";
    let reply = raw::exchange(&upstream.address().to_string(), request.as_bytes(), LONG_TIMEOUT).await;
    assert_eq!(reply.status(), Some(204));
    let received = upstream.last();
    assert_eq!((received.method.as_str(), received.target.as_str()), ("PUT", "/a%2fb/%7E?q=a+b&q=%26"));
    assert_eq!((received.path(), received.query()), ("/a%2fb/%7E", Some("q=a+b&q=%26")));
    assert_eq!(received.query_pairs(), [("q".into(), "a b".into()), ("q".into(), "&".into())]);
    assert_eq!(received.headers[1], ("X-Mixed".to_owned(), "One".to_owned()));
    assert_eq!(received.header_values("x-mixed"), ["One", "two"]);
    assert_eq!((received.header("host"), received.header("absent")), (Some("x"), None));
    assert_eq!(received.json(), json!({"a": 1}));
}

#[tokio::test]
async fn a_chunked_body_is_assembled() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let request = "POST /form HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
        3\r\na=1\r\n4;x=y\r\n&b=+\r\n0\r\nTrailer: t\r\n\r\n";
    raw::exchange(&upstream.address().to_string(), request.as_bytes(), LONG_TIMEOUT).await;
    let received = upstream.last();
    assert_eq!(received.text(), "a=1&b=+");
    assert_eq!(received.form(), [("a".into(), "1".into()), ("b".into(), " ".into())]);
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("x".repeat(2500)).chunked());
    let client = client();
    for _ in 0..3 {
        assert_eq!(client.get(&upstream.url("/")).send().await.body.len(), 2500);
    }
    client.head(&upstream.url("/")).send().await.expect(200);
    assert_eq!(upstream.connections(), ConnectionCounts { opened: 1, closed: 0 });
    drop(client);
    upstream.wait_for_closed_connections(1).await;
    assert_eq!((upstream.connections().closed, upstream.abandoned()), (1, 0));
}

#[tokio::test]
async fn a_closed_gate_holds_the_response_until_it_opens() {
    let gate = ResponseGate::new();
    let upstream = Upstream::builder().route("/slow", MockResponse::text("late").held_by(&gate)).start();
    let request = client().get(&upstream.url("/slow"));
    assert!(matches!(request.clone().timeout(SHORT_TIMEOUT).try_send().await, Err(RequestError::TimedOut(_))));
    let (reply, received) = tokio::join!(request.send(), async {
        let received = upstream.wait_for_requests(2).await;
        gate.open();
        received
    });
    assert_eq!((reply.text().as_str(), received.path()), ("late", "/slow"));
}

#[tokio::test]
async fn a_closed_gate_before_the_body_lets_the_head_through() {
    let gate = ResponseGate::new();
    let handler_gate = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("body").body_held_by(&handler_gate));
    let address = upstream.address().to_string();
    let request = b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
    let reply = raw::exchange(&address, request, SHORT_TIMEOUT).await;
    assert!(reply.text().ends_with("\r\n\r\n") && !reply.is_closed, "{}", reply.text());
    gate.open();
    assert!(raw::exchange(&address, request, LONG_TIMEOUT).await.text().ends_with("body"));
}

#[tokio::test]
async fn a_request_whose_client_disconnects_before_the_response_is_counted_as_abandoned() {
    let gate = ResponseGate::new();
    let upstream = Upstream::builder().route("/slow", MockResponse::text("late").held_by(&gate)).start();
    let mut stream = TcpStream::connect(upstream.address()).await.unwrap();
    stream.write_all(b"GET /slow HTTP/1.1\r\n\r\n").await.unwrap();
    upstream.wait_for_requests(1).await;
    assert_eq!((upstream.abandoned(), upstream.connections()), (0, ConnectionCounts { opened: 1, closed: 0 }));
    drop(stream);
    upstream.wait_for_abandoned(1).await;
    upstream.wait_for_closed_connections(1).await;
}

#[tokio::test]
async fn raw_bytes_are_sent_unchanged_and_end_the_connection() {
    let upstream = Upstream::with_handler(|_| MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
    let outcome = client().get(&upstream.url("/")).try_send().await;
    assert!(matches!(outcome, Err(RequestError::Body(_))), "{outcome:?}");
}

#[test]
fn an_upstream_serves_while_the_test_blocks_and_stops_when_it_is_dropped() {
    let upstream = Upstream::with_handler(|_| MockResponse::text("here"));
    let address = upstream.address();
    let request = || {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(address)?;
        stream.write_all(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).map(|_| reply)
    };
    assert!(request().unwrap().ends_with("here"));
    drop(upstream);
    assert!(request().is_err());
}
