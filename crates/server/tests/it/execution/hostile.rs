//! Upstreams that do what no decent one does: rows 19 to 22 of the security requirements. Whatever they do, the caller
//! hears within the tool's time what happened, gets no part of an answer, nothing is kept, and the call is recorded
//! with its reason.

mod broken;
mod large;
mod memory;
mod redirects;
mod slow;
mod text;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolgate_testkit::upstream::Received;
use toolgate_testkit::{Answer, Mcp, Upstream};

use super::records;
use super::setup::{Stage, explained};

/// How long a call may take beyond its tool's time.
const GRACE: Duration = Duration::from_millis(500);

/// One way to be hostile, and what has to come of it.
struct Case {
    name: &'static str,
    answer: Box<dyn Fn(&Received) -> Answer + Send + Sync>,
    /// Part of what the caller is told.
    message: &'static str,
    /// Why the call failed, in the records.
    reason: &'static str,
}

/// A case whose answer is always the same.
fn case(name: &'static str, answer: Answer, message: &'static str, reason: &'static str) -> Case {
    Case { name, answer: Box::new(move |_| answer.clone()), message, reason }
}

/// Holds every case against what is promised, all at once or one after the other.
async fn assert_all(cases: Vec<Case>, is_parallel: bool) {
    let expected: Vec<(&str, &str, &str)> = cases.iter().map(|case| (case.name, case.message, case.reason)).collect();
    let stage = records::stage(serving(cases), json!({})).await;
    for (name, ..) in &expected {
        let fields = json!({"name": name, "endpoint_url": format!("/{name}"), "timeout": 1, "cache_ttl": 60});
        stage.tool(fields).await;
    }
    let mut calls = JoinSet::new();
    for &(name, message, _) in &expected {
        calls.spawn(call_twice(stage.caller().header("x-mcp-client", name), name, message));
        while !is_parallel && calls.join_next().await.is_some_and(|called| called.map(|()| true).unwrap()) {}
    }
    calls.join_all().await;
    assert_recorded(&stage, &expected).await;
    assert_eq!(stage.caller().text("marker", json!({})).await, "well", "the service is as well as before");
}

/// An upstream with each case at the path of its name; anywhere else it is well.
fn serving(cases: Vec<Case>) -> Upstream {
    Upstream::answering(move |request| {
        let first = request.path().split('/').nth(1).unwrap_or_default();
        let case = cases.iter().find(|case| case.name == first);
        case.map_or_else(|| Answer::text("well"), |case| (case.answer)(request))
    })
}

/// Calls a tool until it was late no more than the promise allows, and then once more: nothing was kept of it.
/// A machine that is busy with other tests may be late without being at fault, but not three times.
async fn call_twice(caller: Mcp, name: &'static str, message: &str) {
    let limit = Duration::from_secs(1) + GRACE;
    let mut times = Vec::new();
    while times.len() < 3 && !times.iter().any(|time| *time < limit) {
        times.push(failing_call(&caller, name, message).await);
    }
    assert!(times.iter().any(|time| *time < limit), "{name} took {times:?}");
    failing_call(&caller, name, message).await;
}

/// How long the call took.
async fn failing_call(caller: &Mcp, name: &str, message: &str) -> Duration {
    let began = Instant::now();
    let result = caller.call(name, json!({})).await;
    let time = began.elapsed();
    let (told, _) = explained(&result);
    assert!(told.contains(message), "{name}: {told}");
    assert!(!told.contains("half"), "{name} gave a part of an answer: {told}");
    time
}

/// Every call left one record, each with the reason of its case and none of a kept answer.
async fn assert_recorded(stage: &Stage, expected: &[(&str, &str, &str)]) {
    let seen = records::records(stage).await;
    for (name, _, reason) in expected {
        let of_case: Vec<&Value> = seen.iter().filter(|record| record["client_name"] == *name).collect();
        assert!(of_case.len() >= 2, "{name}: {seen:#?}");
        for record in of_case {
            assert_eq!((&record["failure"], &record["cache_hit"]), (&json!(reason), &json!(false)), "{record}");
        }
        assert!(stage.upstream.hits_of(&format!("/{name}")) >= 2, "{name} was answered from what was kept");
    }
}
