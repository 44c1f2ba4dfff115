//! Sessions of legacy clients. The id is self-contained and signed (client name, revision, server, time), so any node
//! can read it and none has to store it; it authenticates nobody. What changes during a session (its end, its log
//! level, its subscriptions) lives in a bounded map of this node until the id expires.

mod state;

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use toolgate_domain::ids::PublicId;
use toolgate_domain::time::Timestamp;

pub(crate) use state::{LogLevel, SessionState};

use crate::era::Revision;
use crate::jsonrpc::RpcError;
use crate::signing::Signer;

/// How long an id is good for.
const LIFETIME: Duration = Duration::from_hours(24);
/// Sessions with a state of their own on one node.
const STATES_MAX: u64 = 100_000;
/// Ids that need not be verified again, and for how long: a key that is taken off the keyring is to count soon.
const VERIFIED_MAX: u64 = 10_000;
const VERIFIED_FOR: Duration = Duration::from_mins(1);
/// As much of a client's name as an id carries, in bytes.
const NAME_MAX: usize = 64;
const NONCE_LENGTH: usize = 12;

type Nonce = [u8; NONCE_LENGTH];

/// A session whose id we made for this server, and which has not ended.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client_name: Option<String>,
    server: PublicId,
    issued: Timestamp,
    nonce: Nonce,
}

/// What a presented id is.
#[derive(Debug)]
pub(crate) enum Presented {
    /// None was presented.
    None,
    /// One of ours.
    Known(Arc<Session>),
    /// One of ours that was ended.
    Ended,
    /// Anything else: accepted, and trusted for nothing.
    Unknown,
}

/// The refusal of a session that has ended.
pub(crate) fn ended() -> RpcError {
    RpcError::http(StatusCode::NOT_FOUND, "This session has ended; initialize again")
}

/// The sessions of this node.
pub(crate) struct Sessions {
    signer: Arc<Signer>,
    states: moka::sync::Cache<Nonce, Arc<SessionState>>,
    /// By their ids: a client presents its own with every request.
    verified: moka::sync::Cache<Box<str>, Arc<Session>, ahash::RandomState>,
}

impl Sessions {
    pub(crate) fn new(signer: Arc<Signer>) -> Self {
        let states = moka::sync::Cache::builder().max_capacity(STATES_MAX).time_to_live(LIFETIME).build();
        let verified = moka::sync::Cache::builder().max_capacity(VERIFIED_MAX).time_to_live(VERIFIED_FOR);
        Self { signer, states, verified: verified.build_with_hasher(ahash::RandomState::new()) }
    }

    /// A fresh id; `None` when the system gives no randomness: sessions are optional.
    pub(crate) fn issue(
        &self,
        server: &PublicId,
        client_name: &str,
        revision: Revision,
        now: Timestamp,
    ) -> Option<String> {
        let mut nonce = Nonce::default();
        getrandom::fill(&mut nonce).ok()?;
        let mut payload = Vec::with_capacity(24 + NAME_MAX);
        payload.extend_from_slice(&now.as_millis().to_be_bytes());
        payload.extend_from_slice(&nonce);
        payload.extend_from_slice(revision.as_str().as_bytes());
        payload.extend_from_slice(head(client_name, NAME_MAX).as_bytes());
        Some(self.signer.seal(&[b"session", server.as_str().as_bytes()], &payload))
    }

    /// What a presented id is.
    pub(crate) fn read(&self, server: &PublicId, id: &str, now: Timestamp) -> Presented {
        let verified = self.verified.get(id).filter(|session| session.server == *server);
        let Some(session) = verified.or_else(|| self.verify(server, id)).filter(|session| session.is_young(now)) else {
            return Presented::Unknown;
        };
        match self.states.get(&session.nonce) {
            Some(state) if state.has_ended() => Presented::Ended,
            _ => Presented::Known(session),
        }
    }

    fn verify(&self, server: &PublicId, id: &str) -> Option<Arc<Session>> {
        let payload = self.signer.open(&[b"session", server.as_str().as_bytes()], id)?;
        let session = Arc::new(parse(&payload, server)?);
        self.verified.insert(id.into(), Arc::clone(&session));
        Some(session)
    }

    /// The state of a session, made where there is none yet.
    pub(crate) fn state(&self, session: &Session) -> Arc<SessionState> {
        self.states.get_with(session.nonce, Arc::default)
    }

    /// The log level of a session, where it set one.
    pub(crate) fn level(&self, session: &Session) -> Option<LogLevel> {
        self.states.get(&session.nonce)?.level()
    }
}

impl Session {
    /// A clock that was set back makes ids look young, not invalid.
    fn is_young(&self, now: Timestamp) -> bool {
        let age = now.as_millis().saturating_sub(self.issued.as_millis());
        u128::try_from(age).map_or(true, |age| age <= LIFETIME.as_millis())
    }
}

fn parse(payload: &[u8], server: &PublicId) -> Option<Session> {
    let (issued, rest) = payload.split_first_chunk::<8>()?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE_LENGTH>()?;
    let (revision, name) = rest.split_first_chunk::<10>()?;
    let name = std::str::from_utf8(name).ok()?;
    Some(Session {
        revision: Revision::parse(std::str::from_utf8(revision).ok()?)?,
        client_name: (!name.is_empty()).then(|| name.to_owned()),
        server: server.clone(),
        issued: Timestamp::from_millis(i64::from_be_bytes(*issued)),
        nonce: *nonce,
    })
}

/// The first bytes of a text, whole characters only.
fn head(text: &str, max: usize) -> &str {
    text.char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take_while(|end| *end <= max)
        .last()
        .and_then(|end| text.split_at_checked(end))
        .map_or("", |(head, _)| head)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    fn sessions() -> (Sessions, PublicId) {
        (Sessions::new(Arc::new(Signer::with(&[7]))), PublicId::from_random([1; 16]))
    }

    #[test]
    fn an_id_tells_client_and_revision_to_the_server_it_was_made_for() {
        let (sessions, server) = sessions();
        let name = "é".repeat(50);
        let id = sessions.issue(&server, &name, Revision::V2025_06_18, NOW).unwrap();
        let Presented::Known(session) = sessions.read(&server, &id, NOW) else { panic!() };
        assert_eq!(session.revision, Revision::V2025_06_18);
        assert_eq!(session.client_name.as_deref(), Some("é".repeat(32).as_str()));
        let other = PublicId::from_random([2; 16]);
        assert!(matches!(sessions.read(&other, &id, NOW), Presented::Unknown));
        let a_day_later = Timestamp::from_millis(NOW.as_millis() + 24 * 60 * 60 * 1000 + 1);
        assert!(matches!(sessions.read(&server, &id, a_day_later), Presented::Unknown));
        let a_day_earlier = NOW.plus_millis(-24 * 60 * 60 * 1000);
        assert!(matches!(sessions.read(&server, &id, a_day_earlier), Presented::Known(_)), "a clock set back");
        assert!(matches!(sessions.read(&server, "made-up", NOW), Presented::Unknown));
    }

    #[test]
    fn an_ended_session_stays_ended() {
        let (sessions, server) = sessions();
        let id = sessions.issue(&server, "c", Revision::V2025_11_25, NOW).unwrap();
        let Presented::Known(session) = sessions.read(&server, &id, NOW) else { panic!() };
        sessions.state(&session).end();
        assert!(matches!(sessions.read(&server, &id, NOW), Presented::Ended));
    }
}
