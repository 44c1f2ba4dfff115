//! Signatures of the hidden fields of forms: `csrf`, and `tx`, the checked request that a person decides about. Both
//! are bound to the browser session, so that nothing has to be stored before the decision, and two tabs do not disturb
//! each other.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use toolgate_domain::api_key::KeyHash;
use toolgate_storage::Storage;

/// The purpose of the signing keys in storage.
const PAGE_KEYS: &str = "issuer-pages";
const MAC_LENGTH: usize = 32;

/// The purpose of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormPurpose {
    /// Allow or deny access.
    Consent,
    /// The request that is decided about.
    Transaction,
    /// Sign out.
    SignOut,
    /// Link an account at the OpenID provider.
    LinkAccount,
    /// Remove a linked account.
    RemoveAccount,
}

pub(crate) struct PageSigner {
    storage: Arc<dyn Storage>,
}

impl PageSigner {
    pub(crate) fn new(storage: Arc<dyn Storage>) -> Self {
        Self { storage }
    }

    /// The value of the field `csrf`. `None` if there is no key.
    pub(crate) fn csrf(&self, session: &KeyHash, purpose: FormPurpose) -> Option<String> {
        self.seal(session, purpose, b"")
    }

    /// Whether the text of a `csrf` field was created for this session and purpose.
    pub(crate) fn is_valid_csrf(&self, session: &KeyHash, purpose: FormPurpose, text: &str) -> bool {
        self.open(session, purpose, text).is_some_and(|payload| payload.is_empty())
    }

    /// The payload with its signature. `None` if there is no key.
    pub(crate) fn seal(&self, session: &KeyHash, purpose: FormPurpose, payload: &[u8]) -> Option<String> {
        let keys = self.storage.signing_keys(PAGE_KEYS);
        let mac = mac(keys.first()?.as_slice(), session, purpose, payload)?.finalize().into_bytes();
        Some(URL_SAFE_NO_PAD.encode([payload, mac.as_slice()].concat()))
    }

    /// The payload of a text that was sealed for this session and purpose.
    pub(crate) fn open(&self, session: &KeyHash, purpose: FormPurpose, text: &str) -> Option<Vec<u8>> {
        let mut payload = URL_SAFE_NO_PAD.decode(text).ok()?;
        let signature = payload.split_off(payload.len().checked_sub(MAC_LENGTH)?);
        let keys = self.storage.signing_keys(PAGE_KEYS);
        // `verify_slice` compares in constant time.
        let is_signed_with =
            |key: &[u8]| mac(key, session, purpose, &payload).is_some_and(|mac| mac.verify_slice(&signature).is_ok());
        keys.iter().any(|key| is_signed_with(key.as_slice())).then_some(payload)
    }
}

/// The session and the purpose have a fixed length, so the parts cannot be confused.
fn mac(key: &[u8], session: &KeyHash, purpose: FormPurpose, payload: &[u8]) -> Option<Hmac<Sha256>> {
    let mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    Some(mac.chain_update([purpose as u8]).chain_update(session.0).chain_update(payload))
}
