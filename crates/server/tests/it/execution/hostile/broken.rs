//! Truncated, badly framed or missing responses: each is an error, never a partial response.

use serde_json::json;
use toolgate_testkit::Upstream;
use toolgate_testkit::hostile::broken;

use super::{CallOrder, assert_all_fail, case};
use crate::execution::setup::start;

#[tokio::test]
async fn truncated_or_badly_framed_responses_are_errors() {
    let (missing, cut, no_http) = ("without an answer", "cut off", "cannot be read");
    let cases = vec![
        case("nothing", broken::closed_connection(), missing, "connection_failed"),
        case("reset", broken::reset(), missing, "connection_failed"),
        case("cut-head", broken::truncated_head(), missing, "connection_failed"),
        case("length-too-long", broken::length_too_long(), cut, "bad_response"),
        case("reset-in-body", broken::reset_in_body(), cut, "bad_response"),
        case("cut-chunks", broken::truncated_chunks(), cut, "bad_response"),
        case("cut-in-chunk", broken::truncated_chunk(), cut, "bad_response"),
        case("bad-chunk-length", broken::bad_chunk_length(), no_http, "bad_response"),
        case("huge-chunk-length", broken::huge_chunk_length(), no_http, "bad_response"),
        case("two-lengths", broken::two_lengths(), no_http, "bad_response"),
        case("negative-length", broken::negative_length(), no_http, "bad_response"),
        case("length-and-chunks", broken::length_and_chunks(), no_http, "bad_response"),
        case("no-http", broken::not_http(), no_http, "bad_response"),
        case("no-gzip", broken::not_gzip(), "cannot be read", "bad_response"),
        case("unknown-coding", broken::unsupported_encoding(), "cannot be read", "bad_response"),
    ];
    assert_all_fail(cases, CallOrder::Concurrent).await;
}

#[tokio::test]
async fn data_after_the_end_of_a_response_is_never_another_response() {
    let fixture = start(Upstream::with_handler(|_| broken::length_too_short())).await;
    fixture.create_tool(json!({})).await;
    for call in 1..=10 {
        assert_eq!(fixture.caller().text("tool", json!({})).await, "whole");
        assert_eq!(fixture.upstream.request_count(), call, "each call has its own response");
    }
}
