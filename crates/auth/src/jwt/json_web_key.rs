//! One public key of an issuer (RFC 7517).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{RsaPublicKeyComponents, UnparsedPublicKey};
use serde_json::{Map, Value};

use super::algorithm::{JwsAlgorithm, KeyType, Verification};

/// Minimum length of an RSA key (RFC 7518, section 3.3).
const RSA_BITS_MIN: usize = 2048;

/// A key that can check signatures.
#[derive(Debug)]
pub(super) struct JsonWebKey {
    /// Its id, if it has one.
    pub(super) key_id: Option<String>,
    /// The only algorithm that the key may be used with, if the document names one.
    algorithm: Option<JwsAlgorithm>,
    material: KeyMaterial,
}

#[derive(Debug)]
enum KeyMaterial {
    /// Modulus and exponent, big-endian without leading zeros.
    Rsa { n: Vec<u8>, e: Vec<u8> },
    /// An uncompressed point, or the bytes of an Ed25519 key.
    Other(KeyType, Vec<u8>),
}

impl JsonWebKey {
    /// `None` for a key that this service cannot check signatures with: another type, another use, or a short RSA key.
    /// Such a key does not make the other keys of the issuer invalid.
    pub(super) fn parse(members: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let is_for_signatures = members.get("use").is_none_or(|value| value == "sig");
        let may_verify = match members.get("key_ops") {
            None => true,
            Some(Value::Array(operations)) => operations.iter().any(|operation| operation == "verify"),
            Some(_) => false,
        };
        if !is_for_signatures || !may_verify {
            return None;
        }
        let material = match (text("kty")?, text("crv")) {
            ("RSA", _) => rsa(text("n")?, text("e")?)?,
            ("EC", Some("P-256")) => point(KeyType::P256, 32, text("x")?, text("y")?)?,
            ("EC", Some("P-384")) => point(KeyType::P384, 48, text("x")?, text("y")?)?,
            ("OKP", Some("Ed25519")) => KeyMaterial::Other(KeyType::Ed25519, decode_exactly(text("x")?, 32)?),
            _ => return None,
        };
        let algorithm = match members.get("alg") {
            None => None,
            Some(name) => Some(JwsAlgorithm::parse(name.as_str()?)?),
        };
        let key_id = text("kid").map(str::to_owned);
        Some(Self { key_id, algorithm, material })
    }

    /// Whether the key may be used with this algorithm.
    pub(super) fn fits(&self, algorithm: JwsAlgorithm) -> bool {
        let key_type = match &self.material {
            KeyMaterial::Rsa { .. } => KeyType::Rsa,
            KeyMaterial::Other(key_type, _) => *key_type,
        };
        key_type == algorithm.key_type() && self.algorithm.is_none_or(|named| named == algorithm)
    }

    /// Whether the key made this signature. `false` if the algorithm does not fit the key.
    pub(super) fn verifies(&self, algorithm: JwsAlgorithm, message: &[u8], signature: &[u8]) -> bool {
        match (&self.material, algorithm.verification()) {
            (KeyMaterial::Rsa { n, e }, Verification::Rsa(parameters)) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature).is_ok()
            }
            (KeyMaterial::Other(key_type, bytes), Verification::Other(verification)) => {
                *key_type == algorithm.key_type()
                    && UnparsedPublicKey::new(verification, bytes).verify(message, signature).is_ok()
            }
            _ => false,
        }
    }
}

fn rsa(n: &str, e: &str) -> Option<KeyMaterial> {
    let (n, e) = (decode_number(n)?, decode_number(e)?);
    let leading_zero_bits = usize::try_from(n.first()?.leading_zeros()).ok()?;
    (n.len() * 8 - leading_zero_bits >= RSA_BITS_MIN).then_some(KeyMaterial::Rsa { n, e })
}

fn point(key_type: KeyType, length: usize, x: &str, y: &str) -> Option<KeyMaterial> {
    // The uncompressed form of SEC 1: the byte 4, then x and y.
    let bytes = [&[4][..], &decode_exactly(x, length)?, &decode_exactly(y, length)?].concat();
    Some(KeyMaterial::Other(key_type, bytes))
}

fn decode_exactly(text: &str, length: usize) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| bytes.len() == length)
}

/// A positive number without the leading zeros that some issuers write.
fn decode_number(text: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let start = bytes.iter().position(|byte| *byte != 0)?;
    bytes.get(start..).map(<[u8]>::to_vec)
}
