//! The service is killed under load, again and again.

use std::collections::HashSet;

use toolgate_testkit::postgres::ClusterOptions;
use toolgate_testkit::{App, Postgres};

use super::Stage;

const KILLS: u64 = 50;
const CALLERS: usize = 8;
/// The service is killed at a random answer up to this one.
const ANSWERS_MAX: u64 = 120;

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_sqlite_loses_no_answered_call() {
    kill_and_count(App::builder(env!("CARGO_BIN_EXE_toolgate")), |_| {}).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_postgresql_loses_no_answered_call() {
    let options = ClusterOptions { is_durable: true, ..ClusterOptions::default() };
    let Some(mut cluster) = Postgres::private_cluster(options) else { return };
    let database = cluster.fresh_database();
    // Now and then the database dies with the service.
    kill_and_count(App::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url()), |round| {
        if round % 10 == 9 {
            cluster.kill();
            cluster.start();
        }
    })
    .await;
}

async fn kill_and_count(builder: toolgate_testkit::app::AppBuilder, mut between: impl FnMut(u64)) {
    let mut stage = Stage::start(builder).await;
    let (mut answered, mut started, mut dice) = (HashSet::new(), 0, 0x5eed_u64);
    for round in 0..KILLS {
        let callers = stage.callers(CALLERS);
        callers.wait_for(roll(&mut dice)).await;
        stage.app.kill();
        let (asked, got) = callers.stop().await;
        assert!(asked - got.len() as u64 <= CALLERS as u64, "each caller has one call under way");
        started += asked;
        answered.extend(got);
        between(round);
        stage.app.restart();
        let counted = stage.counted_at_least(answered.len() as u64).await;
        assert!(counted <= started, "{counted} are counted, but only {started} were made");
    }
    let (counted, logged) = (stage.counted().await, stage.logged().await);
    let missing: Vec<_> = answered.difference(&logged).collect();
    assert!(missing.is_empty(), "answered, but not in the log: {missing:?}");
    assert_eq!(logged.len() as u64, counted, "the log and the sums agree");
    eprintln!("{KILLS} kills: {} calls answered, {started} made, {counted} counted", answered.len());
    let check = stage.app.command().arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

/// A number from 1 to [`ANSWERS_MAX`] from a small generator: random enough, and the same in every run.
fn roll(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    1 + (*state >> 33) % ANSWERS_MAX
}
