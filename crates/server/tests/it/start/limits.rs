//! Limits for slow or greedy peers. The tests wait for the real timeouts.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use toolgate_testkit::RunningService;
use toolgate_testkit::raw::{RawResponse, exchange, write_then_read};

use crate::toolgate;

/// Longer than the timeout of the service for a head, which is 10 seconds, on a busy machine too.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn incomplete_heads_and_heads_that_trickle_in_time_out() {
    let app = toolgate().start();
    let began = Instant::now();
    let address = app.address();
    let (nothing, half_a_head, half_of_http2, ()) = tokio::join!(
        exchange(address, b"", READ_TIMEOUT),
        exchange(address, b"GET / HTTP/1.1\r\nHost: x\r\n", READ_TIMEOUT),
        exchange(address, b"PRI * HTTP/2.0\r\n", READ_TIMEOUT),
        send_head_slowly(address),
    );
    assert!(began.elapsed() >= Duration::from_secs(9), "the connections were closed after only {:?}", began.elapsed());
    for reply in [nothing, half_a_head, half_of_http2] {
        assert!(reply.is_closed, "{reply:?}");
    }
}

/// Sends a field of a head every half second until the service closes the connection.
async fn send_head_slowly(address: &str) {
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let mut received = Vec::new();
    let (mut reader, mut writer) = stream.split();
    let trickle = async {
        while writer.write_all(b"x: y\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    let read = async { while matches!(reader.read_buf(&mut received).await, Ok(read) if read > 0) {} };
    tokio::select! {
        () = trickle => {}
        () = read => {}
        () = tokio::time::sleep(READ_TIMEOUT) => panic!("the connection is still open"),
    }
    assert!(began.elapsed() >= Duration::from_secs(9), "the connection was closed after only {:?}", began.elapsed());
}

/// A request of `path` with these fields, followed by another request.
fn request(path: &str, fields: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\n{fields}\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
}

#[tokio::test]
async fn heads_beyond_the_limit_are_refused_and_nothing_after_them_is_read() {
    let app = toolgate().start();
    let long_value = |len| request("/healthz", &format!("x-long: {}\r\n", "a".repeat(len)));
    let long_name = |len| request("/healthz", &format!("{}: x\r\n", "a".repeat(len)));
    let long_target = |len| request(&format!("/healthz?{}", "a".repeat(len)), "");
    let many_fields = |count| request("/healthz", &"a: b\r\n".repeat(count));
    let mut heads = vec![many_fields(100), many_fields(1_000), many_fields(100_000)];
    for len in [66_000, 100_000, 1_000_000] {
        heads.extend([long_value(len), long_name(len), long_target(len)]);
    }
    for head in heads {
        let reply: RawResponse = exchange(app.address(), head.as_bytes(), READ_TIMEOUT).await;
        let details = format!("{} bytes: {}", head.len(), reply.text());
        assert!(reply.is_closed, "{details}");
        assert!(matches!(reply.status(), Some(431 | 400)), "{details}");
        assert_eq!(reply.text().matches("HTTP/1.1 ").count(), 1, "{details}");
    }
    // With `Host` and `Connection`, 98 fields are a hundred, which is the limit.
    for head in [long_value(60_000), many_fields(98)] {
        let head = head.replacen("Host: x", "Host: x\r\nConnection: close", 1);
        assert_eq!(exchange(app.address(), head.as_bytes(), READ_TIMEOUT).await.status(), Some(200));
    }
}

const MEBIBYTE: usize = 1024 * 1024;

/// The heads of requests with a body that is refused with 413, to the management API and to an MCP endpoint.
async fn oversized_request_heads(app: &RunningService, framing: &str) -> [String; 2] {
    let server = app.client().create("/servers", json!({"name": "Weather"})).await;
    let urls = [format!("{}/servers", app.api_base()), server["endpoint_url"].as_str().unwrap().to_owned()];
    urls.map(|url| {
        let path = url.strip_prefix(&app.origin()).unwrap();
        format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             {framing}\r\n\r\n",
            app.address(),
            app.key()
        )
    })
}

#[tokio::test]
async fn a_client_that_sends_a_large_body_before_it_reads_gets_the_whole_refusal() {
    let app = toolgate().start();
    for head in oversized_request_heads(&app, &format!("Content-Length: {}", 64 * MEBIBYTE)).await {
        let request = [head.as_bytes(), &vec![b' '; 64 * MEBIBYTE]].concat();
        let reply = write_then_read(app.address(), &request).await.expect("the service reads what it refuses");
        let text = reply.text();
        assert_eq!(reply.status(), Some(413), "{text}");
        assert!(text.contains("connection: close") && text.ends_with('}'), "{text}");
    }
}

#[tokio::test]
async fn a_client_that_sends_an_endless_body_is_cut_off() {
    let app = toolgate().start();
    let chunk = [b"100000\r\n".as_slice(), &vec![b' '; MEBIBYTE], b"\r\n"].concat();
    for head in oversized_request_heads(&app, "Transfer-Encoding: chunked").await {
        let mut stream = TcpStream::connect(app.address()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // The service discards 128 MiB, and the kernel buffers some more.
        let mut chunks_sent = 0;
        while stream.write_all(&chunk).await.is_ok() {
            chunks_sent += 1;
            assert!(chunks_sent < 256, "the connection is still open");
        }
    }
}
