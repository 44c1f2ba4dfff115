//! Names and seals that only nodes of one installation can make.

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

/// Raised when what is written changes: nodes of two versions then do not meet.
const VERSION: &str = "toolgate:1";

const NONCE_LENGTH: usize = 24;

pub(super) struct Keys {
    /// What every name begins with.
    namespace: String,
    naming: Zeroizing<[u8; 32]>,
    cipher: XChaCha20Poly1305,
}

impl Keys {
    pub(super) fn of(secret: &[u8; 32]) -> Option<Self> {
        let namespace = keyed(secret, b"namespace")?;
        let sealing = keyed(secret, b"answers")?;
        Some(Self {
            namespace: format!("{VERSION}:{}", hex(namespace.get(..8)?)),
            naming: keyed(secret, b"names")?,
            cipher: XChaCha20Poly1305::new((&*sealing).into()),
        })
    }

    /// The name of something that is no secret.
    pub(super) fn plain(&self, rest: std::fmt::Arguments<'_>) -> String {
        format!("{}:{rest}", self.namespace)
    }

    /// The name of an answer: it says nothing of what was asked, not even to who knows what could have been.
    pub(super) fn answer(&self, fingerprint: &[u8; 32]) -> Option<String> {
        Some(self.plain(format_args!("answer:{}", hex(&*keyed(&self.naming, fingerprint)?))))
    }

    /// Bound to its name: what lies under another one does not open.
    pub(super) fn seal(&self, name: &str, message: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LENGTH];
        getrandom::fill(&mut nonce).ok()?;
        let payload = Payload { msg: message, aad: name.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
        Some([&nonce[..], &sealed].concat())
    }

    pub(super) fn open(&self, name: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, message) = sealed.split_first_chunk::<NONCE_LENGTH>()?;
        self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg: message, aad: name.as_bytes() }).ok()
    }
}

fn keyed(key: &[u8; 32], text: &[u8]) -> Option<Zeroizing<[u8; 32]>> {
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
    fn a_sealed_message_opens_under_its_own_name_and_secret_only() {
        let keys = Keys::of(&[1; 32]).unwrap();
        let mut sealed = keys.seal("name", b"message").unwrap();
        assert_eq!(keys.open("name", &sealed).as_deref(), Some(&b"message"[..]));
        assert_eq!(keys.open("other", &sealed), None);
        assert_eq!(Keys::of(&[2; 32]).unwrap().open("name", &sealed), None);
        sealed[30] ^= 1;
        assert_eq!(keys.open("name", &sealed), None);
        assert_eq!(keys.open("name", b"short"), None);
    }

    #[test]
    fn installations_and_questions_have_names_of_their_own() {
        let (one, two) = (Keys::of(&[1; 32]).unwrap(), Keys::of(&[2; 32]).unwrap());
        assert_ne!(one.plain(format_args!("nodes")), two.plain(format_args!("nodes")));
        let names = [one.answer(&[1; 32]), one.answer(&[2; 32]), two.answer(&[1; 32])];
        assert!(names[0] != names[1] && names[0] != names[2] && names[0] == one.answer(&[1; 32]));
    }
}
