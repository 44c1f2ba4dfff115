//! A known caller and its rights: what the key grants, within what the user's role allows.

use toolgate_domain::api_key::{ApiKey, KnownKey, Scope};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{Role, User, Visibility};

/// A caller whose key is known and has not expired.
#[derive(Clone, Debug)]
pub struct Principal {
    known: KnownKey,
}

impl Principal {
    /// The caller behind a key, unless the key has expired.
    pub fn new(known: KnownKey, now: Timestamp) -> Option<Self> {
        let expired = known.key.expires_at.is_some_and(|end| end <= now);
        (!expired).then_some(Self { known })
    }

    /// The user.
    pub fn user(&self) -> &User {
        &self.known.user
    }

    /// The key, without its secret.
    pub fn key(&self) -> &ApiKey {
        &self.known.key
    }

    /// The user's id.
    pub fn user_id(&self) -> UserId {
        self.known.user.id
    }

    /// The key's id.
    pub fn key_id(&self) -> ApiKeyId {
        self.known.key.id
    }

    /// When the key expires, if it does.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.known.key.expires_at
    }

    /// May read configuration and reports.
    pub fn may_read(&self) -> bool {
        self.known.key.scopes.allow(Scope::Read)
    }

    /// May change configuration.
    pub fn may_write(&self) -> bool {
        self.known.user.role != Role::Viewer && self.known.key.scopes.allow(Scope::Write)
    }

    /// May manage users, keys and the service.
    pub fn may_administer(&self) -> bool {
        self.known.user.role == Role::Admin && self.known.key.scopes.allow(Scope::Admin)
    }

    /// Whose objects the caller sees.
    pub fn visibility(&self) -> Visibility {
        match self.known.user.role {
            Role::Admin => Visibility::All,
            Role::Owner | Role::Viewer => Visibility::OwnedBy(self.known.user.id),
        }
    }

    /// The caller as the author of a change to `fields`.
    pub fn actor(&self, at: Timestamp, fields: String) -> Actor {
        Actor { user_id: Some(self.user_id()), key_id: Some(self.key_id()), at, fields }
    }
}
