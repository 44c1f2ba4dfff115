//! Access tokens for upstreams that use OAuth 2 client credentials (RFC 6749, 4.4): fetched on first use, cached until
//! shortly before they expire, and fetched once for all calls that wait for the same token.
//!
//! The caller sends the requests. This module decides when to fetch, `exchange` builds the requests, and `reply` parses
//! the responses.

mod exchange;
mod reply;

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::time::{Instant, timeout};
use toolgate_domain::call::FailureReason;
use toolgate_domain::sync::lock;

use crate::egress::message::{OutboundRequest, UpstreamResponse};
use crate::failure::Failure;
use crate::single_flight::{Fingerprint, SingleFlight};
use reply::IssuedToken;

/// The maximum number of cached tokens; the token of an evicted client is fetched again.
const TOKENS_MAX: usize = 10_000;

/// Lifetime of a token without `expires_in`.
const DEFAULT_TOKEN_TTL: Duration = Duration::from_mins(5);

/// No token is used for longer than this.
const TOKEN_TTL_MAX: Duration = Duration::from_hours(24);

/// A token is renewed this long before it expires, or a tenth of its lifetime if that is longer: the call that uses it
/// may wait in a queue, and clocks differ.
const EXPIRY_MARGIN_MIN: Duration = Duration::from_secs(30);

/// Timeout for fetching a token, including the second form of the request. It is independent of the timeout of the
/// first call: other calls wait for the same token and may have more time.
pub const TOKEN_FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// An OAuth client, as configured in a tool's `auth_credentials`.
#[derive(Clone)]
pub struct OAuth2Client {
    /// The token endpoint: an absolute http or https URL.
    pub token_url: String,
    /// The client id.
    pub client_id: String,
    /// The client secret.
    pub client_secret: SecretString,
    /// The requested scopes, separated by spaces.
    pub scope: Option<String>,
}

impl fmt::Debug for OAuth2Client {
    /// Omits the URL too, because it may contain a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuth2Client").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl OAuth2Client {
    fn fingerprint(&self) -> Fingerprint {
        // The label distinguishes an absent scope from an empty one.
        let (label, scope) = self.scope.as_ref().map_or(("", ""), |scope| ("scope", scope));
        let parts = [&self.token_url, &self.client_id, self.client_secret.expose_secret(), label, scope];
        Fingerprint::from_parts(parts.map(str::as_bytes))
    }
}

/// Caches access tokens.
#[derive(Debug, Default)]
pub struct TokenCache {
    tokens: Mutex<HashMap<Fingerprint, CachedToken>>,
    single_flight: SingleFlight<SecretString>,
}

#[derive(Debug)]
struct CachedToken {
    token: SecretString,
    expires_at: Instant,
}

impl TokenCache {
    /// The token for calls of `client`: the cached one, or a new one, for which `send` is called once or twice.
    ///
    /// A failure of `send` is returned unchanged. If a caller that fetches is cancelled, the next waiting caller
    /// fetches.
    pub async fn token<F, Fut>(&self, client: &OAuth2Client, send: F) -> Result<SecretString, Failure>
    where
        F: Fn(OutboundRequest) -> Fut,
        Fut: Future<Output = Result<UpstreamResponse, Failure>>,
    {
        let key = client.fingerprint();
        if let Some(token) = self.get(&key) {
            return Ok(token);
        }
        let renewal = async {
            // An equal fetch may have ended between the first lookup and this one.
            if let Some(token) = self.get(&key) {
                return Ok(token);
            }
            // `expires_in` counts from a later time at the issuer, so counting from here is safe.
            let requested_at = Instant::now();
            let token = timeout(TOKEN_FETCH_TIMEOUT, exchange::fetch(client, send))
                .await
                .unwrap_or_else(|_| Err(timeout_failure()))?;
            self.insert(key, &token, requested_at);
            Ok(token.access_token)
        };
        self.single_flight.join(key, renewal).await
    }

    /// Removes a token that the upstream rejected, so that the next call fetches another. Does nothing if the token has
    /// already been replaced: of a hundred calls that are rejected at the same time, one fetches.
    pub fn invalidate(&self, client: &OAuth2Client, token: &SecretString) {
        let key = client.fingerprint();
        let mut tokens = lock(&self.tokens);
        if tokens.get(&key).is_some_and(|cached| cached.token.expose_secret() == token.expose_secret()) {
            tokens.remove(&key);
        }
    }

    fn get(&self, key: &Fingerprint) -> Option<SecretString> {
        let now = Instant::now();
        lock(&self.tokens).get(key).filter(|cached| now < cached.expires_at).map(|cached| cached.token.clone())
    }

    fn insert(&self, key: Fingerprint, token: &IssuedToken, requested_at: Instant) {
        let ttl = usable_ttl(token.expires_in);
        if ttl.is_zero() {
            return;
        }
        let mut tokens = lock(&self.tokens);
        if tokens.len() >= TOKENS_MAX {
            evict(&mut tokens);
        }
        tokens.insert(key, CachedToken { token: token.access_token.clone(), expires_at: requested_at + ttl });
    }
}

fn timeout_failure() -> Failure {
    let secs = TOKEN_FETCH_TIMEOUT.as_secs();
    Failure::new(FailureReason::Timeout, format!("The token endpoint did not respond within {secs} s."))
        .with_advice(reply::RETRY_LATER_ADVICE)
}

fn usable_ttl(expires_in: Option<Duration>) -> Duration {
    let ttl = expires_in.unwrap_or(DEFAULT_TOKEN_TTL);
    ttl.saturating_sub(EXPIRY_MARGIN_MIN.max(ttl / 10)).min(TOKEN_TTL_MAX)
}

/// Removes expired tokens, and if that is not enough, the token that expires next.
fn evict(tokens: &mut HashMap<Fingerprint, CachedToken>) {
    let now = Instant::now();
    tokens.retain(|_, cached| now < cached.expires_at);
    if tokens.len() >= TOKENS_MAX
        && let Some(key) = tokens.iter().min_by_key(|(_, cached)| cached.expires_at).map(|(key, _)| *key)
    {
        tokens.remove(&key);
    }
}

#[cfg(test)]
mod tests;
