//! Slow upstreams: every call ends at the tool's timeout.

use serde_json::json;
use toolgate_testkit::hostile::full_backlog::FullBacklog;
use toolgate_testkit::hostile::{interim, slow};
use toolgate_testkit::{MockResponse, Upstream};

use super::{CallOrder, GRACE, HostileUpstreamCase, assert_all_fail, case};
use crate::execution::setup::{failure_message, start};

fn too_slow(name: &'static str, response: MockResponse) -> HostileUpstreamCase {
    case(name, response, "timed out after 1 s", "timeout")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unresponsive_and_slow_upstreams_end_at_the_timeout() {
    let cases = vec![
        too_slow("black-hole", slow::no_response()),
        too_slow("head", slow::partial_head()),
        too_slow("head-byte-by-byte", slow::head_byte_by_byte()),
        too_slow("body", slow::partial_body()),
        too_slow("body-byte-by-byte", slow::body_byte_by_byte()),
        too_slow("chunks-byte-by-byte", slow::chunks_byte_by_byte()),
        too_slow("last-chunk", slow::missing_last_chunk()),
    ];
    assert_all_fail(cases, CallOrder::Concurrent).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_interim_responses_end_at_the_timeout() {
    let cases = vec![
        too_slow("continue", interim::flood(100)),
        too_slow("processing", interim::flood(102)),
        too_slow("hints", interim::flood_with_headers()),
        case("switch", interim::switching_protocols(), "cannot be read", "bad_response"),
    ];
    assert_all_fail(cases, CallOrder::Sequential).await;
}

#[tokio::test]
async fn connecting_takes_at_most_five_seconds_and_never_longer_than_the_timeout() {
    let full_backlog = FullBacklog::start();
    let fixture = start(Upstream::with_handler(|_| MockResponse::text("well"))).await;
    let url = format!("http://{}/", full_backlog.address());
    for (name, timeout, message, seconds) in
        [("hasty", 1, "timed out after 1 s", 1), ("patient", 60, "there is no connection to it", 5)]
    {
        fixture.create_tool(json!({"name": name, "endpoint_url": url, "timeout": timeout})).await;
        let began = std::time::Instant::now();
        let result = fixture.caller().call(name, json!({})).await;
        let took = began.elapsed();
        assert!(failure_message(&result).contains(message), "{result}");
        let limit = std::time::Duration::from_secs(seconds);
        assert!(took >= limit && took < limit + GRACE, "{name} took {took:?}");
    }
}
