//! An authenticated caller and its permissions: the scopes of its key, limited by the role of its user.

use toolgate_domain::api_key::{ApiKey, ResolvedKey, Scope};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{Role, User, Visibility};

/// Why a stored key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRefusal {
    /// The key has expired.
    Expired,
    /// An administrator has disabled the user.
    UserDisabled,
}

/// A caller whose key is valid and has not expired, and whose user is not disabled.
#[derive(Clone, Debug)]
pub struct Principal {
    resolved: ResolvedKey,
}

impl Principal {
    /// The caller with this key, unless the key is refused.
    pub fn new(resolved: ResolvedKey, now: Timestamp) -> Result<Self, KeyRefusal> {
        if resolved.key.expires_at.is_some_and(|end| end <= now) {
            return Err(KeyRefusal::Expired);
        }
        if resolved.user.is_disabled {
            return Err(KeyRefusal::UserDisabled);
        }
        Ok(Self { resolved })
    }

    /// The user.
    pub fn user(&self) -> &User {
        &self.resolved.user
    }

    /// The key, without its secret.
    pub fn key(&self) -> &ApiKey {
        &self.resolved.key
    }

    /// The user's id.
    pub fn user_id(&self) -> UserId {
        self.resolved.user.id
    }

    /// The key's id.
    pub fn key_id(&self) -> ApiKeyId {
        self.resolved.key.id
    }

    /// When the key expires, if it does.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.resolved.key.expires_at
    }

    /// Whether the caller may read configuration and reports.
    pub fn may_read(&self) -> bool {
        self.resolved.user.role != Role::Member && self.resolved.key.scopes.allow(Scope::Read)
    }

    /// Whether the caller may read what is the caller's own: the user, the key and the grants.
    pub fn may_read_own(&self) -> bool {
        self.may_read() || (self.resolved.user.role == Role::Member && self.may_use_mcp())
    }

    /// Whether the caller may end the caller's own grants.
    pub fn may_change_own(&self) -> bool {
        self.may_use_mcp() || self.may_write()
    }

    /// Whether the caller may use servers over MCP.
    pub fn may_use_mcp(&self) -> bool {
        self.resolved.key.scopes.allow(Scope::Mcp)
    }

    /// Whether the caller may change configuration.
    pub fn may_write(&self) -> bool {
        self.resolved.user.role.may_manage_servers() && self.resolved.key.scopes.allow(Scope::Write)
    }

    /// Whether the caller may manage users, keys and the service.
    pub fn may_administer(&self) -> bool {
        self.resolved.user.role == Role::Admin && self.resolved.key.scopes.allow(Scope::Admin)
    }

    /// Whether the caller may read the metrics of the service.
    pub fn may_read_metrics(&self) -> bool {
        self.resolved.user.role == Role::Admin && self.resolved.key.scopes.allow(Scope::Metrics)
    }

    /// Whether the caller may give another key this scope: the caller's own key has it, and the role allows it.
    pub fn may_grant(&self, scope: Scope) -> bool {
        let is_allowed_by_role = match scope {
            Scope::Mcp => true,
            Scope::Read => self.resolved.user.role != Role::Member,
            Scope::Write => self.resolved.user.role.may_manage_servers(),
            // Metrics are about the whole service.
            Scope::Admin | Scope::Metrics => self.resolved.user.role == Role::Admin,
        };
        is_allowed_by_role && self.resolved.key.scopes.allow(scope)
    }

    /// The objects that the caller can see.
    pub fn visibility(&self) -> Visibility {
        match self.resolved.user.role {
            Role::Admin => Visibility::All,
            Role::Owner | Role::Viewer | Role::Member => Visibility::User(self.resolved.user.id),
        }
    }

    /// The caller as the author of a change to `fields`.
    pub fn actor(&self, at: Timestamp, fields: String) -> Actor {
        Actor {
            user_id: Some(self.user_id()),
            user_name: Some(self.user().name.clone()),
            key_id: Some(self.key_id()),
            key_name: Some(self.key().name.clone()),
            at,
            fields,
        }
    }
}
