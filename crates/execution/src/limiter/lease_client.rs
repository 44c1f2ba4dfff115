//! The requests to Redis for leases. They run in separate tasks, so that no call waits for slots that later calls use,
//! and a client that disconnects loses no slots.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::runtime::Handle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::sync::lock;

use super::lease::{LeaseRequest, REPORT_INTERVAL_MS};
use super::{LimitScope, NodeWindow, RequestKind, millis_since};
use crate::cluster::{ClusterState, SlotReply};

/// How often leases are checked. A report may be late by this time.
const CHECK_INTERVAL: Duration = Duration::from_millis(REPORT_INTERVAL_MS / 2);

/// How many leases are reported at the same time.
const REPORTS_MAX: usize = 64;

/// A window in which this node may hold leased slots.
#[derive(Clone, Debug)]
pub(super) struct LeasedWindow {
    pub(super) scope: LimitScope,
    pub(super) kind: RequestKind,
    pub(super) window: Arc<Mutex<NodeWindow>>,
}

/// The statistics of the leases of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeaseStats {
    /// Windows in which this node may hold leased slots.
    pub windows: u64,
    /// Leased slots that this node can use now.
    pub held_slots: u64,
    /// Slots leased since the start.
    pub leased_slots: u64,
    /// Slots given back since the start.
    pub returned_slots: u64,
    /// Requests for leases that failed since the start.
    pub failed_requests: u64,
}

/// Requests, reports and gives back the leases of one node.
#[derive(Debug)]
pub(super) struct LeaseClient {
    pub(super) cluster: Arc<ClusterState>,
    /// The start of the clock that the windows use.
    start: Instant,
    runtime: Handle,
    tasks: TaskTracker,
    stopping: CancellationToken,
    watched: Mutex<WatchedLeases>,
    leased: AtomicU64,
    returned: AtomicU64,
    failed: AtomicU64,
}

#[derive(Debug, Default)]
struct WatchedLeases {
    windows: Vec<LeasedWindow>,
    is_task_running: bool,
}

impl LeaseClient {
    /// The tasks run on the current runtime, not on the threads that serve calls.
    pub(super) fn new(cluster: Arc<ClusterState>, start: Instant) -> Arc<Self> {
        Arc::new(Self {
            cluster,
            start,
            runtime: Handle::current(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            watched: Mutex::default(),
            leased: AtomicU64::new(0),
            returned: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        })
    }

    /// Sends a request of the lease. The reply is applied even if the returned future is dropped.
    pub(super) fn send(
        self: &Arc<Self>,
        leased: LeasedWindow,
        request: LeaseRequest,
    ) -> impl Future<Output = Option<SlotReply>> + use<> {
        let client = Arc::clone(self);
        let task = self.tasks.spawn_on(async move { client.exchange(leased, request).await }, &self.runtime);
        async move { task.await.ok().flatten() }
    }

    /// Stops the checks and gives all slots back.
    pub(super) async fn finish(&self) {
        self.stopping.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        let windows = std::mem::take(&mut lock(&self.watched).windows);
        stream::iter(windows)
            .for_each_concurrent(REPORTS_MAX, async |leased| {
                let request = lock(&leased.window).lease().give_back(self.now_ms());
                if let Some(request) = request {
                    self.ask(&leased, &request).await;
                }
            })
            .await;
    }

    pub(super) fn stats(&self) -> LeaseStats {
        let (now_ms, watched) = (self.now_ms(), lock(&self.watched));
        let held = watched.windows.iter().map(|leased| u64::from(lock(&leased.window).lease().held(now_ms)));
        LeaseStats {
            windows: watched.windows.len() as u64,
            held_slots: held.sum(),
            leased_slots: self.leased.load(Ordering::Relaxed),
            returned_slots: self.returned.load(Ordering::Relaxed),
            failed_requests: self.failed.load(Ordering::Relaxed),
        }
    }

    async fn exchange(self: Arc<Self>, leased: LeasedWindow, request: LeaseRequest) -> Option<SlotReply> {
        let reply = self.ask(&leased, &request).await;
        let is_new = lock(&leased.window).lease().start_watching(self.now_ms());
        if is_new {
            self.watch(leased);
        }
        reply
    }

    async fn ask(&self, leased: &LeasedWindow, request: &LeaseRequest) -> Option<SlotReply> {
        let reply = self.cluster.request_slots(leased.scope, leased.kind.shared_name(), request.slots).await;
        let mut window = lock(&leased.window);
        if let Some(reply) = &reply {
            window.lease().apply(self.now_ms(), request, reply);
            self.leased.fetch_add(reply.leased.into(), Ordering::Relaxed);
            self.returned.fetch_add(request.slots.returned.into(), Ordering::Relaxed);
        } else {
            window.lease().abandon_request(request);
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
        reply
    }

    /// Checks the lease from now on, in a task that runs as long as there are leases.
    fn watch(self: Arc<Self>, leased: LeasedWindow) {
        let mut watched = lock(&self.watched);
        watched.windows.push(leased);
        if !std::mem::replace(&mut watched.is_task_running, true) {
            drop(watched);
            let client = Arc::clone(&self);
            self.tasks.spawn_on(async move { client.run_checks().await }, &self.runtime);
        }
    }

    async fn run_checks(&self) {
        while self.stopping.run_until_cancelled(tokio::time::sleep(CHECK_INTERVAL)).await.is_some() {
            // A copy, so that the statistics are complete during the reports.
            let windows = lock(&self.watched).windows.clone();
            stream::iter(windows).for_each_concurrent(REPORTS_MAX, |leased| self.report_if_due(leased)).await;
            let now_ms = self.now_ms();
            let mut watched = lock(&self.watched);
            watched.windows.retain(|leased| lock(&leased.window).lease().keep_watching(now_ms));
            if watched.windows.is_empty() {
                watched.is_task_running = false;
                return;
            }
        }
    }

    async fn report_if_due(&self, leased: LeasedWindow) {
        let request = {
            let mut window = lock(&leased.window);
            let now_ms = self.now_ms();
            let recent = window.window.recent(now_ms);
            let lease = window.lease();
            let is_due = lease.is_due(now_ms);
            is_due.then(|| lease.request(now_ms, 0, recent, self.cluster.node_count())).flatten()
        };
        if let Some(request) = request {
            self.ask(&leased, &request).await;
        }
    }

    fn now_ms(&self) -> u64 {
        millis_since(self.start)
    }
}
