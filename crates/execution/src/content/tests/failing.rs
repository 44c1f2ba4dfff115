//! What is told of an upstream's error.

use toolgate_domain::call::FailureReason;

use super::*;
use crate::Failure;

fn failed(status: u16, content_type: &str, body: impl Into<Bytes>) -> Failure {
    failure(&answer(status, content_type, body)).unwrap()
}

#[test]
fn an_error_is_told_with_its_status_and_body() {
    let failure = failed(404, "application/json", r#"{"error":"no such widget"}"#);
    assert_eq!(failure.message, r#"Upstream returned HTTP 404 Not Found: {"error":"no such widget"}"#);
    assert_eq!(failed(599, "", "").message, "Upstream returned HTTP 599");
    assert_eq!(failed(500, "", "").message, "Upstream returned HTTP 500 Internal Server Error");
    assert!(failed(400, "text/plain; charset=iso-8859-1", &b"\xfc"[..]).message.ends_with(": ü"));
}

#[test]
fn only_400_and_above_fail() {
    for status in [100, 200, 204, 304, 399] {
        assert_eq!(failure(&answer(status, "text/plain", "body")), None);
    }
}

#[test]
fn each_status_has_its_reason() {
    for (status, reason) in [
        (400, FailureReason::Upstream4xx),
        (428, FailureReason::Upstream4xx),
        (429, FailureReason::RateLimitedUpstream),
        (499, FailureReason::Upstream4xx),
        (500, FailureReason::Upstream5xx),
        (999, FailureReason::Upstream5xx),
    ] {
        assert_eq!(failed(status, "", "").reason, reason, "{status}");
    }
}

#[test]
fn a_long_body_is_cut_between_characters() {
    for (body, kept) in [("a".repeat(4096), 4096), ("a".repeat(5000), 4096), ("€".repeat(2000), 4095)] {
        let message = failed(400, "text/plain", body.clone()).message;
        let told = message.strip_prefix("Upstream returned HTTP 400 Bad Request: ").unwrap();
        assert_eq!(told.len(), kept);
        assert!(body.starts_with(told));
    }
}

#[test]
fn a_body_that_is_no_text_is_not_told() {
    for (content_type, body) in
        [("image/png", &b"png"[..]), ("audio/ogg", b"ogg"), ("", b"\xff"), ("application/pdf", b"\0")]
    {
        assert_eq!(failed(404, content_type, body).message, "Upstream returned HTTP 404 Not Found");
    }
}

#[test]
fn a_refused_credential_is_hinted_at() {
    for status in [401, 403] {
        let failure = failed(status, "", "no");
        assert!(failure.message.ends_with(": no"), "{failure:?}");
        assert!(failure.advice.starts_with("Check the tool's credential"), "{failure:?}");
    }
    assert_eq!(failed(404, "", "no").advice, FailureReason::Upstream4xx.advice());
}

#[test]
fn a_busy_upstream_says_when_to_come_again() {
    let date = "Fri, 31 Dec 1999 23:59:29 GMT";
    for (value, date, hint) in [
        ("30", "", Some("Wait 30 s before the next call, as the API asks.")),
        ("Fri, 31 Dec 1999 23:59:59 GMT", date, Some("Wait 30 s before the next call, as the API asks.")),
        ("Fri, 31 Dec 1999 23:59:59 GMT", "", None),
        ("18446744073709551615", date, None),
    ] {
        let mut response = answer(429, "", "slow down");
        response.headers.insert("date", date.parse().unwrap());
        response.headers.insert("retry-after", value.parse().unwrap());
        let failure = failure(&response).unwrap();
        assert_eq!(failure.message, "Upstream returned HTTP 429 Too Many Requests: slow down");
        assert_eq!(failure.advice, hint.unwrap_or(FailureReason::RateLimitedUpstream.advice()));
    }
}
