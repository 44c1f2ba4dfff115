//! Sessions of legacy clients. An id does not authenticate its sender, and one of a signed-in person is valid only with a
//! token of this person. Log level and subscriptions are held in a
//! bounded map of this node until the id expires, and shared with the other nodes of a cluster. The end of a session is
//! also stored in the database.

mod ended;
pub(crate) mod id;
mod sharing;
pub(crate) mod state;
pub(crate) mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::StatusCode;
use toolgate_domain::session::SessionNonce;
use toolgate_domain::time::{Clock, Timestamp};
use toolgate_execution::cluster::ClusterState;
use toolgate_storage::{ChangeEvent, ChangeListener, Storage, StorageError};

use crate::era::Revision;
use crate::jsonrpc::error::RpcError;
use crate::signing::Signer;
use ended::EndedSessions;
use id::{SESSION_TTL, Session, SessionIds, SessionScope};
use sharing::SessionSharing;
use state::{LogLevel, SessionState, StateStatus};
use stream::SessionStream;

/// How far the clocks of two nodes may differ: the end of a session stays recorded for this long after its id has
/// expired.
const CLOCK_MARGIN: Duration = Duration::from_hours(1);
/// The memory for the states of all sessions, in bytes. Beyond it, the least recently used states are removed.
const STATES_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The epoch of a node without a cluster, whose states are always current.
const SINGLE_NODE_EPOCH: u64 = 1;

/// The session of a presented id.
#[derive(Debug)]
pub(crate) enum PresentedSession {
    /// No id was presented.
    None,
    /// A valid id.
    Known(Arc<Session>),
    /// The id of an ended session.
    Ended,
    /// Any other id. The caller is served like a legacy client without a session.
    Unknown,
}

/// The refusal of a session that has ended.
pub(crate) fn ended_error() -> RpcError {
    RpcError::http(StatusCode::NOT_FOUND, "This session has ended; initialize again")
}

/// The sessions of this node.
pub(crate) struct Sessions {
    ids: SessionIds,
    states: moka::sync::Cache<SessionNonce, Arc<SessionState>>,
    ended: EndedSessions,
    /// The connection to the other nodes, if any.
    sharing: Option<SessionSharing>,
    /// Ids that were issued since the start of the process.
    issued: AtomicU64,
}

impl Sessions {
    pub(crate) fn new(
        signer: Arc<Signer>,
        storage: &Arc<dyn Storage>,
        cluster: Option<Arc<ClusterState>>,
        clock: &Arc<dyn Clock>,
    ) -> Arc<Self> {
        let states = moka::sync::Cache::builder()
            .weigher(|_, state: &Arc<SessionState>| state.weight())
            .max_capacity(STATES_BYTES_MAX)
            .time_to_live(SESSION_TTL)
            .eviction_policy(moka::policy::EvictionPolicy::lru());
        let sessions = Arc::new(Self {
            ids: SessionIds::new(signer),
            states: states.build(),
            ended: EndedSessions::new(Arc::clone(storage)),
            sharing: cluster.map(|cluster| SessionSharing::new(cluster, Arc::clone(clock))),
            issued: AtomicU64::new(0),
        });
        storage.listen(Arc::clone(&sessions) as Arc<dyn ChangeListener>);
        sessions
    }

    /// Reads which sessions have ended. A node must not accept requests before this has succeeded.
    pub(crate) async fn load(&self) -> Result<(), StorageError> {
        self.ended.load(|nonce| self.mark_ended(nonce)).await
    }

    /// Shares sessions with other nodes, and stores ended sessions that are not stored yet. Runs until the last request
    /// has ended.
    pub(crate) async fn run(&self, clock: &dyn Clock) {
        let share = async {
            if let Some(sharing) = &self.sharing {
                sharing.run(self).await;
            }
        };
        let maintain = self.ended.run(clock, |nonce| self.mark_ended(nonce));
        tokio::join!(share, maintain);
    }

    /// Makes the last attempt to store ended sessions that are not stored yet.
    pub(crate) async fn finish(&self) {
        self.ended.finish().await;
    }

    /// Issues an id; `None` if the system returns no random bytes: the client then works without a session.
    pub(crate) fn issue(
        &self,
        scope: &SessionScope<'_>,
        client_name: &str,
        revision: Revision,
        now: Timestamp,
    ) -> Option<String> {
        let (id, identity) = self.ids.issue(scope, client_name, revision, now)?;
        self.issued.fetch_add(1, Ordering::Relaxed);
        if let Some(sharing) = &self.sharing {
            // No other node can have changed the state of a new session, so this one need not read it.
            self.states.insert(identity.nonce, Arc::new(SessionState::new(identity, sharing.epoch())));
        }
        Some(id)
    }

    /// Reads a presented id.
    pub(crate) async fn read(&self, scope: &SessionScope<'_>, id: &str, now: Timestamp) -> PresentedSession {
        let Some(session) = self.ids.read(scope, id, now) else { return PresentedSession::Unknown };
        let has_ended = match self.states.get(&session.identity.nonce).map(|state| state.status(self.epoch())) {
            Some(StateStatus::Ended) => true,
            Some(StateStatus::Current) => false,
            None if self.sharing.is_none() => self.ended.contains(&session.identity.nonce),
            // Boxed, because few requests need it and it would enlarge the future of every request.
            Some(StateStatus::Stale) | None => Box::pin(self.read_state(&session)).await,
        };
        if has_ended { PresentedSession::Ended } else { PresentedSession::Known(session) }
    }

