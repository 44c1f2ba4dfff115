//! Shutdown: active requests are answered, then the process exits.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use toolgate_testkit::{MockResponse, ResponseGate, RunningService, ServiceFixture, Upstream};

use super::LOG_TIMEOUT;
use crate::toolgate;

const BODY: &str = r#"{"name": "made while stopping"}"#;

/// Starts a request without sending its body.
async fn begin_request(app: &RunningService) -> TcpStream {
    let mut stream = TcpStream::connect(app.address()).await.unwrap();
    let path = app.api_base().strip_prefix(&app.origin()).unwrap();
    let head = format!(
        "POST {path}/servers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        app.key(),
        BODY.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // `100 Continue` shows that the service reads the body: the request is active.
    let mut continue_response = [0; 25];
    stream.read_exact(&mut continue_response).await.unwrap();
    assert_eq!(&continue_response, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

#[test]
fn an_idle_service_stops_immediately() {
    let mut app = toolgate().start();
    assert_eq!(app.terminate().code(), Some(0), "{}", app.logs());
    assert!(app.logs().trim_end().ends_with("the database is closed"), "{}", app.logs());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_active_request_is_answered_before_the_exit() {
    let mut app = toolgate().start();
    let mut stream = begin_request(&app).await;
    app.send_terminate();
    app.wait_for_log("no new connections", LOG_TIMEOUT);
    assert!(TcpStream::connect(app.address()).await.is_err(), "new connections are refused");

    stream.write_all(BODY.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 201 ") && reply.contains("made while stopping"), "{reply}");
    assert_eq!(app.wait().code(), Some(0), "{}", app.logs());
}

/// Whether the resumed service sees the signal or the connections first is random, so the test runs several times: the
/// signal comes first at least once.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_were_not_accepted_before_the_stop_are_answered() {
    for _ in 0..8 {
        let mut app = toolgate().start();
        app.pause();
        let mut unaccepted = Vec::new();
        for _ in 0..20 {
            let mut stream = TcpStream::connect(app.address()).await.unwrap();
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
            unaccepted.push(stream);
        }
        app.send_terminate();
        app.resume();
        for mut stream in unaccepted {
            let mut reply = String::new();
            stream.read_to_string(&mut reply).await.unwrap();
            assert!(reply.starts_with("HTTP/1.1 200 ") && reply.ends_with(r#"{"status":"ok"}"#), "{reply}");
        }
        assert_eq!(app.wait().code(), Some(0), "{}", app.logs());
    }
}

/// A proxy with many connections uses the last of them long after the stop signal.
#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_stay_open_as_long_as_requests_arrive() {
    const REQUEST_INTERVAL: Duration = Duration::from_millis(5);
    let mut app = toolgate().start();
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(TcpStream::connect(app.address()).await.unwrap());
    }
    app.send_terminate();
    app.wait_for_log("no new connections", LOG_TIMEOUT);
    for mut stream in idle {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 200 ") && reply.contains("\r\nconnection: close\r\n"), "{reply}");
        tokio::time::sleep(REQUEST_INTERVAL).await;
    }
    assert_eq!(app.wait().code(), Some(0), "{}", app.logs());
}

/// A client with many connections cannot keep a stopping service running.
#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_are_closed_after_a_limit_although_requests_arrive() {
    const REQUEST_INTERVAL: Duration = Duration::from_millis(50);
    let mut app = toolgate().start();
    let mut unused = TcpStream::connect(app.address()).await.unwrap();
    let mut idle = Vec::new();
    // Enough for four times the limit of five seconds.
    for _ in 0..400 {
        idle.push(TcpStream::connect(app.address()).await.unwrap());
    }
    app.send_terminate();
    app.wait_for_log("no new connections", LOG_TIMEOUT);
    let requests = async {
        for stream in &mut idle {
            // After the limit the service has closed the connection.
            let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await;
            tokio::time::sleep(REQUEST_INTERVAL).await;
        }
    };
    let mut byte = [0];
    tokio::select! {
        read = unused.read(&mut byte) => assert_eq!(read.unwrap(), 0, "the unused connection is closed"),
        () = requests => panic!("the unused connection stays open as long as requests arrive"),
    }
    drop(idle);
    assert_eq!(app.wait().code(), Some(0), "{}", app.logs());
}

/// Requests count when they arrive: none of these is answered before the quiet time is over.
#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_stay_open_while_requests_wait_for_their_upstream() {
    const REQUEST_INTERVAL: Duration = Duration::from_millis(25);
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("late").held_by(&held));
    let mut fixture = ServiceFixture::start(toolgate(), upstream, json!({})).await;
    fixture.create_tool(json!({})).await;
    let (_, path) = fixture.url().split_once(fixture.app.address()).unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool"}}"#;
    let call = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut streams = Vec::new();
    for _ in 0..30 {
        streams.push(TcpStream::connect(fixture.app.address()).await.unwrap());
    }
    fixture.app.send_terminate();
    fixture.app.wait_for_log("no new connections", LOG_TIMEOUT);
    for stream in &mut streams {
        stream.write_all(call.as_bytes()).await.unwrap();
        tokio::time::sleep(REQUEST_INTERVAL).await;
    }
    fixture.upstream.wait_for_requests(30).await;
    gate.open();
    for mut stream in streams {
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 200 ") && reply.contains("late"), "{reply}");
    }
    assert_eq!(fixture.app.wait().code(), Some(0), "{}", fixture.app.logs());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_service_is_not_ready() {
    let mut app = toolgate().start();
    let mut incomplete = TcpStream::connect(app.address()).await.unwrap();
    // With half a head the connection is not idle, so it may still send its request while the service stops.
    incomplete.write_all(b"GET /readyz HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let _active_request = begin_request(&app).await;
    app.send_terminate();
    app.wait_for_log("no new connections", LOG_TIMEOUT);
    incomplete.write_all(b"\r\n").await.unwrap();
    let mut reply = String::new();
    incomplete.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 503 ") && reply.contains("the service is stopping"), "{reply}");
    app.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_stops_the_service_without_waiting_for_requests() {
    let gate = ResponseGate::new();
    let held = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("late").held_by(&held));
    let mut fixture = ServiceFixture::start(toolgate(), upstream, json!({})).await;
    fixture.create_tool(json!({})).await;
    let _active_request = begin_request(&fixture.app).await;
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let caller = fixture.caller();
        calls.spawn(async move { caller.request("tools/call", json!({"name": "tool"})).try_send().await });
    }
    fixture.upstream.wait_for_requests(8).await;
    fixture.app.send_terminate();
    fixture.app.wait_for_log("no new connections", LOG_TIMEOUT);
    fixture.app.send_terminate();
    let began = std::time::Instant::now();
    assert_eq!(fixture.app.wait().code(), Some(1), "{}", fixture.app.logs());
    assert!(began.elapsed() < Duration::from_secs(20));
    let logs = fixture.app.logs();
    assert!(logs.contains("toolgate: stopped immediately by a second SIGTERM"), "{logs}");
    assert!(!logs.contains("panic"), "{logs}");
}
