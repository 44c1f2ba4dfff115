//! Tests that a body is read completely or reported as an error.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::super::message::RESPONSE_BYTES_MAX;
use super::*;

fn compress_gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn reply(headers: &str, body: &[u8]) -> Vec<u8> {
    let mut reply = format!("HTTP/1.1 200 OK\r\n{headers}content-length: {}\r\n\r\n", body.len()).into_bytes();
    reply.extend_from_slice(body);
    reply
}

async fn error_for(reply: &[u8]) -> EgressError {
    response_to(reply).await.unwrap_err()
}

#[tokio::test]
async fn compressed_bodies_are_decoded() {
    let plain = "hello ".repeat(1000);
    for coding in ["gzip", "x-gzip", "GZIP, identity"] {
        let response =
            response_to(&reply(&format!("content-encoding: {coding}\r\n"), &compress_gzip(plain.as_bytes())))
                .await
                .unwrap();
        assert_eq!(response.body, plain, "{coding}");
        assert!(response.headers.is_empty(), "headers that describe the compressed body are removed");
    }
    let twice = compress_gzip(&compress_gzip(plain.as_bytes()));
    assert_eq!(response_to(&reply("content-encoding: gzip, gzip\r\n", &twice)).await.unwrap().body, plain);
    let brotli = b"\x0f\x02\x80hello\x03"; // stored, not compressed
    assert_eq!(response_to(&reply("content-encoding: br\r\n", brotli)).await.unwrap().body, "hello");
}

#[tokio::test]
async fn chunks_of_any_size_are_joined() {
    let chunked = |body: &str| format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{body}").into_bytes();
    let parts = "1\r\na\r\n2;x=y\r\nbc\r\n0\r\nx-trailer: 1\r\n\r\n";
    assert_eq!(response_to(&chunked(parts)).await.unwrap().body, "abc");
    assert_eq!(response_to(&chunked("0\r\n\r\n")).await.unwrap().body, "");
    let large = format!("{:x}\r\n{}\r\n0\r\n\r\n", 1_000_000, "x".repeat(1_000_000));
    assert_eq!(response_to(&chunked(&large)).await.unwrap().body.len(), 1_000_000);
}

#[tokio::test]
async fn a_body_may_end_with_the_connection() {
    assert_eq!(response_to(b"HTTP/1.1 200 OK\r\n\r\nuntil the end").await.unwrap().body, "until the end");
}

#[tokio::test]
async fn truncated_bodies_are_errors() {
    for truncated in [
        "content-length: 10\r\n\r\nfive!",
        "transfer-encoding: chunked\r\n\r\n5\r\nfive!\r\n",
        "content-length: 10\r\n\r\n",
    ] {
        let error = error_for(format!("HTTP/1.1 200 OK\r\n{truncated}").as_bytes()).await;
        assert_eq!(error, broken(BrokenResponse::Truncated), "{truncated}");
    }
    let garbled = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\nfive!\r\n";
    assert_eq!(error_for(garbled.as_bytes()).await, broken(BrokenResponse::NotHttp));
}

#[tokio::test]
async fn bad_compression_is_an_error() {
    let complete = compress_gzip(b"hello hello hello");
    let gzip = |body: &[u8]| reply("content-encoding: gzip\r\n", body);
    let mut wrong_checksum = complete.clone();
    // A gzip member ends with a checksum and a length of four bytes each.
    let checksum_start = wrong_checksum.len() - 8;
    wrong_checksum[checksum_start] ^= 1;
    for bad in [&complete[..complete.len() - 1], &[&complete[..], b"more"].concat(), &wrong_checksum, b"no gzip"] {
        assert_eq!(error_for(&gzip(bad)).await, broken(BrokenResponse::BadCoding), "{bad:?}");
    }
    for coding in ["deflate", "zstd", "gzip, zstd", "gzip, gzip, gzip"] {
        let reply = reply(&format!("content-encoding: {coding}\r\n"), &complete);
        assert_eq!(error_for(&reply).await, broken(BrokenResponse::UnknownCoding), "{coding}");
    }
}

#[tokio::test]
async fn bodies_up_to_the_limit_are_read() {
    let largest = vec![b'x'; RESPONSE_BYTES_MAX];
    assert_eq!(response_to(&reply("", &largest)).await.unwrap().body.len(), RESPONSE_BYTES_MAX);
    let response = response_to(&reply("content-encoding: gzip\r\n", &compress_gzip(&largest))).await.unwrap();
    assert_eq!(response.body.len(), RESPONSE_BYTES_MAX);
}

#[tokio::test]
async fn an_oversized_body_is_refused_when_it_is_announced() {
    let announced = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", RESPONSE_BYTES_MAX + 1);
    let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
    let (request, deadline) = (get(&upstream.url("/")), generous_deadline());
    let (response, ()) = tokio::join!(client.send(&request, deadline), async {
        let mut connection = upstream.accept().await;
        connection.read_request().await;
        connection.reply(announced.as_bytes()).await;
        connection.wait_for_close().await; // no byte of the body was sent
    });
    assert_eq!(response.unwrap_err(), EgressError::TooLarge);
}

#[tokio::test]
async fn endless_bodies_are_refused_at_the_limit() {
    for head in ["\r\n", "transfer-encoding: chunked\r\n\r\n"] {
        let (client, upstream) = (client("loopback"), ScriptedUpstream::new());
        let (request, deadline) = (get(&upstream.url("/")), generous_deadline());
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x1_0000));
        let (response, ()) = tokio::join!(client.send(&request, deadline), async {
            let mut connection = upstream.accept().await;
            connection.read_request().await;
            connection.reply(format!("HTTP/1.1 200 OK\r\n{head}").as_bytes()).await;
            connection.reply_forever(chunk.as_bytes()).await;
        });
        assert_eq!(response.unwrap_err(), EgressError::TooLarge);
    }
}

#[tokio::test]
async fn decompression_bombs_are_refused_at_the_limit() {
    let bomb = compress_gzip(&vec![0; 4 * RESPONSE_BYTES_MAX]);
    assert!(bomb.len() < 64 * 1024);
    assert_eq!(error_for(&reply("content-encoding: gzip\r\n", &bomb)).await, EgressError::TooLarge);
    let nested = compress_gzip(&bomb);
    assert_eq!(error_for(&reply("content-encoding: gzip, gzip\r\n", &nested)).await, EgressError::TooLarge);
}

#[tokio::test]
async fn responses_to_head_and_with_status_204_or_304_have_no_body() {
    let upstream = ScriptedUpstream::new();
    let (client, deadline) = (client("loopback"), generous_deadline());
    let head = request(Method::HEAD, &upstream.url("/"));
    let reply = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 99999999\r\n\r\n";
    let (head_response, _) = tokio::join!(client.send(&head, deadline), upstream.serve_once(reply));
    let head_response = head_response.unwrap();
    assert_eq!((head_response.body.len(), head_response.headers.len()), (0, 2));
    for status in ["204 No Content", "304 Not Modified"] {
        let reply = format!("HTTP/1.1 {status}\r\ncontent-encoding: br\r\n\r\n");
        assert_eq!(response_to(reply.as_bytes()).await.unwrap().body, "");
    }
}

#[tokio::test]
async fn an_empty_body_needs_no_valid_compression() {
    assert_eq!(response_to(&reply("content-encoding: gzip\r\n", b"")).await.unwrap().body, "");
}
