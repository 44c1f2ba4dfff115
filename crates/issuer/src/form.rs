//! Parameters of requests, and the checks of forms that a browser sends.

use std::collections::BTreeSet;

use axum::body::Body;
use http::header::{CONTENT_TYPE, ORIGIN};
use http::{HeaderMap, HeaderName};
use http_body_util::{BodyExt as _, Limited};

use crate::issuer_url::IssuerUrl;

/// Maximum size of a form of a page: `tx` and `next` contain the request of the client.
const FORM_BYTES_MAX: usize = 64 * 1024;
/// Maximum length of a parameter's name in an error text.
const NAME_CHARS_MAX: usize = 64;
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SAME_ORIGIN: &str = "same-origin";

/// Decoded parameters, in the order of the request.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormFields(Vec<(String, String)>);

impl FormFields {
    /// Decodes `a=b&c=d`.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        Self(form_urlencoded::parse(encoded).into_owned().collect())
    }

    /// Reads a form from a body; `None` if it is not a form or too large.
    pub(crate) async fn read(headers: &HeaderMap, body: Body) -> Option<Self> {
        let content_type = headers.get(CONTENT_TYPE)?.to_str().ok()?;
        let media_type = content_type.split(';').next().unwrap_or_default().trim();
        media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded").then_some(())?;
        let bytes = Limited::new(body, FORM_BYTES_MAX).collect().await.ok()?.to_bytes();
        Some(Self::parse(&bytes))
    }

    /// The first value of a parameter, which may be empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first value of a parameter. An empty value is treated as absent (RFC 6749, section 3.1).
    pub(crate) fn get_filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// All values of a parameter.
    pub(crate) fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The name of a parameter that is given twice, for an error text.
    pub(crate) fn repeated_name(&self) -> Option<String> {
        let mut names = BTreeSet::new();
        let (name, _) = self.0.iter().find(|(name, _)| !names.insert(name))?;
        // Other characters do not occur in names of OAuth's parameters, and not all are allowed in `error_description`.
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        Some(name.chars().filter(is_plain).take(NAME_CHARS_MAX).collect())
    }
}

/// Whether a form was sent by a page of this service. Only the browser can set `Sec-Fetch-Site`. Because of
/// `Referrer-Policy: no-referrer`, browsers send `Origin: null` with our forms, which is accepted only together with
/// `Sec-Fetch-Site`.
pub(crate) fn is_sent_by_own_page(headers: &HeaderMap, issuer: IssuerUrl<'_>) -> bool {
    let origin = headers.get(ORIGIN).map(|value| value.to_str().unwrap_or_default());
    let is_own_origin = origin.is_some_and(|origin| origin.eq_ignore_ascii_case(&issuer.origin()));
    match headers.get(FETCH_SITE) {
        Some(site) => site == SAME_ORIGIN && (is_own_origin || matches!(origin, None | Some("null"))),
        None => is_own_origin,
    }
}

/// Whether a page of this service sent the browser here: with a form, or with a redirect after a form.
pub(crate) fn comes_from_own_page(headers: &HeaderMap) -> bool {
    let has_value = |name, expected| headers.get(name).is_some_and(|value| value == expected);
    has_value(FETCH_SITE, SAME_ORIGIN) && has_value(FETCH_MODE, "navigate")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forms_of_own_pages_are_accepted() {
        for (origin, site, is_own) in [
            (Some("https://x.org"), None, true),
            (Some("https://x.org"), Some("same-origin"), true),
            (Some("null"), Some("same-origin"), true),
            (None, Some("same-origin"), true),
            (None, None, false),
            (Some("null"), None, false),
            (Some("https://evil.org"), None, false),
            (Some("https://evil.org"), Some("same-origin"), false),
            (Some("https://x.org"), Some("cross-site"), false),
            (Some("https://x.org.evil.org"), None, false),
            (Some("http://x.org"), None, false),
            (None, Some("same-site"), false),
            (None, Some("none"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.extend(origin.map(|origin| (ORIGIN, origin.parse().unwrap())));
            headers.extend(site.map(|site| (FETCH_SITE, site.parse().unwrap())));
            let issuer = IssuerUrl::new("https://x.org/gate");
            assert_eq!(is_sent_by_own_page(&headers, issuer), is_own, "{origin:?} {site:?}");
        }
    }

    #[test]
    fn a_parameter_given_twice_is_named() {
        assert_eq!(FormFields::parse(b"a=1&b_c=2&a=1&b_c=3").repeated_name().unwrap(), "a");
        assert_eq!(FormFields::parse(b"a=1&b=2").repeated_name(), None);
        let long = "x\"<".repeat(100);
        assert_eq!(FormFields::parse(format!("{long}=1&{long}=2").as_bytes()).repeated_name().unwrap(), "x".repeat(64));
    }
}
