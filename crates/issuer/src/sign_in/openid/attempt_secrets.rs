//! The secrets of one sign-in at the provider. They are derived from the cookie of the browser, so that neither the
//! database nor its backups contain them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// The secrets of one sign-in.
pub(super) struct AttemptSecrets {
    /// Proves to the provider that the code was sent to this service (RFC 7636).
    pub(super) verifier: String,
    /// Binds the ID token to this sign-in.
    pub(super) nonce: String,
}

impl AttemptSecrets {
    pub(super) fn derive(cookie: &str, state: &str) -> Option<Self> {
        let secret = |purpose: &str| {
            let mac = Hmac::<Sha256>::new_from_slice(cookie.as_bytes()).ok()?;
            // The purposes have no colon, so the parts cannot be confused.
            let mac = mac.chain_update(purpose).chain_update(":").chain_update(state);
            Some(URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
        };
        Some(Self { verifier: secret("verifier")?, nonce: secret("nonce")? })
    }

    /// The challenge for the verifier, with the method S256.
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier))
    }
}
