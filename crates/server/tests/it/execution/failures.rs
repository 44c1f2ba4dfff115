//! Calls that fail: each is an answer of HTTP 200 that says what happened, and what to do.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::hostile::large;
use toolgate_testkit::{Answer, Gate, Upstream};

use super::setup::{Stage, explained, failure};

const MIB: usize = 1024 * 1024;

/// The message that a caller gets when the upstream answers so.
async fn message(answer: Answer) -> String {
    explanation(answer).await.0
}

/// The message and the advice.
async fn explanation(answer: Answer) -> (String, String) {
    let stage = Stage::new(Upstream::answering(move |_| answer.clone())).await;
    stage.tool(json!({})).await;
    let reply = stage.caller().send("tools/call", json!({"name": "tool"})).await.expect(200);
    assert_eq!(stage.upstream.hits(), 1);
    let result = &reply.json()["result"];
    let (message, advice) = explained(result);
    (message.to_owned(), advice.to_owned())
}

#[tokio::test]
async fn an_upstreams_error_is_told_with_its_status_and_body() {
    for (answer, expected) in [
        (Answer::status(404).body("no such city"), "Upstream returned HTTP 404 Not Found: no such city"),
        (Answer::status(400), "Upstream returned HTTP 400 Bad Request"),
        (Answer::status(599).body("{}"), "Upstream returned HTTP 599: {}"),
        (Answer::bytes("image/png", "png").with_status(500), "Upstream returned HTTP 500 Internal Server Error"),
        (Answer::status(403).body("no"), "Upstream returned HTTP 403 Forbidden: no"),
    ] {
        assert_eq!(message(answer).await, expected);
    }
}

#[tokio::test]
async fn a_failure_comes_with_advice_for_its_very_case() {
    for (answer, expected) in [
        (Answer::status(404), "The API refused this request"),
        (Answer::status(401), "Check the tool's credential"),
        (Answer::status(403), "Check the tool's credential"),
        (Answer::status(429), "The API wants fewer calls"),
        (Answer::status(429).header("retry-after", "30"), "Wait 30 s before the next call"),
        (Answer::status(503).header("retry-after", "7"), "Wait 7 s before the next call"),
        (Answer::status(500), "The API failed by itself"),
        (Answer::raw("SSH-2.0-OpenSSH_9.6\r\n\r\n"), "Check that the host and port"),
    ] {
        let (message, advice) = explanation(answer).await;
        assert!(advice.starts_with(expected) && advice.ends_with('.'), "{message}\n{advice}");
    }
}

#[tokio::test]
async fn of_an_errors_body_no_more_than_4_kib_is_told() {
    let start = "Upstream returned HTTP 500 Internal Server Error: ";
    assert_eq!(message(Answer::status(500).body("x".repeat(4096))).await, format!("{start}{}", "x".repeat(4096)));
    assert_eq!(message(Answer::status(500).body("x".repeat(5000))).await, format!("{start}{}", "x".repeat(4096)));
    // Whole characters only.
    let cut = message(Answer::text("\u{20ac}".repeat(2000)).with_status(500)).await;
    assert_eq!(cut, format!("{start}{}", "\u{20ac}".repeat(4096 / 3)));
}

#[tokio::test]
async fn a_call_ends_when_the_tools_time_is_over() {
    let gate = Gate::new();
    let upstream = Upstream::builder()
        .route("/silent", Answer::text("late").held_by(&gate))
        .route("/half", Answer::text("late").body_held_by(&gate))
        .start();
    let stage = Stage::new(upstream).await;
    for (index, name) in ["silent", "half"].into_iter().enumerate() {
        stage.tool(json!({"name": name, "endpoint_url": format!("/{name}"), "timeout": 1})).await;
        let began = Instant::now();
        let reply = stage.caller().send("tools/call", json!({"name": name})).await.expect(200);
        let took = began.elapsed();
        assert_eq!(failure(&reply.json()["result"]), "Upstream request timed out after 1 s");
        assert!(took >= Duration::from_secs(1) && took < Duration::from_millis(2500), "{took:?}");
        stage.upstream.wait_for_abandoned(index + 1).await;
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_named_as_such() {
    let stage = Stage::new(Upstream::answering(|_| Answer::text("ok"))).await;
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    stage.tool(json!({"endpoint_url": format!("http://{unused}/secret-path")})).await;
    let result = stage.caller().call("tool", json!({})).await;
    let (text, advice) = explained(&result);
    assert_eq!(text, "The upstream refused the connection.");
    assert!(advice.starts_with("Check that the API is running"), "{advice}");
    let told = result.to_string();
    assert!(!told.contains("127.0.0.1") && !told.contains("secret-path"), "no address is told: {told}");
}

#[tokio::test]
async fn an_answer_of_8_mib_is_taken_and_a_larger_one_is_not() {
    let upstream = Upstream::answering(|request| match request.path() {
        "/most" => Answer::text("x".repeat(8 * MIB)),
        "/more" => Answer::text("x".repeat(8 * MIB + 1)),
        "/chunks" => Answer::text("x".repeat(8 * MIB + 1)).chunked(),
        _ => large::gzip_bomb(9 * MIB),
    });
    let stage = Stage::new(upstream).await;
    for name in ["most", "more", "chunks", "bomb"] {
        stage.tool(json!({"name": name, "endpoint_url": format!("/{name}")})).await;
    }
    assert_eq!(stage.caller().text("most", json!({})).await.len(), 8 * MIB);
    for name in ["more", "chunks", "bomb"] {
        let result = stage.caller().call(name, json!({})).await;
        assert!(failure(&result).contains("larger than 8 MiB"), "{name}: {result}");
    }
}
