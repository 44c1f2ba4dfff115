//! The person who is signed in with the browser of a request: the cookie and its session.

use http::HeaderMap;
use toolgate_auth::{Principal, hash_secret};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::Actor;
use toolgate_domain::oauth::sign_in::BrowserSession;
use toolgate_domain::time::{HOUR_MS, Timestamp};
use toolgate_storage::{Result, Storage};

use crate::cookies;
use crate::issuer_url::IssuerUrl;

/// Lifetime of a session.
pub(crate) const SESSION_TTL_MS: i64 = 12 * HOUR_MS;

/// Browsers accept this name only over https, without a domain and for the whole host, so that no other host can set
/// it.
const SECURE_COOKIE: &str = "__Host-tg_session";
/// The name on loopback without TLS.
const LOOPBACK_COOKIE: &str = "tg_session";

/// A person with a valid session.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn {
    /// Identifies the session.
    pub(crate) hash: KeyHash,
    pub(crate) session: BrowserSession,
}

impl SignedIn {
    /// The person whose cookie the request has, if it is valid.
    pub(crate) async fn find(
        storage: &dyn Storage,
        headers: &HeaderMap,
        issuer: IssuerUrl<'_>,
        now: Timestamp,
    ) -> Result<Option<Self>> {
        let Some(hash) = cookie_hash(headers, issuer) else { return Ok(None) };
        let session = storage.browser_session(&hash, now).await?;
        Ok(session.map(|session| Self { hash, session }))
    }

    /// Whether the person may link and remove accounts at the OpenID provider.
    pub(crate) fn may_change_own_accounts(&self) -> bool {
        Principal::from_session(self.session.clone()).may_change_own_accounts()
    }

    /// The person as the author of a change.
    pub(crate) fn actor(&self, at: Timestamp) -> Actor {
        let user = &self.session.user;
        let (user_name, key_id) = (Some(user.name.clone()), self.session.key_id());
        Actor { user_id: Some(user.id), user_name, key_id, key_name: None, at, fields: String::new() }
    }
}

/// The hash of the session cookie, whether or not it is valid.
pub(crate) fn cookie_hash(headers: &HeaderMap, issuer: IssuerUrl<'_>) -> Option<KeyHash> {
    cookies::find(headers, cookie_name(issuer)).map(hash_secret)
}

/// Makes the browser store the session; with an empty value, makes it forget the session.
pub(crate) fn set_cookie(headers: &mut HeaderMap, issuer: IssuerUrl<'_>, value: &str) {
    cookies::set(headers, cookie_name(issuer), value, SESSION_TTL_MS, issuer.is_https());
}

fn cookie_name(issuer: IssuerUrl<'_>) -> &'static str {
    if issuer.is_https() { SECURE_COOKIE } else { LOOPBACK_COOKIE }
}
