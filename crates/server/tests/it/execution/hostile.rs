//! Hostile upstreams (guarantees 19 to 22 in SECURITY.md). In every case the caller gets an error within the tool's
//! timeout and no partial response, nothing is cached, and the call is recorded with its reason.

mod broken;
mod large;
mod memory;
mod redirects;
mod slow;
mod text;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::records;
use super::setup::message_and_advice;

/// How long a call may take beyond its tool's timeout of one second on a busy machine. Without the timeout, a call of a
/// hostile upstream would never end.
const GRACE: Duration = Duration::from_secs(3);

/// One hostile behaviour and the expected outcome.
struct HostileUpstreamCase {
    name: &'static str,
    response: Box<dyn Fn(&ReceivedRequest) -> MockResponse + Send + Sync>,
    /// Part of the message for the caller.
    message: &'static str,
    /// The recorded reason.
    reason: &'static str,
}

/// A case whose response is always the same.
fn case(
    name: &'static str,
    response: MockResponse,
    message: &'static str,
    reason: &'static str,
) -> HostileUpstreamCase {
    HostileUpstreamCase { name, response: Box::new(move |_| response.clone()), message, reason }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CallOrder {
    Concurrent,
    Sequential,
}

/// Asserts that the calls of all cases fail as expected.
async fn assert_all_fail(cases: Vec<HostileUpstreamCase>, order: CallOrder) {
    let expected: Vec<(&str, &str, &str)> = cases.iter().map(|case| (case.name, case.message, case.reason)).collect();
    let fixture = records::fixture(upstream_with_cases(cases), json!({})).await;
    for (name, ..) in &expected {
        let fields = json!({"name": name, "endpoint_url": format!("/{name}"), "timeout": 1, "cache_ttl": 60});
        fixture.create_tool(fields).await;
    }
    let mut calls = JoinSet::new();
    for &(name, message, _) in &expected {
        calls.spawn(repeat_failing_call(fixture.caller().header("x-mcp-client", name), name, message));
        if order == CallOrder::Sequential {
            calls.join_next().await.unwrap().unwrap();
        }
    }
    calls.join_all().await;
    assert_recorded(&fixture, &expected).await;
    assert_eq!(fixture.caller().text("marker", json!({})).await, "well", "the service still works");
}

/// An upstream with each case at the path of its name; other paths respond normally.
fn upstream_with_cases(cases: Vec<HostileUpstreamCase>) -> Upstream {
    Upstream::with_handler(move |request| {
        let first_segment = request.path().split('/').nth(1).unwrap_or_default();
        let case = cases.iter().find(|case| case.name == first_segment);
        case.map_or_else(|| MockResponse::text("well"), |case| (case.response)(request))
    })
}

/// Calls a tool twice, the second time to show that nothing was cached.
async fn repeat_failing_call(caller: McpClient, name: &'static str, message: &str) {
    for _ in 0..2 {
        let time = failing_call(&caller, name, message).await;
        assert!(time < Duration::from_secs(1) + GRACE, "{name} took {time:?}");
    }
}

/// Makes a call that must fail with this message, and returns its duration.
async fn failing_call(caller: &McpClient, name: &str, message: &str) -> Duration {
    let began = Instant::now();
    let result = caller.call(name, json!({})).await;
    let time = began.elapsed();
    let (text, _) = message_and_advice(&result);
    assert!(text.contains(message), "{name}: {text}");
    assert!(!text.contains("half"), "{name} returned a partial response: {text}");
    time
}

/// Asserts that the records of each case have its reason, and that no call was a cache hit.
async fn assert_recorded(fixture: &ServiceFixture, expected: &[(&str, &str, &str)]) {
    let recorded = records::records(fixture).await;
    for (name, _, reason) in expected {
        let case_records: Vec<&Value> = recorded.iter().filter(|record| record["client_name"] == *name).collect();
        assert!(case_records.len() >= 2, "{name}: {recorded:#?}");
        for record in case_records {
            assert_eq!((&record["failure"], &record["cache_hit"]), (&json!(reason), &json!(false)), "{record}");
        }
        assert!(fixture.upstream.request_count_for(&format!("/{name}")) >= 2, "{name} was answered from the cache");
    }
}
