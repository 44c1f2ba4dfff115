//! The client against a socket that repeats what it heard.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Client, SendError};

/// Answers one request with 201 and what it heard: `{"head": [lines], "body": text}`.
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
    let answer = json!({"head": head, "body": String::from_utf8(body).unwrap()}).to_string();
    let length = answer.len();
    write!(&*stream, "HTTP/1.1 201 Created\r\nX-Seen: yes\r\nContent-Length: {length}\r\n\r\n{answer}").unwrap();
}

fn heard_line(heard: &Value, line: &str) -> bool {
    heard["head"].as_array().unwrap().contains(&json!(line))
}

#[tokio::test]
async fn a_request_carries_its_key_query_and_json() {
    let client = Client::new(&echo_once(), Some("tg_test"));
    let reply = client
        .post("/servers")
        .query("search", "a b&c")
        .query("page", 2)
        .json(json!({"name": "x"}))
        .send()
        .await
        .expect(201);
    let heard = reply.json();
    assert_eq!(heard["head"][0], "POST /base/servers?search=a+b%26c&page=2 HTTP/1.1");
    assert!(heard_line(&heard, "authorization: Bearer tg_test"));
    assert!(heard_line(&heard, "content-type: application/json"));
    assert_eq!(heard["body"], r#"{"name":"x"}"#);
    assert_eq!(reply.header("x-seen"), Some("yes"));
    assert_eq!(reply.header("x-other"), None);
}

#[tokio::test]
async fn given_headers_win_over_our_own() {
    let client = Client::new(&echo_once(), Some("tg_test"));
    let heard = client
        .put("/x")
        .header("authorization", "ApiKey other")
        .header("content-type", "text/plain")
        .json(json!(1))
        .send()
        .await
        .json();
    assert!(heard_line(&heard, "authorization: ApiKey other"));
    assert!(heard_line(&heard, "content-type: text/plain"));
}

#[tokio::test]
async fn a_whole_address_replaces_the_base() {
    let origin = echo_once().replace("/base", "");
    let client = Client::new("http://127.0.0.1:1/nowhere", None);
    let heard = client.get(&format!("{origin}/healthz")).send().await.json();
    assert_eq!(heard["head"][0], "GET /healthz HTTP/1.1");
}

#[tokio::test]
#[should_panic(expected = "expected 200, not this: GET http://127.0.0.1")]
async fn an_unexpected_status_panics_with_the_exchange() {
    let client = Client::new(&echo_once(), None);
    client.get("/x").send().await.expect(200);
}

#[tokio::test]
async fn silence_ends_with_the_patience() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let patience = Duration::from_millis(100);
    let outcome = Client::new(&base, None).get("/").patience(patience).try_send().await;
    assert!(matches!(outcome, Err(SendError::TimedOut(_))));
}
