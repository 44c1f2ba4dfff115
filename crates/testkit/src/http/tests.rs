//! Tests of the client against a socket that echoes the request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Client, RequestError};

/// Starts a server that answers one request with 201 and `{"head": [lines], "body": text}`; returns its base URL.
fn echo_once() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || echo(&listener.accept().unwrap().0));
    format!("http://{address}/base")
}

fn echo(stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    let mut head: Vec<String> = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let length =
        head.iter().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let body = json!({"head": head, "body": String::from_utf8(body).unwrap()}).to_string();
    let length = body.len();
    write!(&*stream, "HTTP/1.1 201 Created\r\nX-Seen: yes\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
}

fn has_line(echoed: &Value, line: &str) -> bool {
    echoed["head"].as_array().unwrap().contains(&json!(line))
}

#[tokio::test]
async fn a_request_has_its_api_key_its_query_and_its_json_body() {
    let client = Client::new(&echo_once(), Some("tg_test"));
    let reply = client
        .post("/servers")
        .query("search", "a b&c")
        .query("page", 2)
        .json(json!({"name": "x"}))
        .send()
        .await
        .expect(201);
    let echoed = reply.json();
    assert_eq!(echoed["head"][0], "POST /base/servers?search=a+b%26c&page=2 HTTP/1.1");
    assert!(has_line(&echoed, "authorization: Bearer tg_test"));
    assert!(has_line(&echoed, "content-type: application/json"));
    assert_eq!(echoed["body"], r#"{"name":"x"}"#);
    assert_eq!(reply.header("x-seen"), Some("yes"));
    assert_eq!(reply.header("x-other"), None);
}

#[tokio::test]
async fn headers_of_the_request_replace_those_of_the_client() {
    let client = Client::new(&echo_once(), Some("tg_test"));
    let echoed = client
        .put("/x")
        .header("authorization", "ApiKey other")
        .header("content-type", "text/plain")
        .json(json!(1))
        .send()
        .await
        .json();
    assert!(has_line(&echoed, "authorization: ApiKey other"));
    assert!(has_line(&echoed, "content-type: text/plain"));
}

#[tokio::test]
async fn an_absolute_url_replaces_the_base() {
    let origin = echo_once().replace("/base", "");
    let client = Client::new("http://127.0.0.1:1/nowhere", None);
    let echoed = client.get(&format!("{origin}/healthz")).send().await.json();
    assert_eq!(echoed["head"][0], "GET /healthz HTTP/1.1");
}

#[tokio::test]
#[should_panic(expected = "expected 200, got: GET http://127.0.0.1")]
async fn an_unexpected_status_panics_with_request_and_response() {
    let client = Client::new(&echo_once(), None);
    client.get("/x").send().await.expect(200);
}

#[tokio::test]
async fn a_silent_server_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let timeout = Duration::from_millis(100);
    let outcome = Client::new(&base, None).get("/").timeout(timeout).try_send().await;
    assert!(matches!(outcome, Err(RequestError::TimedOut(_))));
}
