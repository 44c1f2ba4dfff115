//! What a slow or greedy peer gets. The deadlines are real, so these tests take as long as they do.

use std::time::{Duration, Instant};

use testkit::raw::{RawReply, exchange};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::toolgate;

/// The deadline for a head is 10 seconds.
const PATIENCE: Duration = Duration::from_secs(15);

#[tokio::test]
async fn heads_that_do_not_end_are_cut_off() {
    let app = toolgate().start();
    let began = Instant::now();
    let address = app.address();
    let (nothing, half_a_head, half_of_http2) = tokio::join!(
        exchange(address, b"", PATIENCE),
        exchange(address, b"GET / HTTP/1.1\r\nHost: x\r\n", PATIENCE),
        exchange(address, b"PRI * HTTP/2.0\r\n", PATIENCE),
    );
    assert!(began.elapsed() >= Duration::from_secs(9), "not before its time: {:?}", began.elapsed());
    for reply in [nothing, half_a_head, half_of_http2] {
        assert!(reply.is_closed, "{reply:?}");
    }
}

#[tokio::test]
async fn a_head_that_trickles_in_is_cut_off() {
    let app = toolgate().start();
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let began = Instant::now();
    let mut everything = Vec::new();
    let (mut reader, mut writer) = stream.split();
    let trickle = async {
        while writer.write_all(b"x: y\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    let read = async { while matches!(reader.read_buf(&mut everything).await, Ok(read) if read > 0) {} };
    tokio::select! {
        () = trickle => {}
        () = read => {}
        () = tokio::time::sleep(PATIENCE) => panic!("it goes on and on"),
    }
    assert!(began.elapsed() >= Duration::from_secs(9), "{:?}", began.elapsed());
}

#[tokio::test]
async fn heads_beyond_the_limit_are_refused() {
    let app = toolgate().start();
    let long = format!("GET / HTTP/1.1\r\nHost: x\r\nx-long: {}\r\n\r\n", "a".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "a: b\r\n".repeat(1_000));
    for head in [long, many] {
        let reply: RawReply = exchange(app.address(), head.as_bytes(), PATIENCE).await;
        assert!(reply.is_closed);
        assert!(matches!(reply.status(), Some(431 | 400)), "{}", reply.text());
    }
    let fits = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx: {}\r\n\r\n", "a".repeat(60_000));
    assert_eq!(exchange(app.address(), fits.as_bytes(), PATIENCE).await.status(), Some(200));
}

#[tokio::test]
async fn ambiguous_lengths_are_refused() {
    let app = toolgate().start();
    for framing in [
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nTransfer-Encoding: chunked, identity",
        "Transfer-Encoding: xchunked",
        "Content-Length: -1",
    ] {
        let request = format!("POST /healthz HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\nhello");
        let reply = exchange(app.address(), request.as_bytes(), PATIENCE).await;
        assert!(reply.is_closed && reply.status() == Some(400), "{framing}: {}", reply.text());
    }
}
