//! The mutable state of a session.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use toolgate_domain::closed_set;
use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;
use toolgate_execution::cluster::{SessionChange, SharedSession};

/// The most resources that one session may subscribe to.
const SUBSCRIPTIONS_MAX: usize = 1000;
/// The most changed subscriptions that wait to be shared. Further ones are not shared.
const UNSENT_MAX: usize = 2 * SUBSCRIPTIONS_MAX;
/// The memory of a session without its subscriptions, in bytes, roughly.
const STATE_BYTES: usize = 512;
/// The memory of a subscription without its URI, in bytes, roughly.
const SUBSCRIPTION_BYTES: usize = 64;

closed_set! {
    /// Severity of log messages, from the least to the most severe.
    #[derive(PartialOrd, Ord)]
    pub(crate) enum LogLevel {
        Debug = "debug",
        Info = "info",
        Notice = "notice",
        Warning = "warning",
        Error = "error",
        Critical = "critical",
        Alert = "alert",
        Emergency = "emergency",
    }
}

/// The mutable state of a session; see [`super::Sessions`].
#[derive(Debug)]
pub(crate) struct SessionState {
    pub(super) identity: SessionIdentity,
    data: Mutex<SessionData>,
}

#[derive(Debug, Default)]
struct SessionData {
    ended: bool,
    level: Option<LogLevel>,
    subscriptions: BTreeSet<String>,
    stream: Option<OpenStream>,
    /// The greatest known number of a stream, on this node or another.
    newest_stream: u64,
    /// The subscription to events during which the state was read from the cluster; 0 if it must be read.
    epoch: u64,
    /// The number of the shared state that this state was last equal to.
    number: Option<u64>,
    /// Whether another node has changed the state since it was last read.
    is_outdated: bool,
    /// Counts the changes of this node.
    version: u64,
    /// Counts the changes of other nodes that are known but not read.
    stale_count: u64,
    unsent: UnsentChanges,
}

/// The stream that this node has open.
#[derive(Debug)]
struct OpenStream {
    number: u64,
    /// Cancelled when the stream must end.
    ended: CancellationToken,
}

/// The changes that are not in the cluster yet.
#[derive(Clone, Debug, Default)]
struct UnsentChanges {
    has_level: bool,
    /// URIs that were subscribed to or unsubscribed from.
    uris: BTreeSet<String>,
}

/// The number of changes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateRevision {
    version: u64,
    stale_count: u64,
}

/// Whether a state can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateStatus {
    Ended,
    Current,
    /// It must be read from the cluster.
    Stale,
}

impl SessionState {
    /// An empty state that is current during this epoch.
    pub(super) fn new(identity: SessionIdentity, epoch: u64) -> Self {
        Self { identity, data: Mutex::new(SessionData { epoch, ..SessionData::default() }) }
    }

    fn lock(&self) -> MutexGuard<'_, SessionData> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its memory in bytes, roughly.
    pub(super) fn weight(&self) -> u32 {
        let data = self.lock();
        let uris = data.subscriptions.iter().chain(&data.unsent.uris);
        let bytes: usize = uris.map(|uri| uri.len() + SUBSCRIPTION_BYTES).sum();
        u32::try_from(STATE_BYTES + bytes).unwrap_or(u32::MAX)
    }

    /// Ends the session, and the stream it may have open.
    pub(super) fn end(&self) {
        let mut data = self.lock();
        data.ended = true;
        data.level = None;
        data.subscriptions.clear();
        data.unsent = UnsentChanges::default();
        if let Some(stream) = data.stream.take() {
            stream.ended.cancel();
        }
    }

    /// The status in this epoch; 0 if no events arrive.
    pub(super) fn status(&self, epoch: u64) -> StateStatus {
        let data = self.lock();
        match data.epoch {
            _ if data.ended => StateStatus::Ended,
            read_in if read_in == epoch && epoch != 0 => StateStatus::Current,
            _ => StateStatus::Stale,
        }
    }

    /// Requires that the state is read from the cluster before its next use.
    pub(super) fn mark_stale(&self) {
        let mut data = self.lock();
        data.epoch = 0;
        data.is_outdated = true;
        data.stale_count += 1;
    }

    pub(super) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    pub(super) fn set_level(&self, level: LogLevel) {
        let mut data = self.lock();
        data.level = Some(level);
        data.unsent.has_level = true;
        data.version += 1;
    }

    pub(super) fn level(&self) -> Option<LogLevel> {
        self.lock().level
    }

