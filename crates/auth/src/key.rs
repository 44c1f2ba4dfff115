//! Generating and hashing keys and other secrets. They have 256 random bits, so an unsalted SHA-256 protects them at
//! rest, and a lookup by hash is not open to timing attacks.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use toolgate_domain::api_key::{KeyDigest, KeyHash};
use toolgate_domain::ids::PublicId;

/// The prefix of every generated key. It must not change: secret scanners find leaked keys by it.
const PREFIX: &str = "tg_";
/// Random characters after the prefix; 43 characters of base 62 have 256 bits.
const RANDOM_LENGTH: usize = 43;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Characters of a key that are shown to distinguish it.
const HINT_LENGTH: usize = 7;

/// The operating system provided no random bytes.
#[derive(Debug)]
pub struct RandomError(getrandom::Error);

impl std::fmt::Display for RandomError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the operating system provided no random bytes: {}", self.0)
    }
}

impl std::error::Error for RandomError {}

/// A key in plain text: it is shown once, and only its digest is stored.
#[derive(Clone, Debug)]
pub struct SecretKey(SecretString);

impl SecretKey {
    /// Generates a key: `tg_` and 43 characters of base 62.
    pub fn generate() -> Result<Self, RandomError> {
        Self::with_prefix(PREFIX)
    }

    /// Generates a secret of another kind: `prefix` and 43 characters of base 62.
    pub fn with_prefix(prefix: &str) -> Result<Self, RandomError> {
        let mut key = String::from(prefix);
        while key.len() < prefix.len() + RANDOM_LENGTH {
            let mut bytes = [0u8; 64];
            getrandom::fill(&mut bytes).map_err(RandomError)?;
            // 248 is the largest multiple of 62 below 256: larger bytes would make some characters more likely.
            let letters =
                bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
            key.extend(letters.take(prefix.len() + RANDOM_LENGTH - key.len()));
        }
        Ok(Self(key.into()))
    }

    /// The key in plain text.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The hash and hint of the key, for storage.
    pub fn digest(&self) -> KeyDigest {
        digest_key(self.expose())
    }
}

/// The hash and hint of a key, for storage.
pub fn digest_key(key: &str) -> KeyDigest {
    // A key chosen by hand may be short; a hint would reveal too much of it.
    let hint_length = if key.len() >= PREFIX.len() + RANDOM_LENGTH { HINT_LENGTH } else { 0 };
    let hint = key.chars().take(hint_length).chain("…".chars()).collect();
    KeyDigest { hash: hash_secret(key), hint }
}

/// The hash by which a key, a token, a code or another secret is looked up.
pub fn hash_secret(secret: &str) -> KeyHash {
    KeyHash(Sha256::digest(secret).into())
}

/// Generates the public id of a server.
pub fn random_public_id() -> Result<PublicId, RandomError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(PublicId::from_random(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_documented_form_and_differ() {
        let (a, b) = (SecretKey::generate().unwrap(), SecretKey::generate().unwrap());
        assert_ne!(a.expose(), b.expose());
        assert_eq!(a.expose().len(), 46);
        assert!(a.expose().strip_prefix("tg_").unwrap().bytes().all(|c| c.is_ascii_alphanumeric()));
        assert_eq!(a.digest().hint.chars().count(), 8);
        assert_eq!(digest_key("short").hint, "…");
    }

    /// The example of FIPS 180-2.
    #[test]
    fn the_stored_hash_of_a_key_is_its_sha_256() {
        let expected: [u8; 32] = [
            0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23, //
            0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
        ];
        assert_eq!(hash_secret("abc").0, expected);
    }
}
