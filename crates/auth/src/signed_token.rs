//! The text of tokens that this service signs for itself: a prefix, a payload of fixed length and its HMAC-SHA-256 in
//! base64url, separated by a dot.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

/// An HMAC that has already processed its key, so that a check processes only the payload.
pub(crate) type PreparedKey = Hmac<Sha256>;

pub(crate) fn prepare(key: &Zeroizing<[u8; 32]>) -> Option<PreparedKey> {
    Hmac::new_from_slice(key.as_slice()).ok()
}

/// The text of a token, signed with the first of `keys`. `None` if there is no key.
pub(crate) fn sign(prefix: &str, payload: &[u8], keys: &[Zeroizing<[u8; 32]>]) -> Option<String> {
    let mac = prepare(keys.first()?)?.chain_update(payload).finalize().into_bytes();
    Some(format!("{prefix}{}.{}", URL_SAFE_NO_PAD.encode(payload), URL_SAFE_NO_PAD.encode(mac)))
}

/// The payload of a token that one of `keys` signed.
pub(crate) fn verify<const LENGTH: usize>(prefix: &str, text: &str, keys: &[PreparedKey]) -> Option<[u8; LENGTH]> {
    let (payload, signature) = text.strip_prefix(prefix)?.split_once('.')?;
    let payload = decode::<LENGTH>(payload)?;
    let signature = decode::<32>(signature)?;
    // `verify_slice` compares in constant time.
    let is_signed_with = |key: &PreparedKey| key.clone().chain_update(payload).verify_slice(&signature).is_ok();
    keys.iter().any(is_signed_with).then_some(payload)
}

fn decode<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    let length = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
    (length == LENGTH).then_some(bytes)
}
