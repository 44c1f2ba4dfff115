//! The cookie that binds a sign-in at the provider to the browser that started it.

use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue};

use crate::cookies;
use crate::issuer_url::IssuerUrl;

/// How long the person has to sign in at the provider.
pub(super) const ATTEMPT_TTL_MS: i64 = 10 * 60 * 1000;

/// Browsers accept this name only over https, without a domain and for the whole host.
const SECURE_COOKIE: &str = "__Host-tg_oidc";
/// The name on loopback without TLS.
const LOOPBACK_COOKIE: &str = "tg_oidc";

/// The value of the cookie in a request.
pub(super) fn read<'a>(headers: &'a HeaderMap, issuer: IssuerUrl<'_>) -> Option<&'a str> {
    cookies::find(headers, name(issuer)).filter(|value| !value.is_empty())
}

/// Makes the browser store the cookie; with an empty value, makes it forget the cookie. `Lax`, because the provider
/// leads the browser back with a link.
pub(super) fn set(headers: &mut HeaderMap, issuer: IssuerUrl<'_>, value: &str) {
    let seconds = if value.is_empty() { 0 } else { ATTEMPT_TTL_MS / 1000 };
    let secure = if issuer.is_https() { "; Secure" } else { "" };
    let name = name(issuer);
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(mut cookie) = HeaderValue::from_str(&cookie) {
        cookie.set_sensitive(true);
        headers.append(SET_COOKIE, cookie);
    }
}

fn name(issuer: IssuerUrl<'_>) -> &'static str {
    if issuer.is_https() { SECURE_COOKIE } else { LOOPBACK_COOKIE }
}
