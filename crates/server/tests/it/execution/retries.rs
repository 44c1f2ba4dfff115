//! `retry_count`: idempotent requests are retried after temporary failures, within the tool's timeout.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::{MockResponse, ServiceFixture, Upstream};

use super::setup::{assert_failed, failure_message, start};

/// An upstream that sends these responses in order, then `fine`.
fn failing_upstream(responses: Vec<MockResponse>) -> Upstream {
    let count = AtomicUsize::new(0);
    Upstream::with_handler(move |_| {
        responses.get(count.fetch_add(1, Ordering::Relaxed)).cloned().unwrap_or(MockResponse::text("fine"))
    })
}

async fn fixture(responses: Vec<MockResponse>, method: &str, retry_count: u32, timeout_secs: u32) -> ServiceFixture {
    let fixture = start(failing_upstream(responses)).await;
    fixture.create_tool(json!({"http_method": method, "retry_count": retry_count, "timeout": timeout_secs})).await;
    fixture
}

#[tokio::test]
async fn idempotent_requests_are_retried_until_they_succeed() {
    for (method, status) in
        [("GET", 503), ("PUT", 502), ("DELETE", 429), ("OPTIONS", 500), ("QUERY", 503), ("GET", 408), ("GET", 504)]
    {
        let fixture = fixture(vec![MockResponse::status(status); 2], method, 2, 30).await;
        assert_eq!(fixture.caller().text("tool", json!({})).await, "fine", "{method} {status}");
        assert_eq!(fixture.upstream.request_count(), 3, "{method} {status}");
    }
}

#[tokio::test]
async fn a_broken_connection_is_retried() {
    let broken = MockResponse::raw("");
    let cut = MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    let fixture = fixture(vec![broken, cut], "GET", 2, 30).await;
    assert_eq!(fixture.caller().text("tool", json!({})).await, "fine");
    assert_eq!(fixture.upstream.request_count(), 3);
}

#[tokio::test]
async fn retry_count_limits_the_attempts() {
    let fixture = fixture(vec![MockResponse::status(503); 9], "GET", 1, 30).await;
    let result = fixture.caller().call("tool", json!({})).await;
    assert_eq!(failure_message(&result), "Upstream returned HTTP 503 Service Unavailable");
    assert_eq!(fixture.upstream.request_count(), 2);
}

#[tokio::test]
async fn requests_that_are_not_idempotent_are_never_retried() {
    for method in ["POST", "PATCH"] {
        for response in [MockResponse::status(503), MockResponse::raw("")] {
            let fixture = fixture(vec![response], method, 5, 30).await;
            assert_failed(&fixture.caller().call("tool", json!({})).await);
            assert_eq!(fixture.upstream.request_count(), 1, "{method}");
        }
    }
}

#[tokio::test]
async fn permanent_failures_are_not_retried() {
    for status in [400, 401, 404, 501] {
        let fixture = fixture(vec![MockResponse::status(status)], "GET", 5, 30).await;
        assert_failed(&fixture.caller().call("tool", json!({})).await);
        assert_eq!(fixture.upstream.request_count(), 1, "{status}");
    }
}

#[tokio::test]
async fn retry_after_is_respected() {
    let fixture = fixture(vec![MockResponse::status(429).header("retry-after", "2")], "GET", 1, 30).await;
    let began = Instant::now();
    assert_eq!(fixture.caller().text("tool", json!({})).await, "fine");
    // Without the header, the pause would be 200 ms at most.
    assert!(began.elapsed() >= Duration::from_secs(2), "the call took {:?}", began.elapsed());
    assert_eq!(fixture.upstream.request_count(), 2);
}

#[tokio::test]
async fn a_retry_after_beyond_the_timeout_returns_the_last_response() {
    let fixture = fixture(vec![MockResponse::status(503).body("busy").header("retry-after", "60")], "GET", 5, 30).await;
    let began = Instant::now();
    let result = fixture.caller().call("tool", json!({})).await;
    assert!(failure_message(&result).contains("503 Service Unavailable: busy"), "{result}");
    assert!(began.elapsed() < Duration::from_secs(20), "the call waited: it took {:?}", began.elapsed());
    assert_eq!(fixture.upstream.request_count(), 1);
}

#[tokio::test]
async fn all_attempts_together_stay_within_the_timeout() {
    let fixture = fixture(vec![MockResponse::status(503); 9], "GET", 5, 1).await;
    let began = Instant::now();
    assert_failed(&fixture.caller().call("tool", json!({})).await);
    assert!(began.elapsed() < Duration::from_secs(5), "the call took {:?}", began.elapsed());
    assert!(
        (2..6).contains(&fixture.upstream.request_count()),
        "there were {} attempts",
        fixture.upstream.request_count()
    );
}
