//! Random secrets of the issuer: a prefix that secret scanners find, and 256 random bits.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The prefix of refresh tokens.
pub(crate) const REFRESH_TOKEN_PREFIX: &str = "tgr_";
/// The prefix of client secrets.
pub(crate) const CLIENT_SECRET_PREFIX: &str = "tgs_";
/// The prefix of the ids of clients that registered themselves. They are not secret.
pub(crate) const CLIENT_ID_PREFIX: &str = "tgx_";

/// A new secret: the prefix and 43 characters of base64url. Only its hash is stored.
pub(crate) fn generate(prefix: &str) -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_have_their_prefix_and_differ() {
        let (one, other) = (generate("tgr_").unwrap(), generate("tgr_").unwrap());
        assert!(one.starts_with("tgr_") && one.len() == 47 && one != other);
    }
}
