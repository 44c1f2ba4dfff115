//! Tests of the request as an upstream receives it.

use super::*;

const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\n\r\n";

/// The request that an upstream receives, with `PORT` in place of its port.
async fn received_request(make_request: impl FnOnce(&str) -> OutboundRequest) -> String {
    let upstream = ScriptedUpstream::new();
    let (client, request, deadline) =
        (client("loopback"), make_request(&upstream.url("/items?q=%2F..&a=b+c")), generous_deadline());
    let (response, received) = tokio::join!(client.send(&request, deadline), upstream.serve_once(NO_CONTENT));
    assert_eq!(response.unwrap().status, 204);
    received.replace(&upstream.port().to_string(), "PORT")
}

#[tokio::test]
async fn a_plain_request_has_default_headers() {
    assert_eq!(
        received_request(get).await,
        format!(
            "GET /items?q=%2F..&a=b+c HTTP/1.1\r\nuser-agent: Toolgate/{}\r\naccept: */*\r\n\
             accept-encoding: gzip, br\r\nhost: 127.0.0.1:PORT\r\n\r\n",
            env!("CARGO_PKG_VERSION")
        )
    );
}

#[tokio::test]
async fn headers_of_the_tool_are_sent_and_transport_headers_are_dropped() {
    let dropped = [
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "proxy-authorization",
        "proxy-connection",
        "accept-encoding",
    ];
    let received = received_request(|url| {
        let expected =
            [("user-agent", "mine"), ("accept", "text/csv"), ("x-api-key", "k"), ("x-twice", "1"), ("x-twice", "2")];
        let request = expected.into_iter().fold(get(url), |request, (name, value)| with_header(request, name, value));
        dropped.into_iter().fold(request, |request, name| with_header(request, name, "17"))
    })
    .await;
    for expected in ["user-agent: mine", "accept: text/csv", "x-api-key: k", "x-twice: 1\r\nx-twice: 2"] {
        assert!(received.contains(&format!("\r\n{expected}\r\n")), "{expected} in {received}");
    }
    assert!(!received.contains("17") && !received.contains("Toolgate") && !received.contains("*/*"), "{received}");
}

#[tokio::test]
async fn bodies_have_a_content_length_even_when_empty() {
    let with_body = received_request(|url| post(url, "four")).await;
    assert!(with_body.contains("\r\ncontent-length: 4\r\n") && with_body.ends_with("\r\n\r\nfour"), "{with_body}");
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        let empty = received_request(|url| request(method, url)).await;
        assert_eq!(empty.matches("content-length: 0\r\n").count(), 1, "{empty}");
    }
    assert!(!received_request(|url| request(Method::DELETE, url)).await.contains("content-length"));
    let get_with_body = received_request(|url| OutboundRequest { body: "q".into(), ..get(url) }).await;
    assert!(get_with_body.contains("content-length: 1\r\n") && get_with_body.ends_with("\r\n\r\nq"), "{get_with_body}");
}

#[tokio::test]
async fn host_contains_the_name_in_its_canonical_spelling() {
    let upstream = ScriptedUpstream::new();
    let client = client_with_name("loopback", "upstream.test", &["127.0.0.1"]);
    let (request, deadline) = (get(&format!("http://UPSTREAM.test:{}/", upstream.port())), generous_deadline());
    let (response, received) = tokio::join!(client.send(&request, deadline), upstream.serve_once(NO_CONTENT));
    assert_eq!(response.unwrap().status, 204);
    assert!(received.contains(&format!("\r\nhost: upstream.test:{}\r\n", upstream.port())), "{received}");
}
