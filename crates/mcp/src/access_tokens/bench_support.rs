//! The checks of a key and of a token without a service, for `benches/`.

use std::sync::Arc;

use ahash::HashMap;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use toolgate_analytics::KeyLastUse;
use toolgate_auth::{AccessToken, AccessTokenKeys, PresentedToken};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::ids::{GrantId, PublicId, UserId};
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::time::Timestamp;
use zeroize::Zeroizing;

use super::ended_set::EndedGrantSet;
use super::grant_uses::GrantUses;
use super::verified_token::VerifiedToken;
use crate::accepted_keys::AcceptedKeys;
use crate::credential_cache::CredentialCache;

const NOW: Timestamp = Timestamp::from_millis(1_000_000);

/// A server with a key and a token, and some ended grants.
pub struct CredentialChecks {
    token_keys: AccessTokenKeys,
    verified: CredentialCache<VerifiedToken>,
    ended: EndedGrantSet,
    uses: GrantUses,
    accepted_keys: AcceptedKeys,
    endpoint_keys: HashMap<KeyHash, Arc<KeyLastUse>>,
    server: PublicId,
    /// A request with the key.
    pub with_key: HeaderMap,
    /// A request with the token.
    pub with_token: HeaderMap,
}

impl CredentialChecks {
    /// A server with `ended` ended grants.
    pub fn new(ended: i64) -> Option<Self> {
        let (server, grant) = (PublicId::from_random([9; 16]), GrantId(7));
        let keys = [Zeroizing::new([1; 32])];
        let token = AccessToken {
            grant_id: grant,
            user_id: UserId(3),
            server: server.clone(),
            scopes: McpScopes::ALL,
            issued_at: NOW,
            expires_at: NOW.plus_millis(1),
        };
        let key = "tg_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
        let header = |text: &str| {
            let value = format!("Bearer {text}").parse().ok()?;
            Some(HeaderMap::from_iter([(AUTHORIZATION, value)]))
        };
        let set = EndedGrantSet::new(usize::MAX);
        set.add((0..ended).map(|id| EndedGrant { id: GrantId(1_000 + id), ended_at: NOW }));
        Some(Self {
            token_keys: AccessTokenKeys::new(&keys),
            verified: CredentialCache::new(),
            ended: set,
            uses: GrantUses::new(),
            accepted_keys: AcceptedKeys::new(),
            endpoint_keys: HashMap::from_iter([(toolgate_auth::hash_secret(key), Arc::default())]),
            server,
            with_key: header(key)?,
            with_token: header(&token.sign(&keys)?)?,
        })
    }

    /// Whether a request with a key is accepted.
    pub fn accepts_key(&self, headers: &HeaderMap) -> bool {
        let presented = self.accepted_keys.hash_all(headers);
        let Some(hash) = presented.hashes.iter().find(|hash| self.endpoint_keys.contains_key(*hash)) else {
            return false;
        };
        self.accepted_keys.remember(headers, &presented, Some(hash));
        self.endpoint_keys.get(hash).inspect(|last_use| last_use.record(NOW)).is_some()
    }

    /// Whether a request with a token is accepted.
    pub fn accepts_token(&self, headers: &HeaderMap) -> bool {
        let PresentedToken::Token(text) = toolgate_auth::presented_token(headers) else { return false };
        let check = |token: &VerifiedToken| token.check(&self.server, NOW, || Ok(&self.ended));
        let cached = self.verified.get(text, |token| token.was_verified_with(0).then(|| check(token)));
        let outcome = cached.flatten().or_else(|| {
            let token = VerifiedToken::new(self.token_keys.verify(text)?, 0);
            let outcome = check(&token);
            self.verified.insert(text, token);
            Some(outcome)
        });
        let grant = outcome.and_then(Result::ok).map(|caller| caller.grant_id);
        grant.inspect(|grant| self.uses.record(*grant, NOW, Arc::default)).is_some()
    }

    /// Whether the signature of a token is valid, as the first request with it checks.
    pub fn verifies_token(&self, headers: &HeaderMap) -> bool {
        let PresentedToken::Token(text) = toolgate_auth::presented_token(headers) else { return false };
        self.token_keys.verify(text).is_some()
    }
}
