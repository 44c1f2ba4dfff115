//! The service is told to stop under load: what it was asked is answered, what it answered is counted, and it ends well.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{Answer, App, Gate, Upstream};

use super::Stage;

const STOPS: u64 = 5;
const CALLERS: usize = 8;
/// A stop with nothing to wait for; requests that do not end would take it half a minute.
const SOON: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread")]
async fn stops_under_load_lose_no_call_that_was_begun() {
    let mut stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    let mut answered = HashSet::new();
    for stop in 1..=STOPS {
        let callers = stage.callers(CALLERS);
        callers.wait_for(stop * 20).await;
        let begun = Instant::now();
        assert_eq!(stage.app.terminate().code(), Some(0), "{}", stage.app.logs());
        assert!(begun.elapsed() < SOON, "it took {:?}", begun.elapsed());
        answered.extend(callers.stop().await.1);
        stage.app.restart();
        // As many as were answered, no more: whatever was begun was answered.
        assert_eq!(stage.counted().await, answered.len() as u64);
    }
    assert_eq!(stage.logged().await, answered);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_every_kind_that_are_under_way_at_a_stop_are_answered() {
    let gate = Gate::new();
    let held = gate.clone();
    let upstream = Upstream::answering(move |_| Answer::text("late").held_by(&held));
    let mut stage = Stage::in_front_of(upstream, App::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    let legacy = stage.caller().legacy(NEWEST_LEGACY).await;
    let mut calls = JoinSet::new();
    for caller in [stage.caller(), stage.caller().modern(), legacy] {
        calls.spawn(async move { caller.text("tool", json!({})).await });
    }
    stage.upstream.wait_for_requests(3).await;
    stage.app.send_terminate();
    stage.app.wait_for_log("no new connections", SOON);
    assert!(TcpStream::connect(stage.app.address()).await.is_err(), "new connections are refused");
    gate.open();
    assert_eq!(calls.join_all().await, ["late"; 3]);
    assert_eq!(stage.app.wait().code(), Some(0), "{}", stage.app.logs());
    stage.app.restart();
    assert_eq!(stage.counted().await, 3);
}
