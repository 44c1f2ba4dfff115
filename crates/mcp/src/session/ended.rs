//! The sessions that clients ended before their ids expire. All of them are in the database, so that neither a restart
//! nor an outage of Redis revives one, and the latest are in memory, so that no request waits for the database.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval, timeout};
use toolgate_domain::session::{SessionIdentity, SessionNonce};
use toolgate_domain::time::{Clock, Timestamp};
use toolgate_storage::{Storage, StorageError};

use super::CLOCK_MARGIN;
use super::id::SESSION_TTL;

/// The most ended sessions in memory; beyond that, those that were inserted first are removed.
const ENDED_MAX: usize = 200_000;
/// How many ended sessions are read or inserted before the task yields to others.
const PAGE_MAX: u32 = 2_000;
/// The most ended sessions that wait for the database.
const UNSAVED_MAX: usize = 10_000;
/// How many sessions are stored in one transaction.
const BATCH_MAX: usize = 500;
/// How long a request waits for the database.
const SAVE_TIMEOUT: Duration = Duration::from_secs(3);
/// How often sessions that could not be stored are tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// How often expired sessions are deleted.
const CLEAN_INTERVAL: Duration = Duration::from_hours(1);

pub(super) struct EndedSessions {
    storage: Arc<dyn Storage>,
    in_memory: moka::sync::Cache<SessionNonce, ()>,
    unsaved: Mutex<BTreeMap<SessionNonce, Timestamp>>,
    /// Held while sessions are stored, so that those that end in the meantime are stored together.
    saving: tokio::sync::Mutex<()>,
    is_reload_requested: AtomicBool,
    /// Wakes the maintenance task for a reload.
    reload: Notify,
}

impl EndedSessions {
    pub(super) fn new(storage: Arc<dyn Storage>) -> Self {
        let in_memory = moka::sync::Cache::builder()
            .max_capacity(ENDED_MAX as u64)
            .time_to_live(SESSION_TTL + CLOCK_MARGIN)
            // Removes the first inserted ones first, because `contains_key` is not a use.
            .eviction_policy(moka::policy::EvictionPolicy::lru());
        Self {
            storage,
            in_memory: in_memory.build(),
            unsaved: Mutex::default(),
            saving: tokio::sync::Mutex::default(),
            is_reload_requested: AtomicBool::new(false),
            reload: Notify::new(),
        }
    }

    pub(super) fn contains(&self, nonce: &SessionNonce) -> bool {
        self.in_memory.contains_key(nonce)
    }

    /// Adds a session to those in memory.
    pub(super) fn insert(&self, nonce: SessionNonce) {
        self.in_memory.insert(nonce, ());
    }

    /// Stores a session in the database. If that takes too long or fails, the maintenance task tries again.
    pub(super) async fn save(&self, session: SessionIdentity) {
        {
            let mut unsaved = self.lock_unsaved();
            if unsaved.len() >= UNSAVED_MAX {
                tracing::warn!("the end of a session is not stored, because too many wait for the database");
                return;
            }
            unsaved.insert(session.nonce, session.expires_at);
        }
        if !matches!(timeout(SAVE_TIMEOUT, self.save_all()).await, Ok(Ok(()))) {
            tracing::warn!("the end of a session could not be stored; retrying");
        }
    }

    /// Requests that the sessions in memory are completed from the database.
    pub(super) fn request_reload(&self) {
        self.is_reload_requested.store(true, Ordering::SeqCst);
        self.reload.notify_one();
    }

    /// Reads the ended sessions from the database. `apply` gets those that are not in memory, and must insert them.
    pub(super) async fn load(&self, apply: impl Fn(&SessionNonce)) -> Result<(), StorageError> {
        let mut sessions: Vec<SessionIdentity> = Vec::new();
        while sessions.len() < ENDED_MAX {
            let page = self.storage.ended_sessions(sessions.last().copied(), PAGE_MAX).await?;
            if page.is_empty() {
                break;
            }
            sessions.extend(page);
        }
        // The last to expire is inserted last, so that it is removed last.
        for page in sessions.rchunks(PAGE_MAX as usize) {
            let unknown = page.iter().rev().filter(|session| !self.contains(&session.nonce));
            unknown.for_each(|session| apply(&session.nonce));
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Stores sessions that are not stored yet, deletes expired ones, and reloads on request. `apply` is passed to
    /// [`EndedSessions::load`].
    pub(super) async fn run(&self, clock: &dyn Clock, apply: impl Fn(&SessionNonce)) -> std::convert::Infallible {
        let mut clean = interval(CLEAN_INTERVAL);
        let mut retry = interval(RETRY_INTERVAL);
        retry.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let outcome = tokio::select! {
                _ = clean.tick() => self.clean(clock.now()).await,
                _ = retry.tick() => self.save_all().await,
                () = self.reload.notified() => Ok(()),
            };
            if let Err(error) = outcome {
                tracing::debug!(%error, "cannot store or delete ended sessions; retrying");
            }
            if self.is_reload_requested.swap(false, Ordering::SeqCst) && self.load(&apply).await.is_err() {
                // The next tick tries again.
                self.is_reload_requested.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Makes the last attempt to store all sessions that wait for the database.
    pub(super) async fn finish(&self) {
        if !matches!(timeout(SAVE_TIMEOUT, self.save_all()).await, Ok(Ok(()))) {
            let count = self.lock_unsaved().len();
            tracing::warn!(count, "the ends of sessions are not stored, because the database is unavailable");
        }
    }

    async fn clean(&self, now: Timestamp) -> Result<(), StorageError> {
        let margin_ms = i64::try_from(CLOCK_MARGIN.as_millis()).unwrap_or(i64::MAX);
        self.storage.delete_ended_sessions_before(now.plus_millis(-margin_ms)).await
    }

    /// Stores all sessions that wait for the database.
    async fn save_all(&self) -> Result<(), StorageError> {
        let _saving = self.saving.lock().await;
        loop {
            let batch: Vec<SessionIdentity> = {
                let unsaved = self.lock_unsaved();
                let sessions = unsaved
                    .iter()
                    .map(|(nonce, expires_at)| SessionIdentity { nonce: *nonce, expires_at: *expires_at });
                sessions.take(BATCH_MAX).collect()
            };
            if batch.is_empty() {
                return Ok(());
            }
            self.storage.end_sessions(&batch).await?;
            // They are removed only now: the caller may be cancelled while they are stored.
            let mut unsaved = self.lock_unsaved();
            for session in &batch {
                unsaved.remove(&session.nonce);
            }
        }
    }

    fn lock_unsaved(&self) -> MutexGuard<'_, BTreeMap<SessionNonce, Timestamp>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
