//! Signed texts that clients store: session ids and request states. All nodes of one database share the keys, so any
//! node can read them and none has to store them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

/// Half of a SHA-256 hash: long enough against guessing, and short enough for ids.
const MAC_LENGTH: usize = 16;
/// The longest accepted text, in bytes. Request states can be long, because they contain data from an upstream.
const TEXT_MAX: usize = 96 * 1024;

type Keys = Vec<Zeroizing<[u8; 32]>>;

/// Signs with the first key; accepts signatures of any key.
pub(crate) struct Signer {
    /// Returns the current keys, because the keyring can be rotated while the service runs.
    keys: Box<dyn Fn() -> Keys + Send + Sync>,
}

impl Signer {
    pub(crate) fn new(keys: impl Fn() -> Keys + Send + Sync + 'static) -> Self {
        Self { keys: Box::new(keys) }
    }

    /// A signer with fixed keys: each byte, repeated, is a key.
    #[cfg(test)]
    pub(crate) fn with_keys(keys: &'static [u8]) -> Self {
        Self::new(|| keys.iter().map(|key| Zeroizing::new([*key; 32])).collect())
    }

    /// The payload with its signature, bound to `context`.
    pub(crate) fn seal(&self, context: &[&[u8]], payload: &[u8]) -> String {
        let keys = (self.keys)();
        let digest = keys.first().and_then(|key| Some(hmac(key, context, payload)?.finalize().into_bytes()));
        let digest = digest.unwrap_or_default();
        URL_SAFE_NO_PAD.encode([payload, digest.split_at(MAC_LENGTH).0].concat())
    }

    /// The payload of a text that was sealed for the same context.
    pub(crate) fn open(&self, context: &[&[u8]], text: &str) -> Option<Vec<u8>> {
        if text.len() > TEXT_MAX {
            return None;
        }
        let mut payload = URL_SAFE_NO_PAD.decode(text).ok()?;
        let mac = payload.split_off(payload.len().checked_sub(MAC_LENGTH)?);
        // `verify_truncated_left` compares in constant time.
        let is_signed = |hmac: Hmac<Sha256>| hmac.verify_truncated_left(&mac).is_ok();
        (self.keys)().iter().any(|key| hmac(key, context, &payload).is_some_and(is_signed)).then_some(payload)
    }
}

fn hmac(key: &[u8; 32], context: &[&[u8]], payload: &[u8]) -> Option<Hmac<Sha256>> {
    let mut hmac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in context {
        // The length prefix separates the parts: "ab" and "c" must differ from "a" and "bc".
        hmac.update(&(part.len() as u64).to_be_bytes());
        hmac.update(part);
    }
    hmac.update(payload);
    Some(hmac)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_opens_only_in_the_context_for_which_it_was_sealed() {
        let signer = Signer::with_keys(&[1]);
        let sealed = signer.seal(&[b"a", b"bc"], b"payload");
        assert_eq!(signer.open(&[b"a", b"bc"], &sealed).as_deref(), Some(&b"payload"[..]));
        assert_eq!(signer.open(&[b"ab", b"c"], &sealed), None);
        assert_eq!(Signer::with_keys(&[2]).open(&[b"a", b"bc"], &sealed), None);
        let after_rotation = Signer::with_keys(&[2, 1]);
        assert!(after_rotation.open(&[b"a", b"bc"], &sealed).is_some());
    }

    #[test]
    fn a_modified_text_does_not_open() {
        let signer = Signer::with_keys(&[1]);
        let sealed = signer.seal(&[], b"payload");
        for index in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            assert_eq!(signer.open(&[], std::str::from_utf8(&changed).unwrap()), None, "byte {index} is changed");
        }
        for text in ["", "x", "AAAA", "é"] {
            assert_eq!(signer.open(&[], text), None);
        }
    }
}
