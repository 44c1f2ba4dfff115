//! Secrets of 256 random bits: authorization codes and cookies. Only their hashes are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeroize::Zeroizing;

/// The prefix of an authorization code.
pub(crate) const CODE_PREFIX: &str = "tgc_";

/// The length of 256 bits in base64url.
const SECRET_CHARS: usize = 43;

/// Whether a text has the form of a generated secret without prefix.
pub(crate) fn is_secret(text: &str) -> bool {
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() == SECRET_CHARS && text.bytes().all(is_base64url)
}

/// `prefix` and 43 characters of base64url.
pub(crate) fn generate(prefix: &str) -> Result<String, getrandom::Error> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut_slice())?;
    Ok(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes.as_slice())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_like_generated_ones_are_secrets() {
        let secret = generate("").unwrap();
        assert!(is_secret(&secret), "{secret}");
        let shorter: String = secret.chars().skip(1).collect();
        for text in ["", &shorter, &format!("{secret}A"), &format!("{shorter}="), &"é".repeat(43)] {
            assert!(!is_secret(text), "{text}");
        }
    }
}
