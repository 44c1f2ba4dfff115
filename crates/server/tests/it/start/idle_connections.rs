//! Idle connections can be used again and hold little memory.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use toolgate_testkit::process::rss_kib;

use crate::toolgate;

/// Longer than a connection takes to release its buffers, which cannot be observed from outside.
const IDLE_TIME: Duration = Duration::from_millis(700);
const CONNECTIONS: usize = 1_000;
/// How long the release of memory may take. It is shorter than the time after which the service closes idle
/// connections.
const MEMORY_RELEASE_TIMEOUT: Duration = Duration::from_secs(6);
/// Limit for the memory of an idle connection: less than the buffers of hyper, which take 16 KiB.
const KIB_PER_CONNECTION_MAX: usize = 14;

async fn request(stream: &mut TcpStream) {
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").await.unwrap();
    let mut reply = vec![0; 4096];
    let read = stream.read(&mut reply).await.unwrap();
    let text = String::from_utf8_lossy(&reply[..read]).into_owned();
    assert!(text.starts_with("HTTP/1.1 200") && text.ends_with('}'), "{text}");
}

#[tokio::test]
async fn an_idle_connection_can_be_used_again() {
    let app = toolgate().start();
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    for _ in 0..3 {
        request(&mut stream).await;
        sleep(IDLE_TIME).await;
    }
    // Empty lines between requests are ignored.
    stream.write_all(b"\r\n").await.unwrap();
    sleep(IDLE_TIME).await;
    request(&mut stream).await;
}

#[tokio::test]
async fn pipelined_requests_are_all_answered() {
    const COUNT: usize = 1_500;
    let app = toolgate().start();
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    let request = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    let (mut reader, mut writer) = stream.split();
    let mut replies = Vec::new();
    let read = async {
        while String::from_utf8_lossy(&replies).matches("HTTP/1.1 200").count() < COUNT {
            assert_ne!(
                reader.read_buf(&mut replies).await.unwrap(),
                0,
                "the connection was closed before all requests were answered"
            );
        }
    };
    let all = request.repeat(COUNT);
    let (sent, ()) = tokio::join!(writer.write_all(all.as_bytes()), read);
    sent.unwrap();
}

#[tokio::test]
async fn a_request_in_two_halves_with_a_pause_is_answered() {
    let app = toolgate().start();
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    request(&mut stream).await;
    for half in ["GET /healthz HTTP/1.1\r\nHo", "st: 127.0.0.1\r\nConnection: close\r\n\r\n"] {
        sleep(IDLE_TIME).await;
        stream.write_all(half.as_bytes()).await.unwrap();
    }
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
}

#[tokio::test]
async fn a_thousand_idle_connections_hold_little_memory_at_scale() {
    let app = toolgate().start();
    // The first connections make the service allocate memory that it never frees.
    let first_connections = open_connections(app.address(), 50).await;
    drop(first_connections);
    let before_kib = rss_kib(app.pid());
    let idle = open_connections(app.address(), CONNECTIONS).await;
    let limit_kib = before_kib + (CONNECTIONS * KIB_PER_CONNECTION_MAX) as u64;
    let released = async {
        while rss_kib(app.pid()) >= limit_kib {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let held_kib = || (rss_kib(app.pid()) - before_kib) / CONNECTIONS as u64;
    timeout(MEMORY_RELEASE_TIMEOUT, released)
        .await
        .unwrap_or_else(|_| panic!("each connection holds {} KiB", held_kib()));
    drop(idle);
}

async fn open_connections(address: &str, count: usize) -> Vec<TcpStream> {
    let mut streams = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await.unwrap();
        request(&mut stream).await;
        streams.push(stream);
    }
    streams
}
