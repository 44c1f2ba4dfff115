//! Access tokens of the built-in issuer. A token is checked by its signature and against the ended grants, which are in
//! memory, so that no request waits for the database.

#[cfg(feature = "fuzzing")]
pub(crate) mod bench_support;
mod ended_grants;
mod ended_set;
mod grant_uses;
#[cfg(test)]
mod tests;
mod verified_token;

use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio::sync::watch;
use toolgate_analytics::AccessCounters;
use toolgate_auth::{ACCESS_TOKEN_KEYS, AccessToken, AccessTokenKeys};
use toolgate_domain::ids::{GrantId, PublicId, UserId};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::time::{Clock, Timestamp};
use toolgate_storage::{ChangeEvent, ChangeListener, Storage};

use crate::credential_cache::CredentialCache;
use ended_grants::EndedGrants;
use grant_uses::GrantUses;
use verified_token::VerifiedToken;

/// The caller of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenCaller {
    /// The user who gave access, which stays the same when the token or the client changes.
    pub(crate) user_id: UserId,
    pub(crate) grant_id: GrantId,
    pub(crate) scopes: McpScopes,
    issued_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

impl TokenCaller {
    fn new(token: &AccessToken) -> Self {
        Self {
            user_id: token.user_id,
            grant_id: token.grant_id,
            scopes: token.scopes,
            issued_at: token.issued_at,
            expires_at: token.expires_at,
        }
    }
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenError {
    /// It is not a token for this server, or its grant has ended.
    Invalid,
    /// It has expired.
    Expired,
    /// It is not known yet which grants have ended.
    Unavailable,
}

/// The keys for one state of the keyring.
struct CurrentKeys {
    keyring_version: u64,
    keys: AccessTokenKeys,
}

impl CurrentKeys {
    fn read(storage: &dyn Storage) -> Self {
        // The version is read first: if the keyring changes in between, the next check reads the keys again.
        let keyring_version = storage.keyring_version();
        Self { keyring_version, keys: AccessTokenKeys::new(&storage.signing_keys(ACCESS_TOKEN_KEYS)) }
    }
}

/// Checks tokens.
pub(crate) struct AccessTokens {
    storage: Arc<dyn Storage>,
    keys: ArcSwap<CurrentKeys>,
    verified: CredentialCache<VerifiedToken>,
    ended: EndedGrants,
    counters: Arc<AccessCounters>,
    uses: GrantUses,
}

impl AccessTokens {
    pub(crate) fn new(storage: &Arc<dyn Storage>, counters: Arc<AccessCounters>) -> Arc<Self> {
        let tokens = Arc::new(Self {
            storage: Arc::clone(storage),
            keys: ArcSwap::from_pointee(CurrentKeys::read(&**storage)),
            verified: CredentialCache::new(),
            ended: EndedGrants::new(Arc::clone(storage)),
            counters,
            uses: GrantUses::new(),
        });
        storage.listen(Arc::clone(&tokens) as Arc<dyn ChangeListener>);
        tokens
    }

    /// Reads which grants have ended. Until that has succeeded, no token is accepted.
    pub(crate) async fn load(&self, now: Timestamp) {
        self.ended.load(now).await;
    }

    /// Keeps the ended grants up to date. Runs for as long as the service does.
    pub(crate) async fn run(&self, clock: &dyn Clock) -> std::convert::Infallible {
        self.ended.run(clock).await
    }

    /// The caller of a token for this server.
    pub(crate) fn check(&self, text: &str, server: &PublicId, now: Timestamp) -> Result<TokenCaller, TokenError> {
        // Read before the keys: if the keyring changes in between, the next check verifies the signature again.
        let keyring_version = self.storage.keyring_version();
        let check = |token: &VerifiedToken| token.check(server, now, || self.ended.known());
        let cached = self.verified.get(text, |token| token.was_verified_with(keyring_version).then(|| check(token)));
        if let Some(Some(outcome)) = cached {
            return outcome;
        }
        let token = VerifiedToken::new(self.verify(text).ok_or(TokenError::Invalid)?, keyring_version);
        let caller = check(&token)?;
        self.verified.insert(text, token);
        Ok(caller)
    }

    /// Checks whether a token that was valid still is.
    pub(crate) fn check_caller(&self, caller: &TokenCaller, now: Timestamp) -> Result<(), TokenError> {
        if caller.expires_at <= now {
            return Err(TokenError::Expired);
        }
        self.ended.check(caller.grant_id, caller.issued_at)
    }

    /// Records that a grant was used.
    pub(crate) fn record_use(&self, grant: GrantId, now: Timestamp) {
        self.uses.record(grant, now, || self.counters.grant(grant));
    }

    /// A receiver that is notified after grants have ended.
    pub(crate) fn watch_ended(&self) -> watch::Receiver<()> {
        self.ended.watch()
    }

    fn verify(&self, text: &str) -> Option<AccessToken> {
        let current = self.keys.load();
        if current.keyring_version == self.storage.keyring_version() {
            return current.keys.verify(text);
        }
        let renewed = Arc::new(CurrentKeys::read(&*self.storage));
        self.keys.store(Arc::clone(&renewed));
        renewed.keys.verify(text)
    }
}

impl ChangeListener for AccessTokens {
    fn changed(&self, change: &ChangeEvent) {
        match change {
            ChangeEvent::GrantEnded(grant) => self.ended.add([*grant]),
            ChangeEvent::EndedGrants | ChangeEvent::Everything => self.ended.request_reload(),
            ChangeEvent::Server(_) | ChangeEvent::OwnerKeys(_) | ChangeEvent::SessionEnded(_) => {}
        }
    }
}
