//! The service is killed repeatedly under load.

use std::collections::HashSet;

use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::{Postgres, volume};

use super::{start_callers, start_service};
use crate::toolgate;

const CALLERS: usize = 8;
/// The service is killed after a random number of responses from 1 to this maximum.
const RESPONSES_MAX: u64 = 120;

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_sqlite_loses_no_answered_call() {
    kill_and_count(toolgate(), |_| {}).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_postgresql_loses_no_answered_call() {
    let options = PostgresOptions { is_durable: true, ..PostgresOptions::default() };
    let Some(mut cluster) = Postgres::private_cluster(options) else { return };
    let database = cluster.fresh_database();
    // In every tenth round the database is killed too.
    kill_and_count(toolgate().postgres(database.url()), |round| {
        if round % 10 == 9 {
            cluster.kill();
            cluster.start();
        }
    })
    .await;
}

async fn kill_and_count(
    builder: toolgate_testkit::running_service::ServiceBuilder,
    mut before_restart: impl FnMut(u64),
) {
    let mut fixture = start_service(builder).await;
    let (mut answered, mut started, mut rng_state) = (HashSet::new(), 0, 0x5eed_u64);
    // A multiple of ten, so that the database is killed as well.
    let kills = volume::full_or_sample(50, 10);
    for round in 0..kills {
        let callers = start_callers(&fixture, CALLERS);
        callers.wait_for(next_random(&mut rng_state)).await;
        fixture.app.kill();
        let (sent, received) = callers.stop().await;
        assert!(sent - received.len() as u64 <= CALLERS as u64, "each client has at most one call in progress");
        started += sent;
        answered.extend(received);
        before_restart(round);
        fixture.app.restart();
        let counted = fixture.app.wait_for_call_count(answered.len() as u64).await;
        assert!(counted <= started, "{counted} calls are counted, but only {started} were started");
    }
    let (counted, logged) = (fixture.app.call_count().await, fixture.app.logged_request_ids().await);
    let missing: Vec<_> = answered.difference(&logged).collect();
    assert!(missing.is_empty(), "completed calls are missing in the log: {missing:?}");
    assert_eq!(logged.len() as u64, counted, "the log and the rollups agree");
    eprintln!("{kills} kills: {} calls completed, {started} started, {counted} counted", answered.len());
    let check = fixture.app.command().arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

/// A number from 1 to [`RESPONSES_MAX`] from a linear congruential generator, the same in every run.
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    1 + (*state >> 33) % RESPONSES_MAX
}
