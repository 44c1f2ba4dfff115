//! API keys for the management API, and keys for the MCP endpoint of one server. Only hashes are stored.

use crate::change::Change;
use crate::closed_set::closed_set;
use crate::ids::{ApiKeyId, EndpointKeyId, ServerId, UserId};
use crate::time::Timestamp;
use crate::user::User;

/// SHA-256 of a key, by which it is stored and looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl std::fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyHash(..)")
    }
}

closed_set! {
    /// One permission of a key.
    pub enum Scope {
        /// Read the configuration and reports.
        Read = "read",
        /// Change the configuration; implies read.
        Write = "write",
        /// Manage users and keys; implies all other scopes.
        Admin = "admin",
        /// Use the owner's servers over MCP.
        Mcp = "mcp",
        /// Read the metrics of the service.
        Metrics = "metrics",
    }
}

/// The scopes of a key, as a bit set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// Whether `scope` is granted, directly or by implication.
    pub fn allow(self, scope: Scope) -> bool {
        let is_granted = |scope: Scope| self.0 & (1 << scope as u8) != 0;
        is_granted(scope) || is_granted(Scope::Admin) || (scope == Scope::Read && is_granted(Scope::Write))
    }

    /// The names of the granted scopes, without implied ones.
    pub fn names(self) -> Vec<&'static str> {
        let is_granted = |name: &&&str| Scope::parse(name).is_some_and(|scope| self.0 & (1 << scope as u8) != 0);
        Scope::NAMES.iter().filter(is_granted).copied().collect()
    }

    /// Parses stored names, separated by spaces; unknown names grant nothing.
    pub fn from_stored(text: &str) -> Self {
        text.split(' ').filter_map(Scope::parse).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}

/// A key for the management API.
#[derive(Clone, Debug)]
pub struct ApiKey {
    /// Id.
    pub id: ApiKeyId,
    /// Owner.
    pub user_id: UserId,
    /// Name given by the owner.
    pub name: String,
    /// The first characters of the key, to distinguish keys.
    pub hint: String,
    /// Scopes.
    pub scopes: Scopes,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

/// An API key to create.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// Owner.
    pub user_id: UserId,
    /// Name given by the owner.
    pub name: String,
    /// Scopes.
    pub scopes: Scopes,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// Hash and hint of the key.
    pub digest: KeyDigest,
}

/// The stored part of a key.
#[derive(Clone, Debug)]
pub struct KeyDigest {
    /// Its hash.
    pub hash: KeyHash,
    /// Its first characters.
    pub hint: String,
}

/// The stored key that a presented key matches, with its user.
#[derive(Clone, Debug)]
pub struct ResolvedKey {
    /// The key.
    pub key: ApiKey,
    /// The user it belongs to.
    pub user: User,
}

/// Maximum number of API keys of one user.
pub const API_KEYS_MAX: i64 = 1000;
/// Maximum number of keys for one server's endpoint.
pub const ENDPOINT_KEYS_MAX: i64 = 1000;

/// The allowed rate limits of an endpoint key, in requests per minute.
pub const KEY_RATE_LIMIT_PER_MIN: std::ops::RangeInclusive<i64> = 1..=10_000_000;

/// A key for one server's MCP endpoint.
#[derive(Clone, Debug)]
pub struct EndpointKey {
    /// Id.
    pub id: EndpointKeyId,
    /// The server it gives access to.
    pub server_id: ServerId,
    /// Name given by the owner.
    pub name: String,
    /// The first characters of the key.
    pub hint: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When a client last used it. Written at intervals, so it can be some seconds old.
    pub last_used_at: Option<Timestamp>,
    /// Requests per minute with this key; `None` if only the server's limit holds.
    pub rate_limit_per_min: Option<i64>,
}

/// A change of an endpoint key.
#[derive(Clone, Debug, Default)]
pub struct EndpointKeyPatch {
    /// Name given by the owner.
    pub name: Option<String>,
    /// When it expires.
    pub expires_at: Change<Timestamp>,
    /// Requests per minute with this key.
    pub rate_limit_per_min: Change<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admin_implies_all_and_write_implies_read() {
        let write = Scopes::from_stored("write");
        assert!(write.allow(Scope::Read) && write.allow(Scope::Write));
        assert!(!write.allow(Scope::Admin) && !write.allow(Scope::Mcp) && !write.allow(Scope::Metrics));
        let admin = Scopes::from_stored("admin");
        assert!([Scope::Read, Scope::Write, Scope::Admin, Scope::Mcp, Scope::Metrics].iter().all(|s| admin.allow(*s)));
        assert_eq!(Scopes::from_stored("mcp read").names(), ["read", "mcp"]);
    }
}
