//! Secrets of 256 random bits: authorization codes and cookies. Only their hashes are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

/// The prefix of an authorization code.
pub(crate) const CODE_PREFIX: &str = "tgc_";

/// `prefix` and 43 characters of base64url.
pub(crate) fn generate(prefix: &str) -> Result<String, getrandom::Error> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut_slice())?;
    Ok(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes.as_slice())))
}