    /// Subscribes to a resource; `false` if the session has too many subscriptions.
    pub(super) fn subscribe(&self, uri: &str) -> bool {
        let mut data = self.lock();
        if data.subscriptions.len() >= SUBSCRIPTIONS_MAX && !data.subscriptions.contains(uri) {
            return false;
        }
        data.subscriptions.insert(uri.to_owned());
        data.record_unsent(uri);
        true
    }

    pub(super) fn unsubscribe(&self, uri: &str) {
        let mut data = self.lock();
        data.subscriptions.remove(uri);
        data.record_unsent(uri);
    }

    pub(super) fn resource_subscriptions(&self) -> Vec<String> {
        self.lock().subscriptions.iter().cloned().collect()
    }

    /// Opens a stream of the session and ends an older one, because a message must be sent on one stream only. `number`
    /// comes from the cluster; without it, the stream becomes the newest one. Returns its number, and a token that is
    /// cancelled when it must end; `None` if the session has ended.
    pub(super) fn open_stream(&self, number: Option<u64>) -> Option<(u64, CancellationToken)> {
        let mut data = self.lock();
        if data.ended {
            return None;
        }
        let (number, ended) = (number.unwrap_or(data.newest_stream.saturating_add(1)), CancellationToken::new());
        data.close_streams_before(number);
        if number < data.newest_stream {
            // A newer stream was opened while this one got its number.
            ended.cancel();
        } else {
            data.stream = Some(OpenStream { number, ended: ended.clone() });
        }
        Some((number, ended))
    }

    /// Ends the stream if it is older than the one with this number.
    pub(super) fn close_streams_before(&self, number: u64) {
        self.lock().close_streams_before(number);
    }

    /// Records that the stream with this number is no longer open.
    pub(super) fn remove_stream(&self, number: u64) {
        self.lock().stream.take_if(|stream| stream.number == number);
    }

    /// Whether it must be equal to the shared state even without a request: it has a stream, or content that Redis may
    /// have lost or does not have yet.
    pub(super) fn is_in_use(&self, now: Timestamp) -> bool {
        let data = self.lock();
        let has_content = data.level.is_some() || !data.subscriptions.is_empty();
        let has_unsent = data.unsent.has_level || !data.unsent.uris.is_empty();
        // Another node has newer content than an outdated state.
        let is_needed = data.stream.is_some() || has_unsent || (has_content && !data.is_outdated);
        is_needed && self.identity.expires_at > now
    }

    /// Whether this node has a stream open.
    pub(super) fn has_stream(&self) -> bool {
        self.lock().stream.is_some()
    }

    /// The number of changes so far, for [`SessionState::apply`].
    pub(super) fn revision(&self) -> StateRevision {
        self.lock().revision()
    }

    /// Applies the shared state, which was read in this epoch. Changes of this node that are not in the cluster yet
    /// stay. Returns false, without applying it, if a node has changed the state since `revision`: it may have been
    /// read before.
    pub(super) fn apply(&self, shared: SharedSession, epoch: u64, revision: StateRevision) -> bool {
        let mut data = self.lock();
        // A plain reference, because two fields are borrowed below.
        let data = &mut *data;
        data.close_streams_before(shared.newest_stream);
        if data.revision() != revision {
            return false;
        }
        if data.is_outdated && !shared.is_stored {
            // Redis has lost the state. A node with a newer one shares it again; until then this one is used.
            return true;
        }
        let number = shared.number;
        // Also if this state is outdated: the node that stored the other one may not have known this one.
        if !shared.is_stored || is_other_state(data.number, number) {
            data.share_again(&shared);
        }
        data.replace(shared);
        data.epoch = epoch;
        data.number = number;
        data.is_outdated = false;
        true
    }

    /// The changes that are not in the cluster yet, and the version for [`SessionState::mark_sent`].
    pub(super) fn unsent(&self) -> (Vec<SessionChange>, u64) {
        let data = self.lock();
        let level = data.level.filter(|_| data.unsent.has_level).map(|level| SessionChange::Level(level.as_str()));
        let change = |uri: &String| {
            let is_subscribed = data.subscriptions.contains(uri);
            if is_subscribed { SessionChange::Subscribe(uri.clone()) } else { SessionChange::Unsubscribe(uri.clone()) }
        };
        (level.into_iter().chain(data.unsent.uris.iter().map(change)).collect(), data.version)
    }

    /// Records that the changes up to this version are in the cluster, in the shared state with this number. Returns
    /// false if the rest of this state is not there, because Redis has lost it: the next read shares it again.
    pub(super) fn mark_sent(&self, version: u64, number: Option<u64>) -> bool {
        let mut data = self.lock();
        if data.version == version {
            data.unsent = UnsentChanges::default();
        }
        if is_other_state(data.number, number) {
            data.epoch = 0;
            return false;
        }
        data.number = data.number.or(number);
        true
    }
}

