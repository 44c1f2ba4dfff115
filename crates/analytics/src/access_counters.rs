//! Figures on the access to endpoints: the last use of keys and grants, people of external issuers, and refused
//! requests. They are collected in memory without a lock and written to the database at intervals, so that a request
//! never waits for them. A crash loses those of the last interval. Calls per tool are counted only if that is enabled,
//! and are never written.

mod refusal_counts;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_domain::ids::{EndpointKeyId, GrantId, ServerId, SubjectId, ToolId};
use toolgate_domain::oauth::subject::SeenSubject;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::sync::lock;
use toolgate_domain::time::{Clock, DAY_MS, Timestamp};
use toolgate_domain::usage::Grain;
use toolgate_storage::{AccessStore, KeyUse, RefusalCount};

use crate::tool_counters::{ToolCallTotals, ToolCalls, ToolCounters};
pub use refusal_counts::RefusalCounts;
use refusal_counts::RefusalSums;

/// How often the figures are written.
const WRITE_INTERVAL: Duration = Duration::from_secs(10);
/// The longest time that a request for the figures waits until they are written.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// Days for which refusal counts are stored, and people of external issuers after they were last seen.
const RETENTION_DAYS: i64 = 400;
/// Maximum number of people who are not written yet. Further people are written after a later check of their tokens.
const SUBJECTS_MAX: usize = 10_000;

/// The last use of one key or grant, in milliseconds since 1970; 0 if it was not used since the last write.
#[derive(Debug, Default)]
pub struct KeyLastUse(AtomicI64);

impl KeyLastUse {
    /// Notes that the key or grant was used.
    pub fn record(&self, at: Timestamp) {
        // The value is independent of all other memory, so no ordering is needed.
        self.0.fetch_max(at.as_millis(), Ordering::Relaxed);
    }

    fn take(&self) -> Option<Timestamp> {
        Some(self.0.swap(0, Ordering::Relaxed)).filter(|millis| *millis != 0).map(Timestamp::from_millis)
    }
}

/// The figures that are not written yet. The maps are locked when a server is compiled, when a grant is used for the
/// first time, and when figures are written, not by every request.
pub struct AccessCounters {
    storage: Arc<dyn AccessStore + Send + Sync>,
    clock: Arc<dyn Clock>,
    keys: Mutex<HashMap<EndpointKeyId, Arc<KeyLastUse>>>,
    grants: Mutex<HashMap<GrantId, Arc<KeyLastUse>>>,
    subjects: Mutex<HashMap<SubjectId, SeenSubject>>,
    servers: Mutex<HashMap<ServerId, Arc<RefusalCounts>>>,
    /// One counter for all servers that do not exist, so that invented addresses use no memory.
    unknown_servers: RefusalCounts,
    /// The sums over all servers, which are never reset.
    refusal_totals: Arc<RefusalSums>,
    /// `None` if calls per tool are not counted.
    tools: Option<ToolCounters>,
    /// Held during a write, so that a flush also waits for the figures that another write has taken.
    writing: tokio::sync::Mutex<()>,
    /// The periodic task and the writes of [`Self::flush`].
    tasks: TaskTracker,
}

impl AccessCounters {
    /// Empty figures, which are written to `storage`.
    pub fn new(
        storage: Arc<dyn AccessStore + Send + Sync>,
        clock: Arc<dyn Clock>,
        tools: Option<ToolCounters>,
    ) -> Arc<Self> {
        let refusal_totals = Arc::new(RefusalSums::default());
        Arc::new(Self {
            storage,
            clock,
            keys: Mutex::default(),
            grants: Mutex::default(),
            subjects: Mutex::default(),
            servers: Mutex::default(),
            unknown_servers: RefusalCounts::new(&refusal_totals),
            refusal_totals,
            tools,
            writing: tokio::sync::Mutex::default(),
            tasks: TaskTracker::new(),
        })
    }

    /// The last use of a key, shared by all snapshots of its server.
    pub fn key(&self, id: EndpointKeyId) -> Arc<KeyLastUse> {
        Arc::clone(lock(&self.keys).entry(id).or_default())
    }

    /// The last use of a grant. It is written and then forgotten when no caller holds it any more.
    pub fn grant(&self, id: GrantId) -> Arc<KeyLastUse> {
        Arc::clone(lock(&self.grants).entry(id).or_default())
    }

    /// Notes a person of an external issuer. Call it when a token is checked, not for every request.
    pub fn note_subject(&self, subject: SeenSubject) {
        let mut subjects = lock(&self.subjects);
        if subjects.len() < SUBJECTS_MAX || subjects.contains_key(&subject.id) {
            subjects.insert(subject.id, subject);
        }
    }

    /// The refused requests to a server, shared by all its snapshots.
    pub fn server(&self, id: ServerId) -> Arc<RefusalCounts> {
        let new = || Arc::new(RefusalCounts::new(&self.refusal_totals));
        Arc::clone(lock(&self.servers).entry(id).or_insert_with(new))
    }

    /// The refused requests to servers that do not exist.
    pub fn unknown_servers(&self) -> &RefusalCounts {
        &self.unknown_servers
    }

    /// The refused requests to all servers since the start of the process, by reason.
    pub fn refusal_totals(&self) -> Vec<(RefusalReason, u64)> {
        self.refusal_totals.counts().collect()
    }

    /// The call counter of a tool; `None` if calls per tool are not counted.
    pub fn tool(&self, server: ServerId, id: ToolId, name: &str) -> Option<Arc<ToolCalls>> {
        self.tools.as_ref().map(|tools| tools.tool(server, id, name))
    }

