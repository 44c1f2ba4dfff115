//! Concurrent writers and a ledger of their acknowledged writes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use toolgate_testkit::{Client, RunningService};

/// The acknowledged writes, and attempts that may have succeeded without an acknowledgement.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    /// By server id: the last acknowledged rate limit and the last attempted one.
    limits: BTreeMap<i64, (i64, i64)>,
    /// Names of the acknowledged tools by id.
    tools: BTreeMap<i64, String>,
    pub(crate) acknowledged: usize,
    /// The longest time until an acknowledgement.
    pub(crate) slowest: Duration,
}

impl Ledger {
    pub(crate) fn add(&mut self, other: Self) {
        self.acknowledged += other.acknowledged;
        self.tools.extend(other.tools);
        self.limits.extend(other.limits);
        self.slowest = self.slowest.max(other.slowest);
    }

    /// This ledger with the last attempts of a later one. A backup taken between the two may contain any of them.
    pub(crate) fn with_attempts_of(mut self, later: &Self) -> Self {
        for (id, (_, attempted)) in &mut self.limits {
            *attempted = later.limits[id].1;
        }
        self
    }

    /// Asserts that the service has every acknowledged write.
    pub(crate) async fn verify(&self, client: &Client) {
        for (id, (acknowledged, attempted)) in &self.limits {
            let server = client.get(&format!("/servers/{id}")).send().await.expect(200).json();
            let limit = server["rate_limit_per_min"].as_i64().unwrap();
            assert!(
                (*acknowledged..=*attempted).contains(&limit),
                "server {id}: {acknowledged} was acknowledged, {limit} is stored"
            );
        }
        for (id, name) in &self.tools {
            let tool = client.get(&format!("/tools/{id}")).send().await.expect(200).json();
            assert_eq!(tool["name"], name.as_str());
        }
    }
}

/// Running writers.
pub(crate) struct Writers {
    shared: Arc<(Mutex<Ledger>, Notify)>,
    tasks: JoinSet<()>,
}

impl Writers {
    /// Starts writers that write until the service ends.
    pub(crate) fn start(app: &RunningService, name: &str, count: usize) -> Self {
        let shared = Arc::new((Mutex::new(Ledger::default()), Notify::new()));
        let mut tasks = JoinSet::new();
        for writer in 0..count {
            tasks.spawn(write_until_the_end(app.client(), format!("{name}-{writer}"), Arc::clone(&shared)));
        }
        Self { shared, tasks }
    }

    /// The ledger so far.
    pub(crate) fn ledger(&self) -> Ledger {
        self.shared.0.lock().unwrap().clone()
    }

    /// Waits for this many acknowledgements.
    pub(crate) async fn wait_for(&self, acknowledged: usize) {
        loop {
            let progress = self.shared.1.notified();
            if self.shared.0.lock().unwrap().acknowledged >= acknowledged {
                return;
            }
            progress.await;
        }
    }

    /// Waits until the writers have ended after the service; returns the final ledger.
    pub(crate) async fn join(self) -> Ledger {
        self.tasks.join_all().await;
        self.shared.0.lock().unwrap().clone()
    }
}

/// Creates a server, then changes it and adds tools until the service ends.
async fn write_until_the_end(client: Client, name: String, shared: Arc<(Mutex<Ledger>, Notify)>) {
    let record = |started: Instant, change: &dyn Fn(&mut Ledger)| {
        let mut ledger = shared.0.lock().unwrap();
        ledger.acknowledged += 1;
        ledger.slowest = ledger.slowest.max(started.elapsed());
        change(&mut ledger);
        shared.1.notify_one();
    };
    let started = Instant::now();
    let Ok(reply) = client.post("/servers").json(json!({"name": name})).try_send().await else { return };
    let server = reply.expect(201).json()["id"].as_i64().unwrap();
    record(started, &|ledger| {
        // The default rate limit.
        ledger.limits.insert(server, (60, 60));
    });
    for limit in 100.. {
        shared.0.lock().unwrap().limits.get_mut(&server).unwrap().1 = limit;
        let started = Instant::now();
        let update = client.patch(&format!("/servers/{server}")).json(json!({"rate_limit_per_min": limit}));
        let Ok(reply) = update.try_send().await else { return };
        reply.expect(200);
        record(started, &|ledger| ledger.limits.get_mut(&server).unwrap().0 = limit);
        let started = Instant::now();
        let tool = json!({"name": format!("tool_{limit}"), "endpoint_url": "https://api.example.com/"});
        let added = client.post(&format!("/servers/{server}/tools")).json(tool).try_send().await;
        let Ok(reply) = added else { return };
        let tool = reply.expect(201).json();
        let (id, name) = (tool["id"].as_i64().unwrap(), tool["name"].as_str().unwrap());
        record(started, &|ledger| {
            ledger.tools.insert(id, name.to_owned());
        });
    }
}
