//! Answers that are cut off, badly framed or missing: each is an error, and never a part of an answer.

use serde_json::json;
use toolgate_testkit::Upstream;
use toolgate_testkit::hostile::broken;

use super::{assert_all, case};
use crate::execution::setup::Stage;

#[tokio::test]
async fn what_is_cut_off_or_badly_framed_is_no_answer() {
    let (missing, cut, no_http) = ("without an answer", "cut off", "not valid HTTP");
    let cases = vec![
        case("nothing", broken::nothing(), missing, "connection_failed"),
        case("reset", broken::reset(), missing, "connection_failed"),
        case("cut-head", broken::cut_head(), missing, "connection_failed"),
        case("length-too-long", broken::length_too_long(), cut, "bad_response"),
        case("reset-in-body", broken::reset_in_body(), cut, "bad_response"),
        case("cut-chunks", broken::cut_chunks(), cut, "bad_response"),
        case("cut-in-chunk", broken::cut_in_chunk(), cut, "bad_response"),
        case("bad-chunk-length", broken::bad_chunk_length(), no_http, "bad_response"),
        case("huge-chunk-length", broken::huge_chunk_length(), no_http, "bad_response"),
        case("two-lengths", broken::two_lengths(), no_http, "bad_response"),
        case("negative-length", broken::negative_length(), no_http, "bad_response"),
        case("length-and-chunks", broken::length_and_chunks(), no_http, "bad_response"),
        case("no-http", broken::no_http(), no_http, "bad_response"),
        case("no-gzip", broken::no_gzip(), "not compressed as", "bad_response"),
        case("unknown-coding", broken::unknown_coding(), "compressed in a way", "bad_response"),
    ];
    assert_all(cases, true).await;
}

#[tokio::test]
async fn what_comes_after_the_end_of_an_answer_is_nobodys_answer() {
    let stage = Stage::new(Upstream::answering(|_| broken::length_too_short())).await;
    stage.tool(json!({})).await;
    for call in 1..=10 {
        assert_eq!(stage.caller().text("tool", json!({})).await, "whole");
        assert_eq!(stage.upstream.hits(), call, "each call has an answer of its own");
    }
}
