//! Making keys. A key has 256 random bits, so a plain SHA-256 protects it at rest and a lookup by hash
//! leaves nothing to time.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use toolgate_domain::api_key::{KeyDigest, KeyHash};
use toolgate_domain::ids::PublicId;

/// What every generated key starts with; never changed, so that scanners can find leaked keys.
const PREFIX: &str = "tg_";
const LENGTH: usize = 43;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// How much of a key is shown to tell it from others.
const HINT_LENGTH: usize = 7;

/// The system gave no randomness.
#[derive(Debug)]
pub struct RandomError(getrandom::Error);

impl std::fmt::Display for RandomError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the system gave no random numbers: {}", self.0)
    }
}

impl std::error::Error for RandomError {}

/// A key in clear: shown once, then only its digest remains.
#[derive(Clone, Debug)]
pub struct SecretKey(SecretString);

impl SecretKey {
    /// A fresh key: `tg_` and 43 characters of base 62.
    pub fn generate() -> Result<Self, RandomError> {
        let mut key = String::from(PREFIX);
        while key.len() < PREFIX.len() + LENGTH {
            let mut bytes = [0u8; 64];
            getrandom::fill(&mut bytes).map_err(RandomError)?;
            // 248 is the largest multiple of 62 below 256: what lies above would favour some characters.
            let letters =
                bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
            key.extend(letters.take(PREFIX.len() + LENGTH - key.len()));
        }
        Ok(Self(key.into()))
    }

    /// The key in clear.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is stored of it.
    pub fn digest(&self) -> KeyDigest {
        digest(self.expose())
    }
}

/// Hash and hint of a key.
pub fn digest(key: &str) -> KeyDigest {
    // A key chosen by hand may be short: then showing its beginning would show too much of it.
    let shown = if key.len() >= PREFIX.len() + LENGTH { HINT_LENGTH } else { 0 };
    let hint = key.chars().take(shown).chain("…".chars()).collect();
    KeyDigest { hash: hash(key), hint }
}

/// By what a key is looked up.
pub fn hash(key: &str) -> KeyHash {
    KeyHash(Sha256::digest(key).into())
}

/// A fresh public id for a server.
pub fn random_public_id() -> Result<PublicId, RandomError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(PublicId::from_random(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_announced_form_and_differ() {
        let (a, b) = (SecretKey::generate().unwrap(), SecretKey::generate().unwrap());
        assert_ne!(a.expose(), b.expose());
        assert_eq!(a.expose().len(), 46);
        assert!(a.expose().strip_prefix("tg_").unwrap().bytes().all(|c| c.is_ascii_alphanumeric()));
        assert_eq!(a.digest().hint.chars().count(), 8);
        assert_eq!(digest("short").hint, "…");
    }

    /// The example of the standard, FIPS 180-2.
    #[test]
    fn what_is_kept_of_a_key_is_its_sha_256() {
        let known: [u8; 32] = [
            0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23, //
            0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
        ];
        assert_eq!(hash("abc").0, known);
    }
}
