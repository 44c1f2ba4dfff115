//! Database outages, and graceful shutdown.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::{MockResponse, Postgres, ResponseGate, ServiceFixture, Upstream, volume};

use super::{start_callers, start_service, start_service_with_upstream, start_slow_callers};
use crate::toolgate;

const CALLERS: usize = 4;
/// Longer than any timeout of a database connection.
const OUTAGE_DURATION: Duration = Duration::from_secs(30);
/// Longer than the time after which a request without a database fails.
const SHORT_OUTAGE_DURATION: Duration = Duration::from_secs(6);

#[tokio::test(flavor = "multi_thread")]
async fn a_database_outage_fails_no_call_and_loses_none() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let fixture = start_service(toolgate().postgres(database.url())).await;
    let callers = start_slow_callers(&fixture, CALLERS);
    callers.wait_for(100).await;
    cluster.stop();
    let succeeded_before = callers.succeeded();
    tokio::time::sleep(volume::full_or_sample(OUTAGE_DURATION, SHORT_OUTAGE_DURATION)).await;
    let succeeded_during = callers.succeeded() - succeeded_before;
    cluster.start();
    callers.wait_for(succeeded_before + succeeded_during + 100).await;
    let (_, succeeded) = callers.stop().await;
    assert!(succeeded_during > 100, "only {succeeded_during} calls succeeded during the outage");
    let count = succeeded.len() as u64;
    assert_eq!(fixture.app.wait_for_call_count(count).await, count);
    assert_eq!(fixture.app.logged_request_ids().await, succeeded);
    eprintln!("{count} calls, {succeeded_during} of them without a database, all counted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graceful_shutdown_leaves_nothing_in_the_journal() {
    let mut fixture = start_service(toolgate()).await;
    let callers = start_callers(&fixture, CALLERS);
    callers.wait_for(50).await;
    let (_, succeeded) = callers.stop().await;
    assert_eq!(fixture.app.terminate().code(), Some(0), "{}", fixture.app.logs());
    let journal = std::fs::read_dir(fixture.app.data_dir().join("journal")).unwrap();
    assert_eq!(journal.count(), 0, "all calls are ingested");
    fixture.app.restart();
    assert_eq!(fixture.app.call_count().await, succeeded.len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_end_without_a_database_are_counted_after_the_next_start() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let database = cluster.fresh_database();
    let mut fixture = start_service(toolgate().postgres(database.url())).await;
    let callers = start_callers(&fixture, CALLERS);
    callers.wait_for(20).await;
    cluster.stop();
    callers.wait_for(callers.succeeded() + 20).await;
    let (_, succeeded) = callers.stop().await;
    assert_eq!(fixture.app.terminate().code(), Some(0), "{}", fixture.app.logs());
    cluster.start();
    fixture.app.restart();
    let count = succeeded.len() as u64;
    assert_eq!(fixture.app.wait_for_call_count(count).await, count);
}

/// Sends a call over a raw connection that stays open: the HTTP client would time out and end the call.
async fn send_call(fixture: &ServiceFixture, header: &str) -> TcpStream {
    let mut stream = TcpStream::connect(fixture.app.address()).await.unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":{}}}"#;
    let (path, host, length) = (fixture.endpoint_path(), fixture.app.address(), body.len());
    let head = format!("POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n{header}");
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_outlasts_the_shutdown_deadline_is_recorded() {
    // The test waits for the deadline of 30 seconds.
    if !volume::is_full() {
        return;
    }
    let gate = ResponseGate::new();
    let upstream = Upstream::with_handler(move |_| MockResponse::status(200).held_by(&gate));
    let mut fixture = start_service_with_upstream(upstream, toolgate()).await;
    // One call ends with its connection; the other has a protocol revision in which calls continue after a disconnect.
    let _bare = send_call(&fixture, "").await;
    let _legacy = send_call(&fixture, "mcp-protocol-version: 2025-06-18\r\n").await;
    fixture.upstream.wait_for_requests(2).await;
    // Both last longer than the 30 seconds that a shutdown waits for requests in progress.
    let start = Instant::now();
    assert_eq!(fixture.app.terminate().code(), Some(0), "{}", fixture.app.logs());
    assert!((29..40).contains(&start.elapsed().as_secs()), "the shutdown took {:?}", start.elapsed());
    fixture.app.restart();
    assert_eq!(fixture.app.call_count().await, 2);
    let calls = fixture.app.client().get("/calls").send().await.expect(200).json();
    assert_eq!([&calls[0]["reason"], &calls[1]["reason"]], ["cancelled", "cancelled"]);
}
