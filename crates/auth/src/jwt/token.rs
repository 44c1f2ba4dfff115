//! A token in the compact form: header, claims and signature in base64url, separated by dots (RFC 7515, section 7.1).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use toolgate_domain::json;

use super::JwtError;
use super::algorithm::JwsAlgorithm;
use super::claims::Claims;
use super::json_web_keys::JsonWebKeys;

/// The largest token, in bytes.
pub const JWT_BYTES_MAX: usize = 16 * 1024;

/// The accepted values of `typ` in the header, in lower case. Tokens for other purposes have other types.
const TYPES: [&str; 4] = ["jwt", "application/jwt", "at+jwt", "application/at+jwt"];

/// A token whose header is acceptable and whose signature is not checked yet.
///
/// `jku`, `x5u`, `jwk` and `x5c` in the header are ignored: they would let the token choose its own key.
pub struct UnverifiedToken<'a> {
    algorithm: JwsAlgorithm,
    key_id: Option<String>,
    is_typed_access_token: bool,
    /// Header and claims with the dot between them.
    signed: &'a str,
    claims: &'a str,
    signature: Vec<u8>,
}

impl<'a> UnverifiedToken<'a> {
    /// Reads the parts of a token, and checks its header.
    pub fn parse(text: &'a str) -> Result<Self, JwtError> {
        if text.len() > JWT_BYTES_MAX {
            return Err(JwtError::Malformed);
        }
        match text.split('.').count() {
            3 => {}
            5 => return Err(JwtError::Unsupported), // it is encrypted
            _ => return Err(JwtError::Malformed),
        }
        let (signed, signature) = text.rsplit_once('.').ok_or(JwtError::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(JwtError::Malformed)?;
        let header = decode_object(header)?;
        if ["crit", "b64", "enc"].iter().any(|name| header.contains_key(*name)) {
            return Err(JwtError::Unsupported);
        }
        let token_type = optional_text(&header, "typ")?.map(str::to_ascii_lowercase);
        if token_type.as_deref().is_some_and(|name| !TYPES.contains(&name)) {
            return Err(JwtError::Unsupported);
        }
        let algorithm = optional_text(&header, "alg")?.ok_or(JwtError::Malformed)?;
        Ok(Self {
            algorithm: JwsAlgorithm::parse(algorithm).ok_or(JwtError::Unsupported)?,
            key_id: optional_text(&header, "kid")?.map(str::to_owned),
            is_typed_access_token: token_type.is_some_and(|name| name.ends_with("at+jwt")),
            signed,
            claims,
            signature: URL_SAFE_NO_PAD.decode(signature).map_err(|_| JwtError::Malformed)?,
        })
    }

    /// Whether `typ` in the header says that it is an access token (RFC 9068). Many issuers do not set this type.
    pub fn is_typed_access_token(&self) -> bool {
        self.is_typed_access_token
    }

    /// Whether a token that was refused for this reason may be signed with a key that the issuer has published since.
    pub fn may_need_newer_key(&self, error: JwtError) -> bool {
        match error {
            JwtError::UnknownKey => true,
            JwtError::BadSignature | JwtError::UnsuitableKey => self.key_id.is_none(),
            _ => false,
        }
    }

    /// The claims, if a key of the issuer signed them. They may name another issuer, and the token may have expired.
    pub fn verify(&self, keys: &JsonWebKeys) -> Result<Claims, JwtError> {
        keys.verify(self.algorithm, self.key_id.as_deref(), self.signed.as_bytes(), &self.signature)?;
        decode_object(self.claims).map(Claims::new)
    }
}

/// An optional member, which must be a text.
fn optional_text<'a>(members: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, JwtError> {
    match members.get(name) {
        None => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or(JwtError::Malformed),
    }
}

/// Decodes an object. Duplicate members are refused, because parsers disagree about their value.
fn decode_object(text: &str) -> Result<Map<String, Value>, JwtError> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| JwtError::Malformed)?;
    let document = json::check(&bytes).map_err(|_| JwtError::Malformed)?;
    serde_json::from_str(document.get()).map_err(|_| JwtError::Malformed)
}
