//! Sessions of legacy clients. The id is self-contained and signed (client name, revision, server, time), so any node
//! can read it and none has to store it. An id does not authenticate its sender. Mutable state (end, log
//! level, subscriptions) is held in a bounded map of this node until the id expires.

pub(crate) mod state;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::StatusCode;
use toolgate_domain::ids::PublicId;
use toolgate_domain::time::Timestamp;

use crate::era::Revision;
use crate::jsonrpc::error::RpcError;
use crate::signing::Signer;
use state::{LogLevel, SessionState};

/// How long an id is valid.
const SESSION_TTL: Duration = Duration::from_hours(24);
/// The most sessions with mutable state on one node.
const STATES_MAX: u64 = 100_000;
/// The most ids in the cache of verified ids.
const VERIFIED_MAX: u64 = 10_000;
/// The TTL of a verified id. It is short, so that removing a key from the keyring takes effect soon.
const VERIFIED_TTL: Duration = Duration::from_mins(1);
/// The most bytes of the client name in an id.
const NAME_MAX: usize = 64;
const NONCE_LENGTH: usize = 12;
/// The length of a revision in an id, such as `2025-11-25`.
const REVISION_LENGTH: usize = 10;

type Nonce = [u8; NONCE_LENGTH];

/// A session whose id was issued for this server, and which has not ended.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client_name: Option<String>,
    server: PublicId,
    issued_at: Timestamp,
    nonce: Nonce,
}

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
    signer: Arc<Signer>,
    states: moka::sync::Cache<Nonce, Arc<SessionState>>,
    /// Verified sessions by id, because a client sends its id with every request.
    verified: moka::sync::Cache<Box<str>, Arc<Session>, ahash::RandomState>,
    /// Ids that were issued since the start of the process.
    issued: AtomicU64,
}

impl Sessions {
    pub(crate) fn new(signer: Arc<Signer>) -> Self {
        let states = moka::sync::Cache::builder().max_capacity(STATES_MAX).time_to_live(SESSION_TTL).build();
        let verified = moka::sync::Cache::builder().max_capacity(VERIFIED_MAX).time_to_live(VERIFIED_TTL);
        let verified = verified.build_with_hasher(ahash::RandomState::new());
        Self { signer, states, verified, issued: AtomicU64::new(0) }
    }

    /// Issues an id; `None` if the system has no randomness, because sessions are optional.
    pub(crate) fn issue(
        &self,
        server: &PublicId,
        client_name: &str,
        revision: Revision,
        now: Timestamp,
    ) -> Option<String> {
        let mut nonce = Nonce::default();
        getrandom::fill(&mut nonce).ok()?;
        self.issued.fetch_add(1, Ordering::Relaxed);
        let mut payload = Vec::with_capacity(size_of::<i64>() + NONCE_LENGTH + REVISION_LENGTH + NAME_MAX);
        payload.extend_from_slice(&now.as_millis().to_be_bytes());
        payload.extend_from_slice(&nonce);
        payload.extend_from_slice(revision.as_str().as_bytes());
        payload.extend_from_slice(client_name.split_at(client_name.floor_char_boundary(NAME_MAX)).0.as_bytes());
        Some(self.signer.seal(&[b"session", server.as_str().as_bytes()], &payload))
    }

    /// Reads a presented id.
    pub(crate) fn read(&self, server: &PublicId, id: &str, now: Timestamp) -> PresentedSession {
        let verified = self.verified.get(id).filter(|session| session.server == *server);
        let Some(session) = verified.or_else(|| self.verify(server, id)).filter(|session| session.is_current(now))
        else {
            return PresentedSession::Unknown;
        };
        match self.states.get(&session.nonce) {
            Some(state) if state.has_ended() => PresentedSession::Ended,
            _ => PresentedSession::Known(session),
        }
    }

    fn verify(&self, server: &PublicId, id: &str) -> Option<Arc<Session>> {
        let payload = self.signer.open(&[b"session", server.as_str().as_bytes()], id)?;
        let session = Arc::new(parse_payload(&payload, server)?);
        self.verified.insert(id.into(), Arc::clone(&session));
        Some(session)
    }

    /// The state of a session, created on first use.
    pub(crate) fn state(&self, session: &Session) -> Arc<SessionState> {
        self.states.get_with(session.nonce, Arc::default)
    }

    /// Sessions that were begun on this node since the start of the process.
    pub(crate) fn issued(&self) -> u64 {
        self.issued.load(Ordering::Relaxed)
    }

    /// The number of sessions with mutable state. It can be some requests behind.
    pub(crate) fn state_count(&self) -> u64 {
        self.states.entry_count()
    }

    /// The log level of a session, if set.
    pub(crate) fn level(&self, session: &Session) -> Option<LogLevel> {
        self.states.get(&session.nonce)?.level()
    }
}

impl Session {
    /// Whether the id has not expired. After the clock is set back, ids stay valid.
    fn is_current(&self, now: Timestamp) -> bool {
        let age = now.as_millis().saturating_sub(self.issued_at.as_millis());
        u128::try_from(age).map_or(true, |age| age <= SESSION_TTL.as_millis())
    }
}

fn parse_payload(payload: &[u8], server: &PublicId) -> Option<Session> {
    let (issued_at, rest) = payload.split_first_chunk::<8>()?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE_LENGTH>()?;
    let (revision, name) = rest.split_first_chunk::<REVISION_LENGTH>()?;
    let name = std::str::from_utf8(name).ok()?;
    Some(Session {
        revision: Revision::parse(std::str::from_utf8(revision).ok()?)?,
        client_name: (!name.is_empty()).then(|| name.to_owned()),
        server: server.clone(),
        issued_at: Timestamp::from_millis(i64::from_be_bytes(*issued_at)),
        nonce: *nonce,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn sessions() -> (Sessions, PublicId) {
        (Sessions::new(Arc::new(Signer::with_keys(&[7]))), PublicId::from_random([1; 16]))
    }

    #[test]
    fn an_id_holds_client_and_revision_for_the_server_that_issued_it() {
        let (sessions, server) = sessions();
        let name = "é".repeat(50);
        let id = sessions.issue(&server, &name, Revision::V2025_06_18, NOW).unwrap();
        let PresentedSession::Known(session) = sessions.read(&server, &id, NOW) else { panic!() };
        assert_eq!(session.revision, Revision::V2025_06_18);
        assert_eq!(session.client_name.as_deref(), Some("é".repeat(32).as_str()));
        let other = PublicId::from_random([2; 16]);
        assert!(matches!(sessions.read(&other, &id, NOW), PresentedSession::Unknown));
        let a_day_later = Timestamp::from_millis(NOW.as_millis() + 24 * 60 * 60 * 1000 + 1);
        assert!(matches!(sessions.read(&server, &id, a_day_later), PresentedSession::Unknown));
        let a_day_earlier = NOW.plus_millis(-24 * 60 * 60 * 1000);
        assert!(
            matches!(sessions.read(&server, &id, a_day_earlier), PresentedSession::Known(_)),
            "ids stay valid after the clock is set back"
        );
        assert!(matches!(sessions.read(&server, "made-up", NOW), PresentedSession::Unknown));
    }

    #[test]
    fn an_ended_session_stays_ended() {
        let (sessions, server) = sessions();
        let id = sessions.issue(&server, "c", Revision::V2025_11_25, NOW).unwrap();
        let PresentedSession::Known(session) = sessions.read(&server, &id, NOW) else { panic!() };
        sessions.state(&session).end();
        assert!(matches!(sessions.read(&server, &id, NOW), PresentedSession::Ended));
    }
}
