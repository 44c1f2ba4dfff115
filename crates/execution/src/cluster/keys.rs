//! Redis keys and encryption that only nodes of one installation can compute.

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

/// The version of the stored format. Increase it when the format changes: nodes with different versions share nothing.
const VERSION: &str = "toolgate:1";

const NONCE_LENGTH: usize = 24;

pub(super) struct ClusterKeys {
    /// The prefix of every Redis key.
    namespace: String,
    /// Hashes the names of confidential entries.
    key_secret: Zeroizing<[u8; 32]>,
    cipher: XChaCha20Poly1305,
}

impl ClusterKeys {
    pub(super) fn from_secret(secret: &[u8; 32]) -> Option<Self> {
        // The labels are part of the stored format.
        let namespace = keyed_hash(secret, b"namespace")?;
        let encryption_key = keyed_hash(secret, b"answers")?;
        Some(Self {
            namespace: format!("{VERSION}:{}", hex(namespace.get(..8)?)),
            key_secret: keyed_hash(secret, b"names")?,
            cipher: XChaCha20Poly1305::new((&*encryption_key).into()),
        })
    }

    /// The key of an entry whose name is not confidential.
    pub(super) fn plain_key(&self, name: std::fmt::Arguments<'_>) -> String {
        format!("{}:{name}", self.namespace)
    }

    /// The key of the leases of a window. A Redis Cluster hashes only the part in braces, so it stores a window and its
    /// leases on one node.
    pub(super) fn leases_key(&self, window: &str) -> String {
        self.plain_key(format_args!("leases:{{{window}}}"))
    }

    /// The key of a response. It reveals nothing about the request, not even to a reader who can guess requests.
    pub(super) fn response_key(&self, fingerprint: &[u8; 32]) -> Option<String> {
        Some(self.plain_key(format_args!("answer:{}", hex(&*keyed_hash(&self.key_secret, fingerprint)?))))
    }

    /// The key of a session's state. It does not reveal the id of the session.
    pub(super) fn session_key(&self, nonce: &[u8]) -> Option<String> {
        Some(self.plain_key(format_args!("session:{}", self.field_name(nonce)?)))
    }

    /// The name of a confidential field of a session.
    pub(super) fn field_name(&self, text: &[u8]) -> Option<String> {
        Some(hex(&*keyed_hash(&self.key_secret, &[b"session:", text].concat())?))
    }

    /// Encrypts `message` for the Redis key `name`. Stored under another key, it cannot be decrypted.
    pub(super) fn encrypt(&self, name: &str, message: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LENGTH];
        getrandom::fill(&mut nonce).ok()?;
        let payload = Payload { msg: message, aad: name.as_bytes() };
        let encrypted = self.cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
        Some([&nonce[..], &encrypted].concat())
    }

    pub(super) fn decrypt(&self, name: &str, encrypted: &[u8]) -> Option<Vec<u8>> {
        let (nonce, message) = encrypted.split_first_chunk::<NONCE_LENGTH>()?;
        self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg: message, aad: name.as_bytes() }).ok()
    }
}

fn keyed_hash(key: &[u8; 32], text: &[u8]) -> Option<Zeroizing<[u8; 32]>> {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).ok()?;
    mac.update(text);
    Some(Zeroizing::new(mac.finalize().into_bytes().into()))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_can_only_be_decrypted_with_its_name_and_secret() {
        let keys = ClusterKeys::from_secret(&[1; 32]).unwrap();
        let mut encrypted = keys.encrypt("name", b"message").unwrap();
        assert_eq!(keys.decrypt("name", &encrypted).as_deref(), Some(&b"message"[..]));
        assert_eq!(keys.decrypt("other", &encrypted), None);
        assert_eq!(ClusterKeys::from_secret(&[2; 32]).unwrap().decrypt("name", &encrypted), None);
        encrypted[30] ^= 1;
        assert_eq!(keys.decrypt("name", &encrypted), None);
        assert_eq!(keys.decrypt("name", b"short"), None);
    }

    #[test]
    fn installations_and_requests_have_distinct_keys() {
        let (one, two) = (ClusterKeys::from_secret(&[1; 32]).unwrap(), ClusterKeys::from_secret(&[2; 32]).unwrap());
        assert_ne!(one.plain_key(format_args!("nodes")), two.plain_key(format_args!("nodes")));
        let names = [one.response_key(&[1; 32]), one.response_key(&[2; 32]), two.response_key(&[1; 32])];
        assert!(names[0] != names[1] && names[0] != names[2] && names[0] == one.response_key(&[1; 32]));
    }
}