    /// Reads the state of a session that this node does not know, or that another node has changed. Returns whether the
    /// session has ended.
    async fn read_state(&self, session: &Session) -> bool {
        if self.ended.contains(&session.identity.nonce) {
            return true;
        }
        let Some(sharing) = &self.sharing else { return false };
        let state = self.state(session);
        if sharing.sync(&state).await {
            self.mark_ended(&session.identity.nonce);
        }
        self.update_weight(&state);
        state.has_ended()
    }

    /// The number of the current subscription to events of other nodes; 0 while none arrive.
    fn epoch(&self) -> u64 {
        self.sharing.as_ref().map_or(SINGLE_NODE_EPOCH, SessionSharing::epoch)
    }

    /// The state of a session, created on first use.
    fn state(&self, session: &Session) -> Arc<SessionState> {
        let identity = session.identity;
        // The state of a session that another node may have changed is stale until it is read.
        let epoch = if self.sharing.is_some() { 0 } else { SINGLE_NODE_EPOCH };
        let state = self.states.get_with(identity.nonce, || Arc::new(SessionState::new(identity, epoch)));
        // Checked after the state is in the map: `mark_ended` works in the opposite order, so at least one of the two
        // sees what the other wrote.
        if self.ended.contains(&identity.nonce) {
            state.end();
        }
        state
    }

    /// Sessions that were begun on this node since the start of the process.
    pub(crate) fn issued(&self) -> u64 {
        self.issued.load(Ordering::Relaxed)
    }

    /// The number of sessions whose state this node holds.
    pub(crate) fn state_count(&self) -> u64 {
        // Without this the count would lag behind until the next requests.
        self.states.run_pending_tasks();
        self.states.entry_count()
    }

    /// The log level of a session, if set.
    pub(crate) fn level(&self, session: &Session) -> Option<LogLevel> {
        self.states.get(&session.identity.nonce)?.level()
    }

    /// Sets the log level of a session.
    pub(crate) async fn set_level(&self, session: &Session, level: LogLevel) {
        let state = self.state(session);
        state.set_level(level);
        self.share_changes(&state).await;
    }

    /// Subscribes to a resource; `false` if the session has too many subscriptions.
    pub(crate) async fn subscribe(&self, session: &Session, uri: &str) -> bool {
        let state = self.state(session);
        let is_subscribed = state.subscribe(uri);
        if is_subscribed {
            self.share_changes(&state).await;
        }
        is_subscribed
    }

    pub(crate) async fn unsubscribe(&self, session: &Session, uri: &str) {
        let state = self.state(session);
        state.unsubscribe(uri);
        self.share_changes(&state).await;
    }

    async fn share_changes(&self, state: &Arc<SessionState>) {
        match &self.sharing {
            Some(sharing) => sharing.send_changes(state).await,
            None => {
                state.mark_sent(state.unsent().1, None);
            }
        }
        self.update_weight(state);
    }

    /// Opens the stream of a session, and ends an older one on any node; `None` if the session has ended.
    pub(crate) async fn open_stream(&self, session: &Session) -> Option<SessionStream> {
        let state = self.state(session);
        let Some(sharing) = &self.sharing else { return SessionStream::open(&state, None) };
        // The number comes first: a stream without one could not be compared with those that other nodes announce.
        let number = sharing.next_stream(&state).await;
        let stream = SessionStream::open(&state, number)?;
        if let Some(number) = number {
            sharing.announce_stream(&state, number).await;
        }
        Some(stream)
    }

    /// Ends a session permanently, on all nodes.
    pub(crate) async fn end(&self, session: &Session) {
        let identity = session.identity;
        self.mark_ended(&identity.nonce);
        let share = async {
            if let Some(sharing) = &self.sharing {
                sharing.send_end(&identity).await;
            }
        };
        tokio::join!(share, self.ended.save(identity));
    }

    /// Ends a session on this node.
    fn mark_ended(&self, nonce: &SessionNonce) {
        self.ended.insert(*nonce);
        if let Some(state) = self.states.get(nonce) {
            state.end();
        }
    }

    /// Updates the weight of a state in the cache after its subscriptions have changed.
    fn update_weight(&self, state: &Arc<SessionState>) {
        self.states.insert(state.identity.nonce, Arc::clone(state));
    }
}

impl ChangeListener for Sessions {
    fn changed(&self, change: &ChangeEvent) {
        match change {
            ChangeEvent::SessionEnded(session) => self.mark_ended(&session.nonce),
            ChangeEvent::Everything => self.ended.request_reload(),
            ChangeEvent::Server(_)
            | ChangeEvent::OwnerKeys(_)
            | ChangeEvent::GrantEnded(_)
            | ChangeEvent::EndedGrants => {}
        }
    }
}
