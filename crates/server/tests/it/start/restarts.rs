//! Restarts under load: the service stops repeatedly while calls are active, and every call that it has started to
//! handle gets its response.
//!
//! Between two processes no socket listens, and a request may be lost on an idle connection that the service closes at
//! the same moment. In both cases no call is active, and a client can retry. The upstream records which calls reached
//! it: those must be answered.

mod callers;

use std::net::TcpListener;
use std::time::Instant;

use serde_json::json;
use tokio::task::block_in_place;
use toolgate_testkit::{Client, RunningService, volume};

use super::LOG_TIMEOUT;
use crate::toolgate;
use callers::{HeldUpstream, RestartCallers, RestartTally};

/// The number of restarts by default.
const RESTARTS_DEFAULT: usize = 15;
/// Overrides the number of restarts: `make restarts` sets 1000.
const RESTARTS_VARIABLE: &str = "TOOLGATE_TEST_RESTARTS";

fn restart_count() -> usize {
    volume::configured(RESTARTS_VARIABLE).unwrap_or(RESTARTS_DEFAULT)
}

/// An address with a port that all processes of the test use. Other tests look for free ports on other addresses.
fn fixed_address() -> String {
    TcpListener::bind("127.0.0.3:0").unwrap().local_addr().unwrap().to_string()
}

/// Creates a server with the tools `quick` and `held`; returns its endpoint, and the API path that tests `quick`.
async fn create_server(api: &Client, upstream: &HeldUpstream) -> (String, String) {
    let server = json!({"name": "Server", "rate_limit_per_min": 0});
    let server = api.create("/servers", server).await;
    let schema = json!({"type": "object", "properties": {"call": {"type": "string"}}});
    let mut ids = Vec::new();
    for name in ["quick", "held"] {
        let tool = json!({"name": name, "endpoint_url": upstream.url(name), "input_schema": schema});
        let tool = api.create(&format!("/servers/{}/tools", server["id"]), tool).await;
        ids.push(tool["id"].as_i64().unwrap());
    }
    (server["endpoint_url"].as_str().unwrap().to_owned(), format!("/tools/{}/test", ids[0]))
}

/// Stops the process while all held calls are active, releases them, and restarts it.
async fn restart(app: &mut RunningService, upstream: &HeldUpstream, callers: &RestartCallers) {
    upstream.hold().await;
    callers.wait_for_more().await;
    block_in_place(|| {
        app.send_terminate();
        app.wait_for_log("no new connections", LOG_TIMEOUT);
        upstream.release();
        assert_eq!(app.wait().code(), Some(0), "{}", app.logs());
        assert!(!app.logs().contains("gave up"), "{}", app.logs());
        app.restart();
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_under_load_leave_no_call_without_its_response() {
    let (upstream, began) = (HeldUpstream::start(), Instant::now());
    let mut app = toolgate().env("TOOLGATE_LISTEN", fixed_address()).start();
    let (url, test_path) = create_server(&app.client(), &upstream).await;
    let callers = RestartCallers::start(&app, &url, &test_path, &upstream).await;
    for _ in 0..restart_count() {
        restart(&mut app, &upstream, &callers).await;
    }
    let RestartTally { answered, refused, lost, failed } = callers.stop().await;
    eprintln!(
        "{} restarts in {:?}: {answered} calls answered, {} failed, {lost} lost on closing connections, {refused} refused",
        restart_count(),
        began.elapsed(),
        failed.len()
    );
    assert_eq!(failed, [""; 0]);
    // HTTP/1.1 cannot rule out lost requests; without the grace period there are three per restart.
    assert!(lost * 5 <= restart_count(), "{lost} requests were lost on closing connections");
    assert!(answered > 20 * restart_count(), "only {answered} calls were answered");
}
