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
    /// The rate limits by server id.
    limits: BTreeMap<i64, LimitWrites>,
    /// Names of the acknowledged tools by id.
    tools: BTreeMap<i64, String>,
    pub(crate) acknowledged: usize,
    /// The longest time until an acknowledgement.
    pub(crate) slowest: Duration,
}

/// The writes of the rate limit of one server.
#[derive(Clone)]
struct LimitWrites {
    /// The last acknowledged value.
    acknowledged: i64,
    /// The last value that was sent.
    attempted: i64,
}

impl Ledger {
    pub(crate) fn add(&mut self, other: Self) {
        self.acknowledged += other.acknowledged;
        self.tools.extend(other.tools);
        self.limits.extend(other.limits);
        self.slowest = self.slowest.max(other.slowest);
    }

    /// This ledger with the attempted writes of a later one. A backup that was taken between the two may contain any of
    /// these writes.
    pub(crate) fn with_attempts_of(mut self, later: &Self) -> Self {
        for (id, writes) in &mut self.limits {
            writes.attempted = later.limits[id].attempted;
        }
        self
    }

    /// Asserts that the service has every acknowledged write.
    pub(crate) async fn verify(&self, client: &Client) {
        for (id, LimitWrites { acknowledged, attempted }) in &self.limits {
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

/// The ledger of running writers.
struct SharedLedger {
    ledger: Mutex<Ledger>,
    /// Notified after each acknowledgement.
    progress: Notify,
}

/// Running writers.
pub(crate) struct Writers {
    shared: Arc<SharedLedger>,
    tasks: JoinSet<()>,
}

impl Writers {
    /// Starts writers that write until the service ends.
    pub(crate) fn start(app: &RunningService, name: &str, count: usize) -> Self {
        let shared = Arc::new(SharedLedger { ledger: Mutex::default(), progress: Notify::new() });
        let mut tasks = JoinSet::new();
        for writer in 0..count {
            tasks.spawn(write_until_service_ends(app.client(), format!("{name}-{writer}"), Arc::clone(&shared)));
        }
        Self { shared, tasks }
    }

    /// The ledger so far.
    pub(crate) fn ledger(&self) -> Ledger {
        self.shared.ledger.lock().unwrap().clone()
    }

    /// Waits for this many acknowledgements.
    pub(crate) async fn wait_for(&self, acknowledged: usize) {
        loop {
            let progress = self.shared.progress.notified();
            if self.shared.ledger.lock().unwrap().acknowledged >= acknowledged {
                return;
            }
            progress.await;
        }
    }

    /// Waits until the writers have ended after the service; returns the final ledger.
    pub(crate) async fn join(self) -> Ledger {
        self.tasks.join_all().await;
        self.shared.ledger.lock().unwrap().clone()
    }
}

/// Creates a server, then changes it and adds tools until the service ends.
async fn write_until_service_ends(client: Client, name: String, shared: Arc<SharedLedger>) {
    let record = |started: Instant, change: &dyn Fn(&mut Ledger)| {
        let mut ledger = shared.ledger.lock().unwrap();
        ledger.acknowledged += 1;
        ledger.slowest = ledger.slowest.max(started.elapsed());
        change(&mut ledger);
        shared.progress.notify_one();
    };
    let started = Instant::now();
    let Ok(reply) = client.post("/servers").json(json!({"name": name})).try_send().await else { return };
    let server = reply.expect(201).json()["id"].as_i64().unwrap();
    record(started, &|ledger| {
        // The default rate limit.
        ledger.limits.insert(server, LimitWrites { acknowledged: 60, attempted: 60 });
    });
    for limit in 100.. {
        shared.ledger.lock().unwrap().limits.get_mut(&server).unwrap().attempted = limit;
        let started = Instant::now();
        let update = client.patch(&format!("/servers/{server}")).json(json!({"rate_limit_per_min": limit}));
        let Ok(reply) = update.try_send().await else { return };
        reply.expect(200);
        record(started, &|ledger| ledger.limits.get_mut(&server).unwrap().acknowledged = limit);
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
