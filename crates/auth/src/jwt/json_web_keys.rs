//! The public keys of an issuer, as in its key document (RFC 7517, section 5).

use serde_json::{Map, Value};
use toolgate_domain::json;

use super::JwtError;
use super::algorithm::JwsAlgorithm;
use super::json_web_key::JsonWebKey;

/// The largest key document, in bytes.
pub const JWKS_BYTES_MAX: usize = 64 * 1024;
/// Maximum number of keys in a document.
pub const JWKS_KEYS_MAX: usize = 100;

/// Why a key document is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonWebKeysError {
    /// It is larger than the limit.
    #[error("The key document of the issuer is larger than 64 KiB.")]
    TooLarge,
    /// It is not a JSON object with an array `keys` of objects, or a member occurs twice.
    #[error("The key document of the issuer is not a JSON object with the array \"keys\", without duplicate members.")]
    Malformed,
    /// It has more keys than the limit.
    #[error("The key document of the issuer has more than 100 keys.")]
    TooManyKeys,
}

/// The keys of an issuer, without those that cannot check signatures.
#[derive(Debug)]
pub struct JsonWebKeys(Vec<JsonWebKey>);

impl JsonWebKeys {
    /// Parses a key document. Keys of types and uses that are not supported are left out, as the standard requires.
    pub fn parse(document: &[u8]) -> Result<Self, JsonWebKeysError> {
        if document.len() > JWKS_BYTES_MAX {
            return Err(JsonWebKeysError::TooLarge);
        }
        let text = json::check(document).map_err(|_| JsonWebKeysError::Malformed)?;
        let members: Map<String, Value> = serde_json::from_str(text.get()).map_err(|_| JsonWebKeysError::Malformed)?;
        let keys = members.get("keys").and_then(Value::as_array).ok_or(JsonWebKeysError::Malformed)?;
        if keys.len() > JWKS_KEYS_MAX {
            return Err(JsonWebKeysError::TooManyKeys);
        }
        if !keys.iter().all(Value::is_object) {
            return Err(JsonWebKeysError::Malformed);
        }
        Ok(Self(keys.iter().filter_map(Value::as_object).filter_map(JsonWebKey::parse).collect()))
    }

    /// Whether no key can check signatures.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks a signature with the key that the header names. Without a name, there must be only one key that fits.
    pub(super) fn verify(
        &self,
        algorithm: JwsAlgorithm,
        key_id: Option<&str>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), JwtError> {
        let has_id = |key: &&JsonWebKey| key_id.is_none() || key.key_id.as_deref() == key_id;
        let candidates: Vec<&JsonWebKey> = self.0.iter().filter(has_id).collect();
        let fitting: Vec<&JsonWebKey> = candidates.iter().copied().filter(|key| key.fits(algorithm)).collect();
        match (&fitting[..], key_id) {
            ([], Some(_)) if !candidates.is_empty() => Err(JwtError::UnsuitableKey),
            ([], _) => Err(JwtError::UnknownKey),
            ([_, _, ..], None) => Err(JwtError::UnsuitableKey),
            // An issuer may publish several keys with one id, so each one that fits is tried.
            (keys, _) if keys.iter().any(|key| key.verifies(algorithm, message, signature)) => Ok(()),
            _ => Err(JwtError::BadSignature),
        }
    }
}
