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

use super::TokenCaller;
use super::ended_set::EndedGrantSet;

const NOW: Timestamp = Timestamp::from_millis(1_000_000);

/// A server with a key and a token, and some ended grants.
pub struct CredentialChecks {
    token_keys: AccessTokenKeys,
    ended: EndedGrantSet,
    used: moka::sync::Cache<GrantId, Arc<KeyLastUse>>,
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
        let used = moka::sync::Cache::builder().max_capacity(100).build();
        used.insert(grant, Arc::default());
        Some(Self {
            token_keys: AccessTokenKeys::new(&keys),
            ended: set,
            used,
            endpoint_keys: HashMap::from_iter([(toolgate_auth::hash_key(key), Arc::default())]),
            server,
            with_key: header(key)?,
            with_token: header(&token.sign(&keys)?)?,
        })
    }

    /// Whether a request with a key is accepted.
    pub fn accepts_key(&self, headers: &HeaderMap) -> bool {
        let hashes: Vec<KeyHash> = toolgate_auth::presented_keys(headers).map(toolgate_auth::hash_key).collect();
        let last_use = hashes.iter().find_map(|hash| self.endpoint_keys.get(hash));
        last_use.inspect(|last_use| last_use.record(NOW)).is_some()
    }

    /// Whether a request with a token is accepted.
    pub fn accepts_token(&self, headers: &HeaderMap) -> bool {
        let PresentedToken::Token(text) = toolgate_auth::presented_token(headers) else { return false };
        let Some(token) = self.token_keys.verify(text).filter(|token| token.server == self.server) else {
            return false;
        };
        let caller = TokenCaller::new(&token);
        let Some(grant) = caller.grant_id else { return false };
        if caller.expires_at <= NOW || self.ended.refuses(grant, caller.issued_at) {
            return false;
        }
        self.used.get(&grant).inspect(|last_use| last_use.record(NOW)).is_some()
    }
}
