//! A cached token with a valid signature. Each use checks what may have changed: the keyring, the time, and whether the
//! grant has ended.

use std::sync::atomic::AtomicU64;

use toolgate_auth::AccessToken;
use toolgate_domain::ids::PublicId;
use toolgate_domain::time::Timestamp;

use super::ended_set::EndedGrantSet;
use super::{TokenCaller, TokenError};

pub(super) struct VerifiedToken {
    /// The version of the keyring with which the signature was verified.
    keyring_version: u64,
    server: PublicId,
    caller: TokenCaller,
    /// The version of the ended grants at which the token was last accepted.
    accepted_version: AtomicU64,
}

impl VerifiedToken {
    pub(super) fn new(token: AccessToken, keyring_version: u64) -> Self {
        let caller = TokenCaller::new(&token);
        Self { keyring_version, server: token.server, caller, accepted_version: AtomicU64::default() }
    }

    /// Whether the signature was verified with this version of the keyring. Otherwise it must be verified again.
    pub(super) fn was_verified_with(&self, keyring_version: u64) -> bool {
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
        if ended.refuses_cached_token(&self.accepted_version, grant_id, issued_at) {
            return Err(TokenError::Invalid);
        }
        Ok(self.caller.clone())
    }
}
