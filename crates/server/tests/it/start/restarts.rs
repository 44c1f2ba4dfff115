//! Restarts under load: the service is told to stop while calls are under way, again and again, and everyone whose call it
//! had begun to work on gets its answer.
//!
//! Between two processes nobody listens, and a request may cross the goodbye of a connection that was idle; neither is a
//! call under way, and a client simply asks again. Whether one was is known at the upstream: what it saw has to be
//! answered.

mod callers;

use std::net::TcpListener;
use std::time::Instant;

use serde_json::json;
use tokio::task::block_in_place;
use toolgate_testkit::{Client, RunningService};

use super::{LOG_TIMEOUT, toolgate};
use callers::{HeldUpstream, RestartCallers, RestartTally};

/// How many restarts there are,
const RESTARTS: usize = 15;
/// unless this says otherwise: `make restarts` asks for 1000.
const VARIABLE: &str = "TOOLGATE_TEST_RESTARTS";

fn restarts() -> usize {
    let wanted = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    wanted.map_or(RESTARTS, |text| text.parse().expect("the number of restarts is a number"))
}

/// A port that stays the same, at an address where nobody else looks for a free one.
fn address() -> String {
    TcpListener::bind("127.0.0.3:0").unwrap().local_addr().unwrap().to_string()
}

/// A server with the tools `quick` and `held`; its address, and the path of a test run of `quick`.
async fn create_server(api: &Client, upstream: &HeldUpstream) -> (String, String) {
    let server = json!({"name": "Server", "rate_limit_per_min": 0});
    let server = api.post("/servers").json(server).send().await.expect(201).json();
    let schema = json!({"type": "object", "properties": {"call": {"type": "string"}}});
    let mut ids = Vec::new();
    for name in ["quick", "held"] {
        let tool = json!({"name": name, "endpoint_url": upstream.url(name), "input_schema": schema});
        let tool = api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.expect(201).json();
        ids.push(tool["id"].as_i64().unwrap());
    }
    (server["endpoint_url"].as_str().unwrap().to_owned(), format!("/tools/{}/test", ids[0]))
}

/// Stops the process while all held calls are under way, lets them go, and starts it again.
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
async fn restarts_under_load_leave_no_call_without_its_answer() {
    let (upstream, began) = (HeldUpstream::start(), Instant::now());
    let mut app = toolgate().env("TOOLGATE_LISTEN", address()).start();
    let (url, test_path) = create_server(&app.client(), &upstream).await;
    let callers = RestartCallers::start(&app, &url, &test_path, &upstream).await;
    for _ in 0..restarts() {
        restart(&mut app, &upstream, &callers).await;
    }
    let RestartTally { answered, refused, lost, failed } = callers.stop().await;
    eprintln!(
        "{} restarts in {:?}: {answered} calls answered, {} failed, {lost} crossed a goodbye, {refused} refused",
        restarts(),
        began.elapsed(),
        failed.len()
    );
    assert_eq!(failed, [""; 0]);
    // HTTP/1.1 cannot rule it out; without care it is three at each restart.
    assert!(lost * 5 <= restarts(), "{lost} requests crossed a goodbye");
    assert!(answered > 20 * restarts(), "{answered} answers are no load");
}