/// Whether two numbers are those of different shared states: Redis has lost the first one.
fn is_other_state(known: Option<u64>, stored: Option<u64>) -> bool {
    matches!((known, stored), (Some(known), Some(stored)) if known != stored)
}

impl SessionData {
    fn revision(&self) -> StateRevision {
        StateRevision { version: self.version, stale_count: self.stale_count }
    }

    fn close_streams_before(&mut self, number: u64) {
        self.newest_stream = self.newest_stream.max(number);
        if let Some(stream) = self.stream.take_if(|stream| stream.number < number) {
            stream.ended.cancel();
        }
    }

    fn record_unsent(&mut self, uri: &str) {
        self.version += 1;
        if self.unsent.uris.len() < UNSENT_MAX {
            self.unsent.uris.insert(uri.to_owned());
        }
    }

    /// Marks what the shared state lacks as unsent. A shared level is newer.
    fn share_again(&mut self, shared: &SharedSession) {
        self.unsent.has_level |= self.level.is_some() && shared.level.is_none();
        let shared_uris: BTreeSet<&String> = shared.subscriptions.iter().collect();
        let missing = self.subscriptions.iter().filter(|uri| !shared_uris.contains(uri));
        self.unsent.uris.extend(missing.cloned());
        // Changes that are being sent do not include these.
        self.version += 1;
    }

    fn replace(&mut self, shared: SharedSession) {
        if !self.unsent.has_level {
            self.level = shared.level.as_deref().and_then(LogLevel::parse);
        }
        let unsent = &self.unsent.uris;
        let own = self.subscriptions.iter().filter(|uri| unsent.contains(*uri)).cloned();
        let others = shared.subscriptions.into_iter().filter(|uri| !unsent.contains(uri));
        self.subscriptions = own.chain(others).take(SUBSCRIPTIONS_MAX).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1);

    fn state() -> SessionState {
        SessionState::new(SessionIdentity { nonce: [1; 12], expires_at: Timestamp::from_millis(2) }, 1)
    }

    fn shared(uris: &[&str]) -> SharedSession {
        let subscriptions = uris.iter().map(|uri| (*uri).to_owned()).collect();
        SharedSession {
            is_stored: true,
            number: Some(1),
            has_ended: false,
            level: Some("error".to_owned()),
            subscriptions,
            newest_stream: 0,
        }
    }

    #[test]
    fn shared_state_replaces_all_but_the_changes_that_are_not_shared_yet() {
        let state = state();
        state.subscribe("a");
        state.subscribe("b");
        state.mark_sent(state.unsent().1, Some(1));
        state.subscribe("c");
        state.unsubscribe("d");
        assert!(state.apply(shared(&["b", "d", "e"]), 2, state.revision()));
        assert_eq!(state.resource_subscriptions(), ["b", "c", "e"]);
        assert_eq!(state.level(), Some(LogLevel::Error));
        let unsent = [SessionChange::Subscribe("c".to_owned()), SessionChange::Unsubscribe("d".to_owned())];
        assert_eq!(state.unsent().0, unsent);
        state.set_level(LogLevel::Debug);
        assert!(state.apply(shared(&[]), 2, state.revision()));
        assert_eq!(state.level(), Some(LogLevel::Debug));
    }

    #[test]
    fn state_that_redis_has_lost_is_shared_again() {
        let state = state();
        state.subscribe("a");
        state.set_level(LogLevel::Info);
        state.mark_sent(state.unsent().1, Some(1));
        assert!(state.unsent().0.is_empty());
        assert!(state.apply(SharedSession::default(), 2, state.revision()));
        assert_eq!(state.unsent().0, [SessionChange::Level("info"), SessionChange::Subscribe("a".to_owned())]);
    }

    #[test]
    fn state_that_another_node_stored_after_redis_had_lost_it_is_combined_with_that_of_this_node() {
        let state = state();
        state.subscribe("a");
        state.set_level(LogLevel::Info);
        state.mark_sent(state.unsent().1, Some(1));
        let stored_later = SharedSession { number: Some(2), level: None, ..shared(&["b"]) };
        assert!(state.apply(stored_later, 2, state.revision()));
        assert_eq!(
            (state.resource_subscriptions(), state.level()),
            (vec!["a".into(), "b".into()], Some(LogLevel::Info))
        );
        let (unsent, version) = state.unsent();
        assert_eq!(unsent, [SessionChange::Level("info"), SessionChange::Subscribe("a".to_owned())]);
        state.mark_sent(version, Some(2));
        let changed_later = SharedSession { number: Some(2), ..shared(&["b"]) };
        assert!(state.apply(changed_later, 2, state.revision()));
        assert_eq!((state.resource_subscriptions(), state.level()), (vec!["b".into()], Some(LogLevel::Error)));
        assert!(state.unsent().0.is_empty());
    }

