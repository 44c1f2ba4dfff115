//! Time: the tool's own is the end of every call, however the upstream spends it.

use serde_json::json;
use toolgate_testkit::hostile::deaf::Deaf;
use toolgate_testkit::hostile::{interim, slow};
use toolgate_testkit::{Answer, Upstream};

use super::{Case, GRACE, assert_all, case};
use crate::execution::setup::{Stage, failure};

fn too_slow(name: &'static str, answer: Answer) -> Case {
    case(name, answer, "timed out after 1 s", "timeout")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_and_drops_end_with_the_tools_time() {
    let cases = vec![
        too_slow("black-hole", slow::black_hole()),
        too_slow("head", slow::head()),
        too_slow("head-in-drops", slow::head_in_drops()),
        too_slow("body", slow::body()),
        too_slow("body-in-drops", slow::body_in_drops()),
        too_slow("chunks-in-drops", slow::chunks_in_drops()),
        too_slow("last-chunk", slow::last_chunk()),
    ];
    assert_all(cases, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_interim_answers_end_with_the_tools_time() {
    let cases = vec![
        too_slow("continue", interim::flood(100)),
        too_slow("processing", interim::flood(102)),
        too_slow("hints", interim::flood_with_headers()),
        case("switch", interim::switch(), "not valid HTTP", "bad_response"),
    ];
    assert_all(cases, false).await;
}

#[tokio::test]
async fn an_upstream_that_takes_no_connection_is_given_five_seconds_and_never_more_than_the_tools_time() {
    let deaf = Deaf::start();
    let stage = Stage::new(Upstream::answering(|_| Answer::text("well"))).await;
    let url = format!("http://{}/", deaf.address());
    for (name, timeout, message, seconds) in
        [("hasty", 1, "timed out after 1 s", 1), ("patient", 60, "No connection to the upstream could be made", 5)]
    {
        stage.tool(json!({"name": name, "endpoint_url": url, "timeout": timeout})).await;
        let began = std::time::Instant::now();
        let result = stage.caller().call(name, json!({})).await;
        let took = began.elapsed();
        assert!(failure(&result).contains(message), "{result}");
        let limit = std::time::Duration::from_secs(seconds);
        // Twice the grace: the machine may be busy with other tests.
        assert!(took >= limit && took < limit + 2 * GRACE, "{name} took {took:?}");
    }
}
