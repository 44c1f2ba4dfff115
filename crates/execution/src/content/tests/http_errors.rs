//! Tests of failures for upstream HTTP errors.

use toolgate_domain::call::FailureReason;

use super::*;
use crate::failure::Failure;

fn failure_for(status: u16, content_type: &str, body: impl Into<Bytes>) -> Failure {
    to_failure(&response_with(status, content_type, body)).unwrap()
}

#[test]
fn the_message_has_the_status_and_the_body() {
    let failure = failure_for(404, "application/json", r#"{"error":"no such widget"}"#);
    assert_eq!(failure.for_owner.message, r#"Upstream returned HTTP 404 Not Found: {"error":"no such widget"}"#);
    assert_eq!(failure_for(599, "", "").for_owner.message, "Upstream returned HTTP 599");
    assert_eq!(failure_for(500, "", "").for_owner.message, "Upstream returned HTTP 500 Internal Server Error");
    assert!(failure_for(400, "text/plain; charset=iso-8859-1", &b"\xfc"[..]).for_owner.message.ends_with(": ü"));
}

#[test]
fn only_status_400_and_above_is_a_failure() {
    for status in [100, 200, 204, 304, 399] {
        assert_eq!(to_failure(&response_with(status, "text/plain", "body")), None);
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
        assert_eq!(failure_for(status, "", "").reason, reason, "{status}");
    }
}

#[test]
fn a_long_body_is_truncated_between_characters() {
    for (body, length) in [("a".repeat(4096), 4096), ("a".repeat(5000), 4096), ("€".repeat(2000), 4095)] {
        let message = failure_for(400, "text/plain", body.clone()).for_owner.message;
        let shown = message.strip_prefix("Upstream returned HTTP 400 Bad Request: ").unwrap();
        assert_eq!(shown.len(), length);
        assert!(body.starts_with(shown));
    }
}

#[test]
fn a_binary_body_is_not_part_of_the_message() {
    for (content_type, body) in
        [("image/png", &b"png"[..]), ("audio/ogg", b"ogg"), ("", b"\xff"), ("application/pdf", b"\0")]
    {
        assert_eq!(failure_for(404, content_type, body).for_owner.message, "Upstream returned HTTP 404 Not Found");
    }
}

#[test]
fn a_refused_credential_has_advice() {
    for status in [401, 403] {
        let failure = failure_for(status, "", "no");
        assert!(failure.for_owner.message.ends_with(": no"), "{failure:?}");
        assert!(failure.for_owner.advice.starts_with("Check the tool's credential"), "{failure:?}");
    }
    assert_eq!(failure_for(404, "", "no").for_owner.advice, FailureReason::Upstream4xx.advice());
}

#[test]
fn the_advice_repeats_retry_after() {
    let date = "Fri, 31 Dec 1999 23:59:29 GMT";
    for (value, date, hint) in [
        ("30", "", Some("Wait 30 s before the next call, as the API requests.")),
        ("Fri, 31 Dec 1999 23:59:59 GMT", date, Some("Wait 30 s before the next call, as the API requests.")),
        ("Fri, 31 Dec 1999 23:59:59 GMT", "", None),
        ("18446744073709551615", date, None),
    ] {
        let mut response = response_with(429, "", "slow down");
        response.headers.insert("date", date.parse().unwrap());
        response.headers.insert("retry-after", value.parse().unwrap());
        let failure = to_failure(&response).unwrap();
        assert_eq!(failure.for_owner.message, "Upstream returned HTTP 429 Too Many Requests: slow down");
        assert_eq!(failure.for_owner.advice, hint.unwrap_or(FailureReason::RateLimitedUpstream.advice()));
    }
}