    /// The calls of the busiest tools and of all others; `None` if calls per tool are not counted.
    pub fn tool_totals(&self) -> Option<Vec<ToolCallTotals>> {
        self.tools.as_ref().map(ToolCounters::totals)
    }

    /// Starts a task that writes the figures at intervals until `stopping` is cancelled, and deletes old ones.
    pub fn start(self: &Arc<Self>, stopping: CancellationToken) {
        self.tasks.spawn(Arc::clone(self).run(stopping));
    }

    async fn run(self: Arc<Self>, stopping: CancellationToken) {
        let mut last_deletion_day = None;
        while stopping.run_until_cancelled(sleep(WRITE_INTERVAL)).await.is_some() {
            self.write().await;
            let today = Grain::Day.start_of(self.clock.now());
            if last_deletion_day != Some(today) && self.delete_old(today).await {
                last_deletion_day = Some(today);
            }
        }
    }

    /// Writes the figures now, and waits at most two seconds until they are written.
    pub async fn flush(self: &Arc<Self>) {
        // A separate task, because the figures must not be lost if the caller is cancelled.
        let this = Arc::clone(self);
        let _ = timeout(FLUSH_TIMEOUT, self.tasks.spawn(async move { this.write().await })).await;
    }

    /// Writes people of external issuers now, if there are any, so that the call log has their names.
    pub async fn flush_subjects(self: &Arc<Self>) {
        let is_writing = self.writing.try_lock().is_err();
        if is_writing || !lock(&self.subjects).is_empty() {
            self.flush().await;
        }
    }

    async fn write(&self) {
        let _writing = self.writing.lock().await;
        if let Some(tools) = &self.tools {
            tools.remove_unused();
        }
        self.write_key_uses().await;
        self.write_grant_uses().await;
        self.write_subjects().await;
        self.write_refusals().await;
    }

    async fn write_key_uses(&self) {
        let uses = self.take_key_uses();
        let unwritten = if uses.is_empty() {
            Vec::new()
        } else {
            self.storage.record_key_uses(&uses).await.unwrap_or_else(|error| {
                tracing::warn!(error = ?error, "cannot store the last use of keys; retrying");
                uses
            })
        };
        let mut keys = lock(&self.keys);
        for KeyUse { key, at } in unwritten {
            if let Some(last_use) = keys.get(&key) {
                last_use.record(at);
            }
        }
        // An entry that only this map refers to belongs to no snapshot; its unwritten use is dropped.
        keys.retain(|_, last_use| Arc::strong_count(last_use) > 1);
    }

    fn take_key_uses(&self) -> Vec<KeyUse> {
        let keys = lock(&self.keys);
        keys.iter().filter_map(|(key, last_use)| Some(KeyUse { key: *key, at: last_use.take()? })).collect()
    }

    async fn write_grant_uses(&self) {
        let uses: Vec<(GrantId, Timestamp)> = {
            let grants = lock(&self.grants);
            grants.iter().filter_map(|(grant, last_use)| Some((*grant, last_use.take()?))).collect()
        };
        let mut unwritten = Vec::new();
        if !uses.is_empty()
            && let Err(error) = self.storage.store_grant_uses(&uses).await
        {
            tracing::warn!(?error, "cannot store the last use of grants; retrying");
            unwritten = uses;
        }
        let mut grants = lock(&self.grants);
        for (grant, at) in unwritten {
            if let Some(last_use) = grants.get(&grant) {
                last_use.record(at);
            }
        }
        grants.retain(|_, last_use| Arc::strong_count(last_use) > 1);
    }

    async fn write_subjects(&self) {
        let seen: Vec<SeenSubject> = std::mem::take(&mut *lock(&self.subjects)).into_values().collect();
        if !seen.is_empty()
            && let Err(error) = self.storage.store_subjects(&seen).await
        {
            tracing::warn!(?error, "cannot store people of external issuers; retrying");
            let mut subjects = lock(&self.subjects);
            for subject in seen {
                // An entry that was noted during the attempt is newer.
                subjects.entry(subject.id).or_insert(subject);
            }
        }
    }

    async fn write_refusals(&self) {
        let counts = self.take_refusals();
        if counts.is_empty() {
            return;
        }
        let hour = Grain::Hour.start_of(self.clock.now());
        if let Err(error) = self.storage.add_refusals(hour, &counts).await {
            tracing::warn!(error = ?error, "cannot store the number of refused requests; retrying");
            for RefusalCount { server, reason, requests } in counts {
                match server {
                    Some(id) => self.server(id).add(reason, requests),
                    None => self.unknown_servers.add(reason, requests),
                }
            }
        }
    }

    fn take_refusals(&self) -> Vec<RefusalCount> {
        let mut servers = lock(&self.servers);
        let known = servers.iter().map(|(id, counts)| (Some(*id), &**counts));
        let all = known.chain([(None, &self.unknown_servers)]);
        let count = |server| move |(reason, requests)| RefusalCount { server, reason, requests };
        let taken: Vec<RefusalCount> = all.flat_map(|(server, counts)| counts.take().map(count(server))).collect();
        servers.retain(|_, counts| Arc::strong_count(counts) > 1);
        taken
    }

    async fn delete_old(&self, today: Timestamp) -> bool {
        let cutoff = today.plus_millis(-RETENTION_DAYS * DAY_MS);
        let deleted = match self.storage.delete_refusals_before(cutoff).await {
            Ok(()) => self.storage.delete_subjects_before(cutoff).await,
            error => error,
        };
        deleted
            .inspect_err(|error| tracing::warn!(?error, "cannot delete old figures on the access to endpoints"))
            .is_ok()
    }
}
