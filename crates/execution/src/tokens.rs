//! Access tokens for upstreams that want OAuth 2 client credentials (RFC 6749, 4.4): fetched when first needed, kept
//! until shortly before they expire, and fetched once however many calls wait for one.
//!
//! How a request is sent is the caller's business: this file decides when to ask, `exchange` what to ask and what
//! the answer means.

mod exchange;
mod reply;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::time::{Instant, timeout};
use toolgate_domain::call::FailureReason;

use crate::Failure;
use crate::egress::{OutboundRequest, UpstreamResponse};
use crate::flight::{Fingerprint, Flights};
use reply::Token;

/// More clients than this are not remembered at once; whoever is forgotten has its token fetched again.
const MOST_KEPT: usize = 10_000;

/// How long a token is used whose issuer does not say how long it lives.
const UNTOLD_LIFE: Duration = Duration::from_mins(5);

/// No token is used for longer, whatever its issuer says.
const LONGEST_LIFE: Duration = Duration::from_hours(24);

/// A token is given up this long before its end, or a tenth of its life if that is longer: the call it is fetched
/// for may wait in a queue, and clocks differ.
const SHORTEST_MARGIN: Duration = Duration::from_secs(30);

/// How long fetching a token may take, both forms of the request together. This is not the time of the call that asks
/// first: others wait for the same token, and may have more.
pub const FETCH_MAX: Duration = Duration::from_secs(10);

/// A client of a token endpoint, as in a tool's `auth_credentials`.
#[derive(Clone)]
pub struct OAuth2Client {
    /// Where tokens are issued: an absolute http or https URL.
    pub token_url: String,
    /// The client.
    pub client_id: String,
    /// Its secret.
    pub client_secret: SecretString,
    /// Scopes to ask for, separated by spaces.
    pub scope: Option<String>,
}

impl fmt::Debug for OAuth2Client {
    /// Addresses may hold a key, so not even the address is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuth2Client").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl OAuth2Client {
    fn fingerprint(&self) -> Fingerprint {
        let (scoped, scope) = self.scope.as_ref().map_or(("", ""), |scope| ("scope", scope));
        let parts = [&self.token_url, &self.client_id, self.client_secret.expose_secret(), scoped, scope];
        Fingerprint::of(parts.map(str::as_bytes))
    }
}

/// The tokens in use.
#[derive(Debug, Default)]
pub struct Tokens {
    kept: Mutex<HashMap<Fingerprint, Kept>>,
    flights: Flights<SecretString>,
}

#[derive(Debug)]
struct Kept {
    token: SecretString,
    until: Instant,
}

impl Tokens {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The token for calls of `client`: the one in use, or a new one, for which `send` is called once or twice.
    ///
    /// A failure of `send` is passed on as it is. A caller that goes away costs the others nothing: the next of them
    /// fetches.
    pub async fn token<F, Fut>(&self, client: &OAuth2Client, send: F) -> Result<SecretString, Failure>
    where
        F: Fn(OutboundRequest) -> Fut,
        Fut: Future<Output = Result<UpstreamResponse, Failure>>,
    {
        let key = client.fingerprint();
        if let Some(token) = self.in_use(&key) {
            return Ok(token);
        }
        let renewal = async {
            // An equal call may have ended between our look and our turn.
            if let Some(token) = self.in_use(&key) {
                return Ok(token);
            }
            // The issuer counts from some time after this one.
            let asked_at = Instant::now();
            let token = timeout(FETCH_MAX, exchange::run(client, send)).await.unwrap_or_else(|_| Err(too_slow()))?;
            self.keep(key, &token, asked_at);
            Ok(token.access_token)
        };
        self.flights.join(key, renewal).await
    }

    /// Forgets a token that the upstream refused, so that the next call fetches another. Where that has happened
    /// already, nothing does: of a hundred calls refused at once, one fetches.
    pub fn refuse(&self, client: &OAuth2Client, token: &SecretString) {
        let key = client.fingerprint();
        let mut kept = self.lock();
        if kept.get(&key).is_some_and(|kept| kept.token.expose_secret() == token.expose_secret()) {
            kept.remove(&key);
        }
    }

    fn in_use(&self, key: &Fingerprint) -> Option<SecretString> {
        let now = Instant::now();
        self.lock().get(key).filter(|kept| now < kept.until).map(|kept| kept.token.clone())
    }

    fn keep(&self, key: Fingerprint, token: &Token, asked_at: Instant) {
        let life = useful_life(token.expires_in);
        if life.is_zero() {
            return;
        }
        let mut kept = self.lock();
        if kept.len() >= MOST_KEPT {
            make_room(&mut kept);
        }
        kept.insert(key, Kept { token: token.access_token.clone(), until: asked_at + life });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_slow() -> Failure {
    let secs = FETCH_MAX.as_secs();
    Failure::new(FailureReason::Timeout, format!("The token endpoint did not answer within {secs} s."))
        .advising(reply::LATER)
}

fn useful_life(expires_in: Option<Duration>) -> Duration {
    let life = expires_in.unwrap_or(UNTOLD_LIFE);
    life.saturating_sub(SHORTEST_MARGIN.max(life / 10)).min(LONGEST_LIFE)
}

/// Tokens that are over go, and where that is not enough, the one with the least time left.
fn make_room(kept: &mut HashMap<Fingerprint, Kept>) {
    let now = Instant::now();
    kept.retain(|_, kept| now < kept.until);
    if kept.len() >= MOST_KEPT
        && let Some(key) = kept.iter().min_by_key(|(_, kept)| kept.until).map(|(key, _)| *key)
    {
        kept.remove(&key);
    }
}

#[cfg(test)]
mod tests;
