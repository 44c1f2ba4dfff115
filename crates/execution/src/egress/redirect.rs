//! Redirects. Within an origin, headers and body are sent again. To another origin neither is sent, because both may
//! contain a credential.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LOCATION, CONTENT_TYPE, LOCATION};
use http::{HeaderMap, Method, StatusCode, Uri};
use url::Url;

use super::bad_redirect::BadRedirect;
use super::error::EgressError;
use super::guard::Blocked;
use super::hop::Hop;
use super::message::is_redirect;
use super::origin::UpstreamOrigin;

/// How many redirects of one request are followed.
pub(super) const REDIRECTS_MAX: usize = 5;

impl Hop<'_> {
    /// The next hop, if this response is a redirect.
    pub(super) fn next(&self, status: StatusCode, headers: &HeaderMap) -> Result<Option<Self>, EgressError> {
        let Some(location) = headers.get(LOCATION).filter(|_| is_redirect(status)) else { return Ok(None) };
        let uri = resolve_location(&self.uri, location.as_bytes())?;
        let origin = UpstreamOrigin::from_uri(&uri).map_err(to_redirect_error)?;
        let redirected = self.with_method_after(status);
        let headers = if origin == self.origin {
            redirected.headers
        } else if matches!(redirected.method, Method::GET | Method::HEAD) && redirected.body.is_empty() {
            Cow::Owned(HeaderMap::new())
        } else {
            return Err(BadRedirect::OtherOrigin.into());
        };
        Ok(Some(Self { uri: origin.canonical_uri(&uri)?, origin, headers, ..redirected }))
    }

    /// RFC 9110, section 15.4: after 303, and by convention after 301 and 302 to a POST, the method becomes GET.
    fn with_method_after(&self, status: StatusCode) -> Self {
        let becomes_get = match status.as_u16() {
            303 => self.method != Method::HEAD,
            301 | 302 => self.method == Method::POST,
            _ => false,
        };
        if !becomes_get {
            return self.clone();
        }
        let mut headers = self.headers.clone();
        for name in [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LOCATION] {
            if headers.contains_key(&name) {
                headers.to_mut().remove(name);
            }
        }
        Self { method: Method::GET, headers, body: Bytes::new(), ..self.clone() }
    }
}

/// Resolves `location` as browsers do, and drops the fragment, which is not sent.
fn resolve_location(base: &Uri, location: &[u8]) -> Result<Uri, EgressError> {
    let location = std::str::from_utf8(location).ok();
    let base = Url::parse(&base.to_string()).ok();
    let joined = base.zip(location).and_then(|(base, location)| base.join(location).ok());
    let mut target = joined.ok_or(BadRedirect::BadLocation)?;
    if !matches!(target.scheme(), "http" | "https") {
        return Err(BadRedirect::NotHttp.into());
    }
    target.set_fragment(None);
    target.as_str().parse().map_err(|_| BadRedirect::BadLocation.into())
}

fn to_redirect_error(error: EgressError) -> EgressError {
    match error {
        EgressError::BadAddress | EgressError::Blocked(Blocked::NoHost) => BadRedirect::BadLocation.into(),
        other => other,
    }
}
