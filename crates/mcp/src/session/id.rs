//! Session ids: self-contained and signed (client name, revision, server, time), so that any node can read them and
//! none has to store them.

use std::sync::Arc;
use std::time::Duration;

use toolgate_domain::ids::PublicId;
use toolgate_domain::session::{SESSION_NONCE_LENGTH, SessionIdentity, SessionNonce};
use toolgate_domain::time::Timestamp;

use crate::era::Revision;
use crate::signing::Signer;

/// How long an id is valid.
pub(super) const SESSION_TTL: Duration = Duration::from_hours(24);
/// The most ids in the cache of verified ids.
const VERIFIED_MAX: u64 = 10_000;
/// The TTL of a verified id. It is short, so that removing a key from the keyring takes effect soon.
const VERIFIED_TTL: Duration = Duration::from_mins(1);
/// The most bytes of the client name in an id.
const NAME_MAX: usize = 64;
/// The length of a revision in an id, such as `2025-11-25`.
const REVISION_LENGTH: usize = 10;

/// A session whose id was issued for this server.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client_name: Option<String>,
    server: PublicId,
    issued_at: Timestamp,
    pub(super) identity: SessionIdentity,
}

impl Session {
    /// Whether the id has not expired. After the clock is set back, ids stay valid.
    fn is_current(&self, now: Timestamp) -> bool {
        let age = now.as_millis().saturating_sub(self.issued_at.as_millis());
        u128::try_from(age).map_or(true, |age| age <= SESSION_TTL.as_millis())
    }
}

/// Issues and reads session ids.
pub(super) struct SessionIds {
    signer: Arc<Signer>,
    /// Verified sessions by id, because a client sends its id with every request.
    verified: moka::sync::Cache<Box<str>, Arc<Session>, ahash::RandomState>,
}

impl SessionIds {
    pub(super) fn new(signer: Arc<Signer>) -> Self {
        let verified = moka::sync::Cache::builder().max_capacity(VERIFIED_MAX).time_to_live(VERIFIED_TTL);
        Self { signer, verified: verified.build_with_hasher(ahash::RandomState::new()) }
    }

    /// Issues an id; `None` if the system returns no random bytes.
    pub(super) fn issue(
        &self,
        server: &PublicId,
        client_name: &str,
        revision: Revision,
        now: Timestamp,
    ) -> Option<(String, SessionIdentity)> {
        let mut nonce = SessionNonce::default();
        getrandom::fill(&mut nonce).ok()?;
        let mut payload = Vec::with_capacity(size_of::<i64>() + SESSION_NONCE_LENGTH + REVISION_LENGTH + NAME_MAX);
        payload.extend_from_slice(&now.as_millis().to_be_bytes());
        payload.extend_from_slice(&nonce);
        payload.extend_from_slice(revision.as_str().as_bytes());
        payload.extend_from_slice(client_name.split_at(client_name.floor_char_boundary(NAME_MAX)).0.as_bytes());
        let id = self.signer.seal(&[b"session", server.as_str().as_bytes()], &payload);
        Some((id, SessionIdentity { nonce, expires_at: expiry(now) }))
    }

    /// The session of an id that was issued for this server and has not expired.
    pub(super) fn read(&self, server: &PublicId, id: &str, now: Timestamp) -> Option<Arc<Session>> {
        let verified = self.verified.get(id).filter(|session| session.server == *server);
        verified.or_else(|| self.verify(server, id)).filter(|session| session.is_current(now))
    }

    fn verify(&self, server: &PublicId, id: &str) -> Option<Arc<Session>> {
        let payload = self.signer.open(&[b"session", server.as_str().as_bytes()], id)?;
        let session = Arc::new(parse_payload(&payload, server)?);
        self.verified.insert(id.into(), Arc::clone(&session));
        Some(session)
    }
}

/// When an id that was issued at this time expires.
fn expiry(issued_at: Timestamp) -> Timestamp {
    issued_at.plus_millis(i64::try_from(SESSION_TTL.as_millis()).unwrap_or(i64::MAX))
}

fn parse_payload(payload: &[u8], server: &PublicId) -> Option<Session> {
    let (issued_at, rest) = payload.split_first_chunk::<8>()?;
    let (nonce, rest) = rest.split_first_chunk::<SESSION_NONCE_LENGTH>()?;
    let (revision, name) = rest.split_first_chunk::<REVISION_LENGTH>()?;
    let name = std::str::from_utf8(name).ok()?;
    let issued_at = Timestamp::from_millis(i64::from_be_bytes(*issued_at));
    Some(Session {
        revision: Revision::parse(std::str::from_utf8(revision).ok()?)?,
        client_name: (!name.is_empty()).then(|| name.to_owned()),
        server: server.clone(),
        issued_at,
        identity: SessionIdentity { nonce: *nonce, expires_at: expiry(issued_at) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    #[test]
    fn an_id_holds_client_and_revision_for_the_server_that_issued_it() {
        let ids = SessionIds::new(Arc::new(Signer::with_keys(&[7])));
        let server = PublicId::from_random([1; 16]);
        let (id, identity) = ids.issue(&server, &"é".repeat(50), Revision::V2025_06_18, NOW).unwrap();
        let session = ids.read(&server, &id, NOW).unwrap();
        assert_eq!(session.revision, Revision::V2025_06_18);
        assert_eq!(session.client_name.as_deref(), Some("é".repeat(32).as_str()));
        let day_ms = 24 * 60 * 60 * 1000;
        assert_eq!((session.identity, identity.expires_at), (identity, NOW.plus_millis(day_ms)));
        let other = PublicId::from_random([2; 16]);
        assert!(ids.read(&other, &id, NOW).is_none());
        assert!(ids.read(&server, &id, NOW.plus_millis(day_ms + 1)).is_none());
        assert!(
            ids.read(&server, &id, NOW.plus_millis(-day_ms)).is_some(),
            "ids stay valid after the clock is set back"
        );
        assert!(ids.read(&server, "made-up", NOW).is_none());
    }
}
