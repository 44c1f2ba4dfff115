//! Shares the state of sessions with the other nodes of a cluster. A node reads the state of a session when it sees it
//! for the first time, and again after another node has changed it; until then requests with a session need no Redis.
//! Redis is optional: without it each node continues with the state it has, and shares its changes later.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use toolgate_domain::session::{SessionIdentity, SessionNonce};
use toolgate_domain::time::Clock;
use toolgate_execution::cluster::{ClusterState, SessionEvent};

use super::id::SESSION_TTL;
use super::state::SessionState;
use super::{CLOCK_MARGIN, Sessions};

/// The most attempts to read a state that changes during the read.
const READS_MAX: usize = 3;
/// The most events that wait to be applied.
const EVENTS_MAX: usize = 1024;
/// The most sessions whose changes wait for Redis.
const UNSYNCED_MAX: usize = 10_000;
/// How many states are read at the same time.
const SYNCS_MAX: usize = 32;
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The connection of the sessions to a cluster.
pub(super) struct SessionSharing {
    cluster: Arc<ClusterState>,
    clock: Arc<dyn Clock>,
    /// The number of the current subscription to events; 0 while no events arrive.
    epoch: AtomicU64,
    /// Sessions whose state must be read or shared as soon as Redis is available.
    unsynced: Mutex<BTreeSet<SessionNonce>>,
}

impl SessionSharing {
    pub(super) fn new(cluster: Arc<ClusterState>, clock: Arc<dyn Clock>) -> Self {
        Self { cluster, clock, epoch: AtomicU64::new(0), unsynced: Mutex::default() }
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Reads the state from the cluster, and shares the changes that are not there yet. Returns whether the session has
    /// ended.
    pub(super) async fn sync(&self, state: &SessionState) -> bool {
        for _ in 0..READS_MAX {
            let (epoch, revision) = (self.epoch(), state.revision());
            let Some(shared) = self.cluster.load_session(&state.identity.nonce).await else {
                // There may be no further request that would read or share the state.
                if state.is_in_use(self.clock.now()) {
                    self.retry_later(state);
                }
                return false;
            };
            if shared.has_ended {
                return true;
            }
            if state.apply(shared, epoch, revision) {
                break;
            }
        }
        self.send_changes(state).await;
        false
    }

    /// Shares the changes that are not in the cluster yet.
    pub(super) async fn send_changes(&self, state: &SessionState) {
        let (changes, version) = state.unsent();
        if changes.is_empty() {
            return;
        }
        let life = self.remaining_life(&state.identity);
        let stored = self.cluster.change_session(&state.identity.nonce, &changes, life).await;
        if !stored.is_some_and(|number| state.mark_sent(version, Some(number))) {
            self.retry_later(state);
        }
    }

    /// Shares that the session has ended.
    pub(super) async fn send_end(&self, session: &SessionIdentity) {
        self.cluster.end_session(session, self.remaining_life(session)).await;
    }

    /// The number of a new stream of the session; `None` without Redis.
    pub(super) async fn next_stream(&self, state: &SessionState) -> Option<u64> {
        self.cluster.next_stream(&state.identity.nonce, self.remaining_life(&state.identity)).await
    }

    /// Ends the older streams of the session on other nodes.
    pub(super) async fn announce_stream(&self, state: &SessionState, number: u64) {
        self.cluster.announce_stream(&state.identity.nonce, number).await;
    }

    /// How long the state is needed: until no node accepts the id, even if its clock is slow.
    fn remaining_life(&self, session: &SessionIdentity) -> Duration {
        let now = self.clock.now().as_millis();
        let remaining_ms = session.expires_at.as_millis().saturating_sub(now);
        Duration::from_millis(u64::try_from(remaining_ms).unwrap_or(0)).min(SESSION_TTL) + CLOCK_MARGIN
    }

    fn retry_later(&self, state: &SessionState) {
        let mut unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        if unsynced.len() < UNSYNCED_MAX {
            unsynced.insert(state.identity.nonce);
        }
    }

    fn take_unsynced(&self) -> BTreeSet<SessionNonce> {
        std::mem::take(&mut self.unsynced.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Applies the events of other nodes to `sessions`. Runs for as long as the service does.
    pub(super) async fn run(&self, sessions: &Sessions) {
        let (sender, events) = mpsc::channel(EVENTS_MAX);
        tokio::join!(self.cluster.run_subscription(&sender), self.apply_events(sessions, events));
    }

    async fn apply_events(&self, sessions: &Sessions, mut events: mpsc::Receiver<SessionEvent>) {
        let (mut subscriptions, mut retry) = (0, interval(RETRY_INTERVAL));
        retry.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // States are read concurrently and apart from the events, so that thousands of streams do not delay an event.
        let (mut waiting, mut syncs) = (BTreeSet::new(), FuturesUnordered::new());
        loop {
            while syncs.len() < SYNCS_MAX
                && let Some(nonce) = waiting.pop_first()
            {
                syncs.push(self.sync_known(sessions, nonce));
            }
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => waiting.extend(self.apply_event(sessions, event, &mut subscriptions)),
                    None => return,
                },
                Some(()) = syncs.next() => {}
                _ = retry.tick() => waiting.extend(self.take_unsynced()),
            }
        }
    }

    /// Returns the sessions whose states must be read.
    fn apply_event(&self, sessions: &Sessions, event: SessionEvent, subscriptions: &mut u64) -> Vec<SessionNonce> {
        match event {
            SessionEvent::Subscribed => {
                *subscriptions += 1;
                self.epoch.store(*subscriptions, Ordering::SeqCst);
                // Also those without a stream: Redis may have been restarted and have lost what only this node knows.
                let now = self.clock.now();
                let in_use = sessions.states.iter().filter(|(_, state)| state.is_in_use(now));
                return in_use.map(|(nonce, _)| *nonce).collect();
            }
            SessionEvent::Unsubscribed => self.epoch.store(0, Ordering::SeqCst),
            SessionEvent::Changed(nonce) => {
                let Some(state) = sessions.states.get(&nonce) else { return Vec::new() };
                state.mark_stale();
                if state.has_stream() {
                    return vec![nonce];
                }
            }
            SessionEvent::Ended(session) => sessions.mark_ended(&session.nonce),
            SessionEvent::StreamOpened(nonce, number) => {
                if let Some(state) = sessions.states.get(&nonce) {
                    state.close_streams_before(number);
                }
            }
        }
        Vec::new()
    }

    async fn sync_known(&self, sessions: &Sessions, nonce: SessionNonce) {
        let Some(state) = sessions.states.get(&nonce) else { return };
        if self.sync(&state).await {
            sessions.mark_ended(&nonce);
        }
        sessions.update_weight(&state);
    }
}
