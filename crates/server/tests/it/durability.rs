//! Nothing acknowledged is lost: the service is killed in the middle of writing, again and again, and
//! every write that was answered with success is there when it comes back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::postgres::ClusterOptions;
use testkit::{App, Client, Postgres};
use tokio::sync::Notify;
use tokio::task::JoinSet;

const KILLS: usize = 100;
const WRITERS: usize = 4;
/// The service is killed at a random acknowledgement up to this one.
const ACKS_MAX: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_sqlite_loses_no_acknowledged_write() {
    let mut app = App::builder(env!("CARGO_BIN_EXE_toolgate")).start();
    let ledger = kill_and_verify(&mut app, |_| {}).await;
    assert_sound(&mut app, &ledger);
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_on_postgresql_loses_no_acknowledged_write() {
    let options = ClusterOptions { is_durable: true, ..ClusterOptions::default() };
    let Some(mut cluster) = Postgres::private_cluster(options) else { return };
    let database = cluster.fresh_database();
    let mut app = App::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url()).start();
    // Now and then the database dies with the service.
    let ledger = kill_and_verify(&mut app, |round| {
        if round % 20 == 19 {
            cluster.kill();
            cluster.start();
        }
    })
    .await;
    assert_sound(&mut app, &ledger);
}

/// What was acknowledged, and what may have been done beyond it.
#[derive(Default)]
struct Ledger {
    /// Servers by id: the last limit that was acknowledged and the last that was attempted.
    limits: BTreeMap<i64, (i64, i64)>,
    /// Tools that were acknowledged, by id, with their names.
    tools: BTreeMap<i64, String>,
    acknowledged: usize,
    slowest_start: Duration,
}

impl Ledger {
    fn add(&mut self, other: Self) {
        self.acknowledged += other.acknowledged;
        self.tools.extend(other.tools);
        self.limits.extend(other.limits);
    }
}

async fn kill_and_verify(app: &mut App, mut between: impl FnMut(usize)) -> Ledger {
    let mut all = Ledger::default();
    let mut dice = 0x5eed_u64;
    for round in 0..KILLS {
        let round_ledger = write_until_killed(app, round, roll(&mut dice)).await;
        between(round);
        let started = Instant::now();
        app.restart();
        all.slowest_start = all.slowest_start.max(started.elapsed());
        verify(&app.client(), &round_ledger).await;
        all.add(round_ledger);
    }
    verify(&app.client(), &all).await;
    all
}

/// A number from 1 to [`ACKS_MAX`] from a small generator: random enough, and the same in every run.
fn roll(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    1 + usize::try_from(*state >> 33).unwrap() % ACKS_MAX
}

/// Starts the writers, kills the service at the given acknowledgement, and returns what they were told.
async fn write_until_killed(app: &mut App, round: usize, kill_at: usize) -> Ledger {
    let count = Arc::new((AtomicUsize::new(0), Notify::new()));
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        writers.spawn(write(app.client(), format!("Server {round}-{writer}"), Arc::clone(&count), kill_at));
    }
    count.1.notified().await;
    app.kill();
    let mut ledger = Ledger::default();
    for written in writers.join_all().await {
        ledger.add(written);
    }
    ledger
}

/// Writes until the service is gone.
async fn write(client: Client, name: String, count: Arc<(AtomicUsize, Notify)>, kill_at: usize) -> Ledger {
    let mut ledger = Ledger::default();
    let acknowledge = |ledger: &mut Ledger| {
        ledger.acknowledged += 1;
        if count.0.fetch_add(1, Ordering::SeqCst) + 1 == kill_at {
            count.1.notify_one();
        }
    };
    let Ok(reply) = client.post("/servers").json(json!({"name": name})).try_send().await else { return ledger };
    let server = reply.expect(201).json()["id"].as_i64().unwrap();
    ledger.limits.insert(server, (60, 60));
    acknowledge(&mut ledger);
    for limit in 100.. {
        ledger.limits.get_mut(&server).unwrap().1 = limit;
        let update = client.patch(&format!("/servers/{server}")).json(json!({"rate_limit_per_min": limit}));
        let Ok(reply) = update.try_send().await else { return ledger };
        reply.expect(200);
        ledger.limits.get_mut(&server).unwrap().0 = limit;
        acknowledge(&mut ledger);
        let tool = json!({"name": format!("tool_{limit}"), "endpoint_url": "https://api.example.com/"});
        let Ok(reply) = client.post(&format!("/servers/{server}/tools")).json(tool).try_send().await else {
            return ledger;
        };
        let tool = reply.expect(201).json();
        ledger.tools.insert(tool["id"].as_i64().unwrap(), tool["name"].as_str().unwrap().to_owned());
        acknowledge(&mut ledger);
    }
    ledger
}

async fn verify(client: &Client, ledger: &Ledger) {
    for (id, (acknowledged, attempted)) in &ledger.limits {
        let server = client.get(&format!("/servers/{id}")).send().await.expect(200).json();
        let limit = server["rate_limit_per_min"].as_i64().unwrap();
        assert!(
            (*acknowledged..=*attempted).contains(&limit),
            "server {id}: {acknowledged} was acknowledged, {limit} is there"
        );
    }
    for (id, name) in &ledger.tools {
        let tool = client.get(&format!("/tools/{id}")).send().await.expect(200).json();
        assert_eq!(tool["name"], name.as_str());
    }
}

fn assert_sound(app: &mut App, ledger: &Ledger) {
    let check = app.command().arg("check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    assert!(ledger.acknowledged > KILLS, "the writers were not stopped before they could write");
    eprintln!("{} acknowledged writes, {KILLS} kills, slowest start {:?}", ledger.acknowledged, ledger.slowest_start);
}
