//! The credentials of an OAuth client in the header `Authorization`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};

/// The Basic credentials. Id and secret are form-encoded first, as RFC 6749 requires: otherwise a colon in the id would
/// end it. `None` if they are too long for a header.
pub(crate) fn basic_credentials(client_id: &str, client_secret: &SecretString) -> Option<HeaderValue> {
    let form_encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let secret = Zeroizing::new(form_encode(client_secret.expose_secret()));
    let pair = Zeroizing::new(format!("{}:{}", form_encode(client_id), *secret));
    let text = Zeroizing::new(format!("Basic {}", BASE64_STANDARD.encode(pair.as_bytes())));
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
