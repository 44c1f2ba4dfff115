//! Ended grants that may still have unexpired access tokens. The database has all of them, the memory the latest ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{MissedTickBehavior, interval};
use toolgate_domain::ids::GrantId;
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::oauth::settings::ACCESS_TOKEN_TTL;
use toolgate_domain::time::{Clock, HOUR_MS, Timestamp};
use toolgate_storage::{Storage, StorageError};

use super::TokenError;
use super::ended_set::EndedGrantSet;

/// The most ended grants in memory.
const ENDED_MAX: u32 = 200_000;
/// How long an ended grant stays in memory: the longest lifetime of a token, plus an hour for clocks that differ.
const ENDED_TTL_MS: i64 = *ACCESS_TOKEN_TTL.end() * 1000 + HOUR_MS;
/// How often a reload that failed is tried again, and grants whose tokens have expired are forgotten.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);
/// While tokens are used, the grants that ended recently are read this often, in case a change notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// A poll reads the grants that ended within this time.
const POLL_RANGE_MS: i64 = 2 * HOUR_MS;

pub(super) struct EndedGrants {
    storage: Arc<dyn Storage>,
    set: EndedGrantSet,
    is_loaded: AtomicBool,
    /// Whether a token was checked since the last poll.
    is_used: AtomicBool,
    is_reload_requested: AtomicBool,
    /// Wakes the maintenance task for a reload.
    reload: Notify,
    changes: watch::Sender<()>,
}

impl EndedGrants {
    pub(super) fn new(storage: Arc<dyn Storage>) -> Self {
        Self {
            storage,
            set: EndedGrantSet::new(usize::try_from(ENDED_MAX).unwrap_or(usize::MAX)),
            is_loaded: AtomicBool::new(false),
            is_used: AtomicBool::new(false),
            is_reload_requested: AtomicBool::new(false),
            reload: Notify::new(),
            changes: watch::Sender::new(()),
        }
    }

    /// Checks a token of a grant that was issued at this time.
    pub(super) fn check(&self, grant: GrantId, issued_at: Timestamp) -> Result<(), TokenError> {
        if self.known()?.refuses(grant, issued_at) { Err(TokenError::Invalid) } else { Ok(()) }
    }

    /// The grants that have ended, for the check of a token.
    pub(super) fn known(&self) -> Result<&EndedGrantSet, TokenError> {
        if !self.is_loaded.load(Ordering::Acquire) {
            return Err(TokenError::Unavailable);
        }
        // Most checks only read the flag, so that its cache line stays shared between cores.
        if !self.is_used.load(Ordering::Relaxed) {
            self.is_used.store(true, Ordering::Relaxed);
        }
        Ok(&self.set)
    }

    /// A receiver that is notified after grants have ended.
    pub(super) fn watch(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Adds grants that have ended.
    pub(super) fn add(&self, grants: impl IntoIterator<Item = EndedGrant>) {
        self.set.add(grants);
        self.changes.send_replace(());
    }

    /// Requests that the grants in memory are completed from the database.
    pub(super) fn request_reload(&self) {
        self.is_reload_requested.store(true, Ordering::SeqCst);
        self.reload.notify_one();
    }

    /// Whether a reload was requested since the last call.
    pub(super) fn take_reload_request(&self) -> bool {
        self.is_reload_requested.swap(false, Ordering::SeqCst)
    }

    /// Reads the ended grants from the database. If that fails, [`Self::run`] tries again.
    pub(super) async fn load(&self, now: Timestamp) {
        if let Err(error) = self.read_all(now).await {
            tracing::warn!(%error, "cannot read which grants have ended; retrying");
            self.is_reload_requested.store(true, Ordering::SeqCst);
        }
    }

    async fn read_all(&self, now: Timestamp) -> Result<(), StorageError> {
        if let Some(valid_since) = self.storage.tokens_valid_since().await? {
            self.set.refuse_before(valid_since);
        }
        self.read_since(now.plus_millis(-ENDED_TTL_MS)).await?;
        self.is_loaded.store(true, Ordering::Release);
        Ok(())
    }

    async fn read_since(&self, since: Timestamp) -> Result<(), StorageError> {
        let grants = self.storage.ended_grants(since, ENDED_MAX).await?;
        // The latest come first. At the limit, grants may be missing that ended at the same time as the last one, or
        // earlier.
        if u32::try_from(grants.len()).is_ok_and(|count| count >= ENDED_MAX)
            && let Some(last) = grants.last()
        {
            self.set.refuse_before(last.ended_at.plus_millis(1));
        }
        if !grants.is_empty() {
            self.add(grants);
        }
        Ok(())
    }

    /// Reads the grants that ended recently, if tokens are used.
    async fn poll(&self, now: Timestamp) {
        if self.is_used.swap(false, Ordering::Relaxed)
            && let Err(error) = self.read_since(now.plus_millis(-POLL_RANGE_MS)).await
        {
            tracing::debug!(%error, "cannot read which grants have ended; retrying");
        }
    }

    /// Reloads on request, polls for changes that were missed, and forgets grants whose tokens have expired.
    pub(super) async fn run(&self, clock: &dyn Clock) -> std::convert::Infallible {
        let mut ticks = interval(MAINTENANCE_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut polls = interval(POLL_INTERVAL);
        polls.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = polls.tick() => self.poll(clock.now()).await,
                _ = ticks.tick() => self.set.forget_before(clock.now().plus_millis(-ENDED_TTL_MS)),
                () = self.reload.notified() => {}
            }
            if self.take_reload_request() {
                self.load(clock.now()).await;
            }
        }
    }
}
