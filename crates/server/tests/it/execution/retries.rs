//! `retry_count`: what may be repeated is, where that may help, and within the tool's time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::{Answer, Upstream};

use super::setup::{Stage, failure};

/// Gives these answers one after the other, then `fine`.
fn failing(answers: Vec<Answer>) -> Upstream {
    let count = AtomicUsize::new(0);
    Upstream::answering(move |_| {
        answers.get(count.fetch_add(1, Ordering::Relaxed)).cloned().unwrap_or(Answer::text("fine"))
    })
}

async fn stage(answers: Vec<Answer>, method: &str, retry_count: u32, timeout: u32) -> Stage {
    let stage = Stage::new(failing(answers)).await;
    stage.tool(json!({"http_method": method, "retry_count": retry_count, "timeout": timeout})).await;
    stage
}

#[tokio::test]
async fn what_may_be_repeated_is_until_it_succeeds() {
    for (method, status) in [("GET", 503), ("PUT", 502), ("DELETE", 429), ("OPTIONS", 500), ("GET", 408), ("GET", 504)]
    {
        let stage = stage(vec![Answer::status(status); 2], method, 2, 30).await;
        assert_eq!(stage.caller().text("tool", json!({})).await, "fine", "{method} {status}");
        assert_eq!(stage.upstream.hits(), 3, "{method} {status}");
    }
}

#[tokio::test]
async fn a_broken_connection_is_tried_again() {
    let broken = Answer::raw("");
    let cut = Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    let stage = stage(vec![broken, cut], "GET", 2, 30).await;
    assert_eq!(stage.caller().text("tool", json!({})).await, "fine");
    assert_eq!(stage.upstream.hits(), 3);
}

#[tokio::test]
async fn no_more_tries_are_made_than_were_asked_for() {
    let stage = stage(vec![Answer::status(503); 9], "GET", 1, 30).await;
    let result = stage.caller().call("tool", json!({})).await;
    assert_eq!(failure(&result), "Upstream returned HTTP 503 Service Unavailable");
    assert_eq!(stage.upstream.hits(), 2);
}

#[tokio::test]
async fn what_may_have_happened_is_never_done_twice() {
    for method in ["POST", "PATCH"] {
        for answer in [Answer::status(503), Answer::raw("")] {
            let stage = stage(vec![answer], method, 5, 30).await;
            failure(&stage.caller().call("tool", json!({})).await);
            assert_eq!(stage.upstream.hits(), 1, "{method}");
        }
    }
}

#[tokio::test]
async fn what_a_repetition_cannot_mend_is_not_repeated() {
    for status in [400, 401, 404, 501] {
        let stage = stage(vec![Answer::status(status)], "GET", 5, 30).await;
        failure(&stage.caller().call("tool", json!({})).await);
        assert_eq!(stage.upstream.hits(), 1, "{status}");
    }
}

#[tokio::test]
async fn an_upstream_that_names_a_time_is_given_it() {
    let stage = stage(vec![Answer::status(429).header("retry-after", "2")], "GET", 1, 30).await;
    let began = Instant::now();
    assert_eq!(stage.caller().text("tool", json!({})).await, "fine");
    // Without the header, the pause would be 200 ms at most.
    assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
    assert_eq!(stage.upstream.hits(), 2);
}

#[tokio::test]
async fn an_answer_at_hand_is_better_than_a_timeout() {
    let stage = stage(vec![Answer::status(503).body("busy").header("retry-after", "60")], "GET", 5, 30).await;
    let began = Instant::now();
    let result = stage.caller().call("tool", json!({})).await;
    assert!(failure(&result).contains("503 Service Unavailable: busy"), "{result}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(stage.upstream.hits(), 1);
}

#[tokio::test]
async fn all_tries_together_stay_within_the_tools_time() {
    let stage = stage(vec![Answer::status(503); 9], "GET", 5, 1).await;
    let began = Instant::now();
    failure(&stage.caller().call("tool", json!({})).await);
    assert!(began.elapsed() < Duration::from_millis(2500), "{:?}", began.elapsed());
    assert!((2..6).contains(&stage.upstream.hits()), "{}", stage.upstream.hits());
}
