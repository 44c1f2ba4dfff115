//! Session ids: self-contained and signed (client name, revision, server, time), so that any node can read them and
//! none has to store them.

use std::sync::Arc;
use std::time::Duration;

use toolgate_domain::call::CallerIdentity;
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

/// Who may use a session. One of a signed-in person is of no use to others who learn its id; a client may use several
/// keys in one session.
#[derive(Debug)]
pub(crate) struct SessionScope<'a> {
    pub(crate) server: &'a PublicId,
    /// `None` for callers who are not signed in.
    pub(crate) person: Option<CallerIdentity>,
}

impl SessionScope<'_> {
    fn sign<T>(&self, sign: impl FnOnce(&[&[u8]]) -> T) -> T {
        let (purpose, server) = (b"session".as_slice(), self.server.as_str().as_bytes());
        match &self.person {
            None => sign(&[purpose, server]),
            Some(person) => sign(&[purpose, server, person.to_string().as_bytes()]),
        }
    }
}

/// A session whose id was issued for this scope.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client_name: Option<String>,
    server: PublicId,
    person: Option<CallerIdentity>,
    issued_at: Timestamp,
    pub(super) identity: SessionIdentity,
}

impl Session {
    fn is_of(&self, scope: &SessionScope<'_>) -> bool {
        self.server == *scope.server && self.person == scope.person
    }

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
        scope: &SessionScope<'_>,
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
        let id = scope.sign(|context| self.signer.seal(context, &payload));
        Some((id, SessionIdentity { nonce, expires_at: expiry(now) }))
    }

    /// The session of an id that was issued for this scope and has not expired.
    pub(super) fn read(&self, scope: &SessionScope<'_>, id: &str, now: Timestamp) -> Option<Arc<Session>> {
        let verified = self.verified.get(id).filter(|session| session.is_of(scope));
        verified.or_else(|| self.verify(scope, id)).filter(|session| session.is_current(now))
    }

    fn verify(&self, scope: &SessionScope<'_>, id: &str) -> Option<Arc<Session>> {
        let payload = scope.sign(|context| self.signer.open(context, id))?;
        let session = Arc::new(parse_payload(&payload, scope)?);
        self.verified.insert(id.into(), Arc::clone(&session));
        Some(session)
    }
}

/// When an id that was issued at this time expires.
fn expiry(issued_at: Timestamp) -> Timestamp {
    issued_at.plus_millis(i64::try_from(SESSION_TTL.as_millis()).unwrap_or(i64::MAX))
}

fn parse_payload(payload: &[u8], scope: &SessionScope<'_>) -> Option<Session> {
    let (issued_at, rest) = payload.split_first_chunk::<8>()?;
    let (nonce, rest) = rest.split_first_chunk::<SESSION_NONCE_LENGTH>()?;
    let (revision, name) = rest.split_first_chunk::<REVISION_LENGTH>()?;
    let name = std::str::from_utf8(name).ok()?;
    let issued_at = Timestamp::from_millis(i64::from_be_bytes(*issued_at));
    Some(Session {
        revision: Revision::parse(std::str::from_utf8(revision).ok()?)?,
        client_name: (!name.is_empty()).then(|| name.to_owned()),
        server: scope.server.clone(),
        person: scope.person.clone(),
        issued_at,
        identity: SessionIdentity { nonce: *nonce, expires_at: expiry(issued_at) },
    })
}

#[cfg(test)]
mod tests {
    use toolgate_domain::ids::UserId;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    #[test]
    fn an_id_holds_client_and_revision_for_the_server_that_issued_it() {
        let ids = SessionIds::new(Arc::new(Signer::with_keys(&[7])));
        let server = PublicId::from_random([1; 16]);
        let server = SessionScope { server: &server, person: None };
        let (id, identity) = ids.issue(&server, &"é".repeat(50), Revision::V2025_06_18, NOW).unwrap();
        let session = ids.read(&server, &id, NOW).unwrap();
        assert_eq!(session.revision, Revision::V2025_06_18);
        assert_eq!(session.client_name.as_deref(), Some("é".repeat(32).as_str()));
        let day_ms = 24 * 60 * 60 * 1000;
        assert_eq!((session.identity, identity.expires_at), (identity, NOW.plus_millis(day_ms)));
        let other = SessionScope { server: &PublicId::from_random([2; 16]), person: None };
        assert!(ids.read(&other, &id, NOW).is_none());
        assert!(ids.read(&server, &id, NOW.plus_millis(day_ms + 1)).is_none());
        assert!(
            ids.read(&server, &id, NOW.plus_millis(-day_ms)).is_some(),
            "ids stay valid after the clock is set back"
        );
        assert!(ids.read(&server, "made-up", NOW).is_none());
    }

    #[test]
    fn an_id_of_a_person_is_unknown_to_all_others() {
        let ids = SessionIds::new(Arc::new(Signer::with_keys(&[7])));
        let server = PublicId::from_random([1; 16]);
        let people = [Some(UserId(1)), Some(UserId(2)), None].map(|person| person.map(CallerIdentity::User));
        let scope_of = |person: &Option<CallerIdentity>| SessionScope { server: &server, person: person.clone() };
        for owner in &people {
            let (id, _) = ids.issue(&scope_of(owner), "a", Revision::V2025_06_18, NOW).unwrap();
            // The second time, the id is in the cache of verified ids.
            for _ in 0..2 {
                let readers = people.iter().filter(|person| ids.read(&scope_of(person), &id, NOW).is_some());
                assert_eq!(readers.collect::<Vec<_>>(), [owner]);
            }
        }
    }
}
