//! A token with a valid signature, as it is cached. What may change is checked at each use: the keyring, the time, and
//! whether the grant has ended.

use std::sync::atomic::AtomicU64;

use toolgate_auth::AccessToken;
use toolgate_domain::ids::PublicId;
use toolgate_domain::time::Timestamp;

use super::ended_set::EndedGrantSet;
use super::{TokenCaller, TokenError};

pub(super) struct VerifiedToken {
    /// The state of the keyring with which the signature was verified.
    keyring_version: u64,
    server: PublicId,
    caller: TokenCaller,
    /// The state of the ended grants in which the token was last accepted.
    accepted_state: AtomicU64,
}

impl VerifiedToken {
    pub(super) fn new(token: AccessToken, keyring_version: u64) -> Self {
        let caller = TokenCaller::new(&token);
        Self { keyring_version, server: token.server, caller, accepted_state: AtomicU64::default() }
    }

    /// Whether the signature is valid with the keys of this state of the keyring.
    pub(super) fn is_signed_with(&self, keyring_version: u64) -> bool {
        self.keyring_version == keyring_version
    }

    /// The caller, if the token is valid for this server now.
    pub(super) fn check<'a>(
        &self,
        server: &PublicId,
        now: Timestamp,
        ended: impl FnOnce() -> Result<&'a EndedGrantSet, TokenError>,
    ) -> Result<TokenCaller, TokenError> {
        if self.server != *server {
            return Err(TokenError::Invalid);
        }
        if self.caller.expires_at <= now {
            return Err(TokenError::Expired);
        }
        let ended = ended()?;
        let TokenCaller { grant_id, issued_at, .. } = self.caller;
        if ended.refuses_since(&self.accepted_state, grant_id, issued_at) {
            return Err(TokenError::Invalid);
        }
        Ok(self.caller.clone())
    }
}
