//! The database goes away and comes back; the service stops in order.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use toolgate_testkit::postgres::ClusterOptions;
use toolgate_testkit::{Answer, App, Gate, Postgres, Upstream};

use super::Stage;

const CALLERS: usize = 4;
/// How long the database is away: longer than any connection waits for it.
const AWAY: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_for_half_a_minute_fails_no_call_and_misses_none() {
    let Some(mut cluster) = Postgres::private_cluster(ClusterOptions::default()) else { return };
    let database = cluster.fresh_database();
    let stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url())).await;
    let callers = stage.callers(CALLERS);
    callers.wait_for(100).await;
    cluster.stop();
    let at_the_stop = callers.answered();
    tokio::time::sleep(AWAY).await;
    let while_away = callers.answered() - at_the_stop;
    cluster.start();
    callers.wait_for(at_the_stop + while_away + 100).await;
    let (_, answered) = callers.stop().await;
    assert!(while_away > 100, "calls went on while the database was away: {while_away}");
    let count = answered.len() as u64;
    assert_eq!(stage.counted_at_least(count).await, count);
    assert_eq!(stage.logged().await, answered);
    eprintln!("{count} calls, {while_away} of them without a database, all counted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_stops_in_order_leaves_nothing_behind() {
    let mut stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    let callers = stage.callers(CALLERS);
    callers.wait_for(50).await;
    let (_, answered) = callers.stop().await;
    assert_eq!(stage.app.terminate().code(), Some(0), "{}", stage.app.logs());
    let journal = std::fs::read_dir(stage.app.data_dir().join("journal")).unwrap();
    assert_eq!(journal.count(), 0, "all calls are in the database");
    stage.app.restart();
    assert_eq!(stage.counted().await, answered.len() as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_end_without_a_database_are_counted_after_the_next_start() {
    let Some(mut cluster) = Postgres::private_cluster(ClusterOptions::default()) else { return };
    let database = cluster.fresh_database();
    let mut stage = Stage::start(App::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url())).await;
    let callers = stage.callers(CALLERS);
    callers.wait_for(20).await;
    cluster.stop();
    callers.wait_for(callers.answered() + 20).await;
    let (_, answered) = callers.stop().await;
    assert_eq!(stage.app.terminate().code(), Some(0), "{}", stage.app.logs());
    cluster.start();
    stage.app.restart();
    let count = answered.len() as u64;
    assert_eq!(stage.counted_at_least(count).await, count);
}

/// Calls over a connection of its own, which stays open: a client of HTTP would lose its patience, and end the call.
async fn ask(stage: &Stage, header: &str) -> TcpStream {
    let mut stream = TcpStream::connect(stage.app.address()).await.unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":{}}}"#;
    let (path, host, length) = (&stage.path, stage.app.address(), body.len());
    let head = format!("POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n{header}");
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_a_stop_cannot_wait_for_is_recorded_all_the_same() {
    let gate = Gate::new();
    let upstream = Upstream::answering(move |_| Answer::status(200).held_by(&gate));
    let mut stage = Stage::in_front_of(upstream, App::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
    // One that ends with its connection, and one of a revision that lets calls go on without it.
    let _bare = ask(&stage, "").await;
    let _legacy = ask(&stage, "mcp-protocol-version: 2025-06-18\r\n").await;
    stage.upstream.wait_for_requests(2).await;
    // Both stay for longer than the half minute that requests under way are given.
    let begun = Instant::now();
    assert_eq!(stage.app.terminate().code(), Some(0), "{}", stage.app.logs());
    assert!((29..40).contains(&begun.elapsed().as_secs()), "it took {:?}", begun.elapsed());
    stage.app.restart();
    assert_eq!(stage.counted().await, 2);
    let calls = stage.app.client().get("/calls").send().await.expect(200).json();
    assert_eq!([&calls[0]["reason"], &calls[1]["reason"]], ["cancelled", "cancelled"]);
}
