//! Calls that fail: each is an HTTP 200 response with a message and advice.

use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::hostile::large;
use toolgate_testkit::{MockResponse, ResponseGate, Upstream, free_address};

use super::setup::{failure_message, message_and_advice, start};

const MIB: usize = 1024 * 1024;

/// The message that a caller gets for this upstream response.
async fn message(response: MockResponse) -> String {
    message_and_advice_for(response).await.0
}

/// The message and the advice that a caller gets for this upstream response.
async fn message_and_advice_for(response: MockResponse) -> (String, String) {
    let fixture = start(Upstream::with_handler(move |_| response.clone())).await;
    fixture.create_tool(json!({})).await;
    let reply = fixture.caller().send("tools/call", json!({"name": "tool"})).await.expect(200);
    assert_eq!(fixture.upstream.request_count(), 1);
    let result = &reply.json()["result"];
    let (message, advice) = message_and_advice(result);
    (message.to_owned(), advice.to_owned())
}

#[tokio::test]
async fn an_upstreams_error_is_reported_with_its_status_and_body() {
    for (response, expected) in [
        (MockResponse::status(404).body("no such city"), "Upstream returned HTTP 404 Not Found: no such city"),
        (MockResponse::status(400), "Upstream returned HTTP 400 Bad Request"),
        (MockResponse::status(599).body("{}"), "Upstream returned HTTP 599: {}"),
        (MockResponse::bytes("image/png", "png").with_status(500), "Upstream returned HTTP 500 Internal Server Error"),
        (MockResponse::status(403).body("no"), "Upstream returned HTTP 403 Forbidden: no"),
    ] {
        assert_eq!(message(response).await, expected);
    }
}

#[tokio::test]
async fn a_failure_has_specific_advice() {
    for (response, expected) in [
        (MockResponse::status(404), "Nothing was found. Check the arguments."),
        (MockResponse::status(401), "The API refused the credential of this tool"),
        (MockResponse::status(403), "The API refused the credential of this tool"),
        (MockResponse::status(429), "The API allows no more calls now. Wait a minute"),
        (MockResponse::status(429).header("retry-after", "30"), "The API allows no more calls now. Wait 30 s"),
        (
            MockResponse::status(503).header("retry-after", "7"),
            "The API is not available now; the arguments are not the cause. Wait 7 s",
        ),
        (MockResponse::status(500), "The API failed. Try once more later"),
        (MockResponse::raw("SSH-2.0-OpenSSH_9.6\r\n\r\n"), "Calling again will not help. Tell the user"),
    ] {
        let (message, advice) = message_and_advice_for(response).await;
        assert!(advice.starts_with(expected) && advice.ends_with('.'), "{message}\n{advice}");
    }
}

#[tokio::test]
async fn at_most_4_kib_of_an_error_body_are_reported() {
    let start = "Upstream returned HTTP 500 Internal Server Error: ";
    assert_eq!(message(MockResponse::status(500).body("x".repeat(4096))).await, format!("{start}{}", "x".repeat(4096)));
    assert_eq!(message(MockResponse::status(500).body("x".repeat(5000))).await, format!("{start}{}", "x".repeat(4096)));
    // No character is split.
    let truncated = message(MockResponse::text("\u{20ac}".repeat(2000)).with_status(500)).await;
    assert_eq!(truncated, format!("{start}{}", "\u{20ac}".repeat(4096 / 3)));
}

#[tokio::test]
async fn a_call_ends_at_the_timeout_of_its_tool() {
    let gate = ResponseGate::new();
    let upstream = Upstream::builder()
        .route("/silent", MockResponse::text("late").held_by(&gate))
        .route("/half", MockResponse::text("late").body_held_by(&gate))
        .start();
    let fixture = start(upstream).await;
    for (index, name) in ["silent", "half"].into_iter().enumerate() {
        fixture.create_tool(json!({"name": name, "endpoint_url": format!("/{name}"), "timeout": 1})).await;
        let began = Instant::now();
        let reply = fixture.caller().send("tools/call", json!({"name": name})).await.expect(200);
        let took = began.elapsed();
        assert_eq!(failure_message(&reply.json()["result"]), "Upstream request timed out after 1 s");
        assert!(took >= Duration::from_secs(1) && took < Duration::from_secs(10), "the call took {took:?}");
        fixture.upstream.wait_for_abandoned(index + 1).await;
    }
}

#[tokio::test]
async fn a_refused_connection_is_reported_without_the_address() {
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("ok"))).await;
    let unused = free_address();
    fixture.create_tool(json!({"endpoint_url": format!("http://{unused}/secret-path")})).await;
    let result = fixture.caller().call("tool", json!({})).await;
    let (text, advice) = message_and_advice(&result);
    assert_eq!(text, "The API cannot be reached: it refuses the connection.");
    assert!(advice.starts_with("Calling again will not help."), "{advice}");
    let text = result.to_string();
    assert!(!text.contains("127.0.0.1") && !text.contains("secret-path"), "no address is reported: {text}");
}

#[tokio::test]
async fn a_response_of_8_mib_is_accepted_and_a_larger_one_is_not() {
    let upstream = Upstream::with_handler(|request| match request.path() {
        "/largest" => MockResponse::text("x".repeat(8 * MIB)),
        "/too_large" => MockResponse::text("x".repeat(8 * MIB + 1)),
        "/chunks" => MockResponse::text("x".repeat(8 * MIB + 1)).chunked(),
        _ => large::gzip_bomb(9 * MIB),
    });
    let fixture = start(upstream).await;
    for name in ["largest", "too_large", "chunks", "bomb"] {
        fixture.create_tool(json!({"name": name, "endpoint_url": format!("/{name}")})).await;
    }
    assert_eq!(fixture.caller().text("largest", json!({})).await.len(), 8 * MIB);
    for name in ["too_large", "chunks", "bomb"] {
        let result = fixture.caller().call(name, json!({})).await;
        assert!(failure_message(&result).contains("larger than 8 MiB"), "{name}: {result}");
    }
}
