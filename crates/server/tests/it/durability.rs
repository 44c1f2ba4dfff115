//! No acknowledged write is lost: the service is killed repeatedly during writes, and every write that it acknowledged
//! exists after the restart.

mod rotation;
mod writers;

use std::time::{Duration, Instant};

use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::{Postgres, RunningService, volume};

use crate::toolgate;

pub(crate) use writers::{Ledger, Writers};

const WRITERS: usize = 4;
/// The service is killed after a random number of acknowledgements, at most this many.
const ACKS_MAX: usize = 60;
/// The variable that overrides [`ACKS_MAX`]; 1000 gives more than 40,000 writes in a few minutes.
const ACKS_VARIABLE: &str = "TOOLGATE_TEST_ACKS_MAX";

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_sqlite_loses_no_acknowledged_write() {
    let mut app = toolgate().start();
    let ledger = kill_and_verify(&mut app, |_| {}).await;
    assert_consistent(&mut app, &ledger);
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_postgresql_loses_no_acknowledged_write() {
    let options = PostgresOptions { is_durable: true, ..PostgresOptions::default() };
    let Some(mut cluster) = Postgres::private_cluster(options) else { return };
    let database = cluster.fresh_database();
    let mut app = toolgate().postgres(database.url()).start();
    // In every twentieth round the database is killed as well.
    let ledger = kill_and_verify(&mut app, |round| {
        if round % 20 == 19 {
            cluster.kill();
            cluster.start();
        }
    })
    .await;
    assert_consistent(&mut app, &ledger);
}

/// Kills and restarts the service repeatedly during writes, and verifies the acknowledged ones; calls `before_restart`
/// with the number of each round. Returns all acknowledged writes.
async fn kill_and_verify(app: &mut RunningService, mut before_restart: impl FnMut(usize)) -> Ledger {
    let (mut ledger, mut slowest_start) = (Ledger::default(), Duration::ZERO);
    let (mut rng_state, acks_max) = (0x5eed_u64, volume::configured(ACKS_VARIABLE).unwrap_or(ACKS_MAX));
    for round in 0..kills() {
        let writers = Writers::start(app, &format!("Server {round}"), WRITERS);
        writers.wait_for(random_up_to(&mut rng_state, acks_max)).await;
        app.kill();
        let round_ledger = writers.join().await;
        before_restart(round);
        let started = Instant::now();
        app.restart();
        slowest_start = slowest_start.max(started.elapsed());
        round_ledger.verify(&app.client()).await;
        ledger.add(round_ledger);
    }
    ledger.verify(&app.client()).await;
    eprintln!("{} acknowledged writes, {} kills, slowest start {slowest_start:?}", ledger.acknowledged, kills());
    ledger
}

/// The number of kills: a multiple of twenty, because every twentieth round also kills the database.
fn kills() -> usize {
    volume::full_or_sample(100, 20)
}

/// A number from 1 to `max` from a linear congruential generator, the same in every run.
fn random_up_to(state: &mut u64, max: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    1 + usize::try_from(*state >> 33).unwrap() % max
}

fn assert_consistent(app: &mut RunningService, ledger: &Ledger) {
    let check = app.command().arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    assert!(ledger.acknowledged > kills(), "only {} writes were acknowledged", ledger.acknowledged);
}
