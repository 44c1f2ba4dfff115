//! Secrets as header values.

use http::HeaderValue;

/// The stored credential is missing, cannot be decrypted, has another type, or cannot be sent in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the credential is unavailable")]
pub struct CredentialUnavailable;

/// A secret as a header value, marked sensitive.
pub(super) fn sensitive_value(text: &str) -> Result<HeaderValue, CredentialUnavailable> {
    let mut value = HeaderValue::from_bytes(text.as_bytes()).map_err(|_| CredentialUnavailable)?;
    value.set_sensitive(true);
    Ok(value)
}
