//! Reads and sets cookies.

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};

/// The value of the first cookie with this name.
pub(crate) fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    cookies.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Makes the browser store a cookie for `ttl_ms`; with an empty value, makes it forget the cookie. Scripts cannot read
/// the cookie. `SameSite=Lax`, because links on other sites lead to the pages that need it.
pub(crate) fn set(headers: &mut HeaderMap, name: &str, value: &str, ttl_ms: i64, is_https: bool) {
    let seconds = if value.is_empty() { 0 } else { ttl_ms / 1000 };
    let secure = if is_https { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(mut cookie) = HeaderValue::from_str(&cookie) {
        cookie.set_sensitive(true);
        headers.append(SET_COOKIE, cookie);
    }
}
