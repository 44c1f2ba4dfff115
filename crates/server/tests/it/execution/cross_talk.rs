//! No caller gets the response of another, although all use the same ids: up to a hundred thousand calls, and
//! callers of every era.

use std::time::Instant;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{MockResponse, ResponseGate, Upstream, volume};

use super::setup::{schema, start};

const CONNECTIONS: usize = 50;
const BATCH_CALLS: usize = 4;

/// A multiple of [`BATCH_CALLS`].
fn calls_per_connection() -> usize {
    volume::full_or_sample(2_000, 400)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_response_reaches_the_wrong_caller_at_scale() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::status(404))).await;
    let echo = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/{{v}}", echo.local_addr().unwrap());
    fixture.create_tool(json!({"name": "t", "endpoint_url": url, "input_schema": schema(json!({"v": {}}))})).await;
    let mut upstream = JoinSet::new();
    upstream.spawn(serve(echo));
    let mut callers = JoinSet::new();
    let began = Instant::now();
    for number in 0..CONNECTIONS {
        callers.spawn(call_many(fixture.app.address().to_owned(), fixture.url().to_owned(), number));
    }
    let correct: usize = callers.join_all().await.into_iter().sum();
    assert_eq!(correct, CONNECTIONS * calls_per_connection());
    let took = began.elapsed();
    eprintln!(
        "{correct} calls in {took:?}: {:.0} per second",
        f64::from(u32::try_from(correct).unwrap()) / took.as_secs_f64()
    );
}

#[tokio::test]
async fn callers_may_use_the_same_ids_and_tokens_and_cannot_cancel_calls_of_others() {
    const CALLERS: usize = 60;
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |request| MockResponse::text(request.target.clone()).held_by(&held));
    let fixture = start(upstream).await;
    fixture.create_tool(json!({"endpoint_url": "/{v}", "input_schema": schema(json!({"v": {}}))})).await;
    let mut calls = JoinSet::new();
    for number in 0..CALLERS {
        // Each caller numbers its requests from 1; half of them request progress notifications.
        let caller = match number % 3 {
            0 => fixture.caller(),
            1 => fixture.caller().modern(),
            _ => fixture.caller().legacy(NEWEST_LEGACY).await,
        };
        let meta = if number % 2 == 0 { json!({}) } else { json!({"progressToken": 1}) };
        let params = json!({"name": "tool", "arguments": {"v": format!("own-{number}")}, "_meta": meta});
        calls.spawn(async move { (number, caller.result("tools/call", params).await) });
    }
    fixture.upstream.wait_for_requests(CALLERS).await;
    let other_callers = [fixture.caller(), fixture.caller().legacy(NEWEST_LEGACY).await];
    for other in &other_callers {
        for id in 1..=2 {
            other.notify("notifications/cancelled", json!({"requestId": id})).await.expect(202);
        }
    }
    gate.open();
    for (number, result) in calls.join_all().await {
        assert_eq!(result["content"][0]["text"], format!("/own-{number}"), "{result}");
    }
    assert_eq!((fixture.upstream.request_count(), fixture.upstream.abandoned()), (CALLERS, 0));
}

/// Makes calls over one connection, with distinct arguments and the same id. Panics at a wrong result; returns the
/// number of calls.
async fn call_many(address: String, url: String, number: usize) -> usize {
    let path = url.strip_prefix(&format!("http://{address}")).unwrap().to_owned();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::new();
    for first_call in (0..calls_per_connection()).step_by(BATCH_CALLS) {
        let values: Vec<String> =
            (first_call..first_call + BATCH_CALLS).map(|call| format!("c{number}n{call}")).collect();
        let messages = values.iter().map(|value| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{{"v":"{value}"}}}}}}"#)
        });
        let body = format!("[{}]", messages.collect::<Vec<_>>().join(","));
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let reply = read_body(&mut stream, &mut buffer).await;
        let expected = values.iter().map(|value| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"{value}"}}]}}}}"#)
        });
        let expected = format!("[{}]", expected.collect::<Vec<_>>().join(","));
        assert_eq!(String::from_utf8(reply).unwrap(), expected, "a result reached the wrong caller");
    }
    calls_per_connection()
}

/// Reads one reply with status 200 and leaves the data after it in the buffer.
async fn read_body(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Vec<u8> {
    let end = read_head(stream, buffer).await.expect("the service closed the connection");
    let head = String::from_utf8(buffer.drain(..end).collect()).unwrap().to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().trim().parse().unwrap();
    while buffer.len() < length {
        assert!(stream.read_buf(buffer).await.unwrap() > 0, "the reply was cut off");
    }
    buffer.drain(..length).collect()
}

/// Reads until the buffer contains a complete head, and returns its end; `None` if the peer closed the connection.
async fn read_head(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<usize> {
    loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            return Some(at + 4);
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

/// An upstream that echoes the path and stores nothing: the upstream of the test kit would store every request.
async fn serve(listener: TcpListener) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(echo(stream));
    }
}

async fn echo(mut stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut buffer = Vec::new();
    loop {
        let end = read_head(&mut stream, &mut buffer).await?;
        let head: Vec<u8> = buffer.drain(..end).collect();
        let path = head.split(|byte| *byte == b' ').nth(1)?.strip_prefix(b"/")?.to_vec();
        let mut response = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", path.len()).into_bytes();
        response.extend_from_slice(&path);
        stream.write_all(&response).await.ok()?;
    }
}
