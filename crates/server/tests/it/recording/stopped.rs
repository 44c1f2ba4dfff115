//! Graceful shutdown under load: calls in progress complete, completed calls are counted, and the exit code is 0.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use toolgate_testkit::mcp::NEWEST_LEGACY;
use toolgate_testkit::{MockResponse, ResponseGate, Upstream};

use super::{start_callers, start_service, start_service_with_upstream};
use crate::toolgate;

const STOPS: u64 = 5;
const CALLERS: usize = 8;
/// How long a shutdown may take if no request hangs; with hanging requests it takes 30 seconds.
const STOP_TIMEOUT: Duration = Duration::from_secs(25);

#[tokio::test(flavor = "multi_thread")]
async fn shutdowns_under_load_lose_no_started_call() {
    let mut fixture = start_service(toolgate()).await;
    let mut answered = HashSet::new();
    for stop in 1..=STOPS {
        let callers = start_callers(&fixture, CALLERS);
        callers.wait_for(stop * 20).await;
        let start = Instant::now();
        assert_eq!(fixture.app.terminate().code(), Some(0), "{}", fixture.app.logs());
        assert!(start.elapsed() < STOP_TIMEOUT, "the shutdown took {:?}", start.elapsed());
        answered.extend(callers.stop().await.1);
        fixture.app.restart();
        // The numbers are equal because every started call completes.
        assert_eq!(fixture.app.call_count().await, answered.len() as u64);
    }
    assert_eq!(fixture.app.logged_request_ids().await, answered);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_in_progress_at_a_shutdown_complete_in_every_era() {
    let gate = ResponseGate::new();
    let upstream_gate = gate.clone();
    let upstream = Upstream::with_handler(move |_| MockResponse::text("late").held_by(&upstream_gate));
    let mut fixture = start_service_with_upstream(upstream, toolgate()).await;
    let legacy = fixture.caller().legacy(NEWEST_LEGACY).await;
    let mut calls = JoinSet::new();
    for caller in [fixture.caller(), fixture.caller().modern(), legacy] {
        calls.spawn(async move { caller.text("tool", json!({})).await });
    }
    fixture.upstream.wait_for_requests(3).await;
    fixture.app.send_terminate();
    fixture.app.wait_for_log("no new connections", STOP_TIMEOUT);
    assert!(TcpStream::connect(fixture.app.address()).await.is_err(), "new connections are refused");
    gate.open();
    assert_eq!(calls.join_all().await, ["late"; 3]);
    assert_eq!(fixture.app.wait().code(), Some(0), "{}", fixture.app.logs());
    fixture.app.restart();
    assert_eq!(fixture.app.call_count().await, 3);
}
