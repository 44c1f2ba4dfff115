//! The cookie that binds sign-ins at the provider to the browser that started them. Several sign-ins of one browser share
//! it. It has no effect after they end, so it stays until it expires.

use http::HeaderMap;

use crate::cookies;
use crate::issuer_url::IssuerUrl;
use crate::random_secret;

/// How long the person has to sign in at the provider.
pub(super) const ATTEMPT_TTL_MS: i64 = 10 * 60 * 1000;

/// Browsers accept this name only over https, without a domain and for the whole host.
const SECURE_COOKIE: &str = "__Host-tg_oidc";
/// The name on loopback without TLS.
const LOOPBACK_COOKIE: &str = "tg_oidc";

/// The value of the cookie in a request, if this service can have set it.
pub(super) fn read<'a>(headers: &'a HeaderMap, issuer: IssuerUrl<'_>) -> Option<&'a str> {
    cookies::find(headers, name(issuer)).filter(|value| random_secret::is_secret(value))
}

/// Makes the browser store the cookie for another [`ATTEMPT_TTL_MS`].
pub(super) fn set(headers: &mut HeaderMap, issuer: IssuerUrl<'_>, value: &str) {
    cookies::set(headers, name(issuer), value, ATTEMPT_TTL_MS, issuer.is_https());
}

fn name(issuer: IssuerUrl<'_>) -> &'static str {
    if issuer.is_https() { SECURE_COOKIE } else { LOOPBACK_COOKIE }
}