    #[test]
    fn an_outdated_state_is_not_shared_while_redis_has_none() {
        let state = state();
        state.subscribe("a");
        state.set_level(LogLevel::Info);
        state.mark_sent(state.unsent().1, Some(1));
        assert!(state.is_in_use(NOW));
        state.mark_stale();
        assert!(!state.is_in_use(NOW));
        assert!(state.apply(SharedSession::default(), 1, state.revision()));
        assert_eq!((state.unsent().0, state.level()), (vec![], Some(LogLevel::Info)), "it is used but not shared");
        assert_eq!(state.status(1), StateStatus::Stale);
        let stored_later = SharedSession { number: Some(2), ..shared(&["b"]) };
        assert!(state.apply(stored_later, 1, state.revision()));
        assert_eq!(
            (state.resource_subscriptions(), state.level(), state.status(1)),
            (vec!["a".into(), "b".into()], Some(LogLevel::Error), StateStatus::Current)
        );
        let (unsent, version) = state.unsent();
        assert_eq!(unsent, [SessionChange::Subscribe("a".to_owned())]);
        state.mark_sent(version, Some(2));
        assert!(state.is_in_use(NOW), "it is no longer outdated");
    }

    #[test]
    fn a_change_that_finds_another_state_in_redis_makes_the_node_share_the_rest() {
        let state = state();
        state.subscribe("a");
        assert!(state.mark_sent(state.unsent().1, Some(1)));
        state.subscribe("b");
        assert!(!state.mark_sent(state.unsent().1, Some(2)));
        assert_eq!(state.status(1), StateStatus::Stale);
        let stored = SharedSession { number: Some(2), level: None, ..shared(&["b"]) };
        assert!(state.apply(stored, 1, state.revision()));
        assert_eq!(state.unsent().0, [SessionChange::Subscribe("a".to_owned())], "Redis has b already");
    }

    #[test]
    fn what_is_shared_again_is_not_part_of_changes_that_are_being_sent() {
        let state = state();
        state.subscribe("a");
        state.mark_sent(state.unsent().1, Some(1));
        state.subscribe("b");
        let (_, sent_version) = state.unsent();
        assert!(state.apply(SharedSession::default(), 1, state.revision()));
        state.mark_sent(sent_version, Some(2));
        let unsent = ["a", "b"].map(|uri| SessionChange::Subscribe(uri.to_owned()));
        assert_eq!(state.unsent().0, unsent);
    }

    #[test]
    fn states_of_expired_and_ended_sessions_are_not_in_use() {
        let state = state();
        state.set_level(LogLevel::Info);
        state.mark_sent(state.unsent().1, Some(1));
        assert!(state.is_in_use(NOW) && !state.is_in_use(state.identity.expires_at));
        state.end();
        assert!(!state.is_in_use(NOW));
    }

    #[test]
    fn shared_state_that_is_older_than_a_change_is_not_applied() {
        let state = state();
        let (revision, (_, version)) = (state.revision(), state.unsent());
        state.subscribe("a");
        assert!(!state.apply(shared(&[]), 2, revision));
        assert_eq!(state.resource_subscriptions(), ["a"]);
        state.mark_sent(version, Some(1));
        assert_eq!(state.unsent().0.len(), 1, "a later change is not in the cluster");
        let revision = state.revision();
        state.mark_stale();
        assert!(!state.apply(shared(&[]), 2, revision), "another node has changed it in the meantime");
    }

    #[test]
    fn a_state_is_current_only_while_events_arrive() {
        let state = state();
        assert_eq!(
            (state.status(1), state.status(2), state.status(0)),
            (StateStatus::Current, StateStatus::Stale, StateStatus::Stale)
        );
        state.mark_stale();
        assert_eq!((state.status(1), state.status(0)), (StateStatus::Stale, StateStatus::Stale));
        state.end();
        assert_eq!(state.status(1), StateStatus::Ended);
    }

    #[test]
    fn subscriptions_of_a_session_are_limited() {
        let state = state();
        assert!((0..SUBSCRIPTIONS_MAX).all(|number| state.subscribe(&number.to_string())));
        assert!(!state.subscribe("one more") && state.subscribe("0"));
        assert!(state.weight() > 64_000);
    }
}
