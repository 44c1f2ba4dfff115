//! Tests of hostile responses over real sockets.

use std::time::Duration;

use super::*;
use crate::http::TestResponse;
use crate::http::{Client, RequestError};
use crate::raw;
use crate::upstream::MockResponse;
use crate::upstream::Upstream;

const SHORT_TIMEOUT: Duration = Duration::from_millis(300);
const GET: &[u8] = b"GET / HTTP/1.1\r\n\r\n";

async fn send(response: MockResponse) -> Result<TestResponse, RequestError> {
    let upstream = Upstream::with_handler(move |_| response.clone());
    Client::new("http://127.0.0.1:1", None).get(&upstream.url("/")).timeout(SHORT_TIMEOUT).try_send().await
}

#[tokio::test]
async fn a_client_reads_an_error_after_a_reset_but_not_after_a_close() {
    for (response, reads_end) in [(broken::closed_connection(), true), (broken::reset(), false)] {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let upstream = Upstream::with_handler(move |_| response.clone());
        let mut stream = tokio::net::TcpStream::connect(upstream.address()).await.unwrap();
        stream.write_all(GET).await.unwrap();
        assert_eq!(stream.read(&mut [0]).await.is_ok(), reads_end);
    }
}

#[tokio::test]
async fn an_endless_response_ends_when_its_client_disconnects() {
    let responses = [
        slow::no_response(),
        slow::head_byte_by_byte(),
        slow::body_byte_by_byte(),
        large::endless_body(),
        interim::flood(102),
    ];
    for response in responses {
        let upstream = Upstream::with_handler(move |_| response.clone());
        let response = raw::exchange(&upstream.address().to_string(), GET, SHORT_TIMEOUT).await;
        assert!(!response.is_closed);
        upstream.wait_for_abandoned(1).await;
    }
}

#[tokio::test]
async fn a_slow_response_is_sent_byte_by_byte() {
    let upstream = Upstream::with_handler(|_| slow::head_byte_by_byte());
    let response = raw::exchange(&upstream.address().to_string(), GET, SHORT_TIMEOUT).await;
    assert!(response.text().ends_with("xx"), "{}", response.text());
}

#[tokio::test]
async fn an_http_client_rejects_truncated_responses() {
    for response in
        [broken::length_too_long(), broken::reset_in_body(), broken::truncated_chunks(), broken::truncated_chunk()]
    {
        let outcome = send(response.clone()).await;
        assert!(matches!(outcome, Err(RequestError::Body(_))), "{response:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_gzip_bomb_is_small_on_the_wire() {
    let response = send(large::gzip_bomb(100 << 20)).await.unwrap();
    assert!(response.body.len() < 1 << 20, "{} bytes", response.body.len());
    assert_eq!(response.header("content-encoding"), Some("gzip"));
}

#[tokio::test]
async fn no_client_can_connect_to_a_full_backlog() {
    let upstream = full_backlog::FullBacklog::start();
    assert!(upstream.queued_count() > 0);
    let connection = tokio::net::TcpStream::connect(upstream.address());
    assert!(tokio::time::timeout(SHORT_TIMEOUT, connection).await.is_err());
}
