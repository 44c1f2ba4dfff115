//! An authenticated caller and its permissions: the scopes of its key, limited by the role of its user. A person who
//! is signed in with a browser has the permissions of the role, or at most the scopes of the key of that sign-in.

use toolgate_domain::api_key::{ApiKey, ResolvedKey, Scope, Scopes};
use toolgate_domain::audit::Actor;
use toolgate_domain::closed_set;
use toolgate_domain::ids::{ApiKeyId, UserId};
use toolgate_domain::oauth::sign_in::BrowserSession;
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

closed_set! {
    /// How a caller is authenticated.
    pub enum SignedInWith {
        /// A key.
        Key = "key",
        /// The session of a browser.
        Session = "session",
    }
}

/// A caller whose key or session is valid, and whose user is not disabled.
#[derive(Clone, Debug)]
pub struct Principal {
    user: User,
    signed_in_with: SignedInWith,
    /// The key of the request, or the key with which the session was opened.
    key: Option<ApiKey>,
    scopes: Scopes,
    /// When the key or the session expires.
    expires_at: Option<Timestamp>,
}

impl Principal {
    /// The caller with this key, unless the key is refused.
    pub fn new(resolved: ResolvedKey, now: Timestamp) -> Result<Self, KeyRefusal> {
        let ResolvedKey { key, user } = resolved;
        if key.expires_at.is_some_and(|end| end <= now) {
            return Err(KeyRefusal::Expired);
        }
        if user.is_disabled {
            return Err(KeyRefusal::UserDisabled);
        }
        let (scopes, expires_at) = (key.scopes, key.expires_at);
        Ok(Self { user, signed_in_with: SignedInWith::Key, key: Some(key), scopes, expires_at })
    }

    /// The person with this session, which storage has checked.
    pub fn from_session(session: BrowserSession) -> Self {
        let BrowserSession { user, key, expires_at } = session;
        // All scopes: without a key, only the role limits the person.
        let scopes = key.as_ref().map_or_else(|| Scopes::from_iter([Scope::Admin]), |key| key.scopes);
        Self { user, signed_in_with: SignedInWith::Session, key, scopes, expires_at: Some(expires_at) }
    }

    /// How the caller is authenticated.
    pub fn signed_in_with(&self) -> SignedInWith {
        self.signed_in_with
    }

    /// The user.
    pub fn user(&self) -> &User {
        &self.user
    }

    /// The key, without its secret: that of the request, or the one with which the session was opened, if any.
    pub fn key(&self) -> Option<&ApiKey> {
        self.key.as_ref()
    }

    /// The scopes of the key or session, of which the role may allow only some.
    pub fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// The user's id.
    pub fn user_id(&self) -> UserId {
        self.user.id
    }

    /// The key's id.
    pub fn key_id(&self) -> Option<ApiKeyId> {
        self.key.as_ref().map(|key| key.id)
    }

    /// When the key or the session expires, if it does.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.expires_at
    }

    /// When the permissions end, regardless of the session: with the key. `None` without a key that expires.
    pub fn permissions_end_at(&self) -> Option<Timestamp> {
        self.key.as_ref().and_then(|key| key.expires_at)
    }

    /// Whether the caller may read configuration and reports.
    pub fn may_read(&self) -> bool {
        self.user.role != Role::Member && self.scopes.allow(Scope::Read)
    }

    /// Whether the caller may read the caller's own user, key and grants.
    pub fn may_read_own(&self) -> bool {
        self.may_read() || (self.user.role == Role::Member && self.may_use_mcp())
    }

    /// Whether the caller may end the caller's own grants.
    pub fn may_change_own(&self) -> bool {
        self.may_use_mcp() || self.may_write()
    }

    /// Whether the caller may link and remove own accounts at an OpenID provider. A linked account has all rights of the
    /// role and outlives every key, so a caller with a key needs one with these rights.
    pub fn may_change_own_accounts(&self) -> bool {
        self.key.is_none() || (self.may_administer() && self.permissions_end_at().is_none())
    }

    /// Whether the caller may use servers over MCP.
    pub fn may_use_mcp(&self) -> bool {
        self.scopes.allow(Scope::Mcp)
    }

    /// Whether the caller may change configuration.
    pub fn may_write(&self) -> bool {
        self.user.role.may_manage_servers() && self.scopes.allow(Scope::Write)
    }

    /// Whether the caller may manage users, keys and the service.
    pub fn may_administer(&self) -> bool {
        self.user.role == Role::Admin && self.scopes.allow(Scope::Admin)
    }

    /// Whether the caller may read the metrics of the service.
    pub fn may_read_metrics(&self) -> bool {
        self.user.role == Role::Admin && self.scopes.allow(Scope::Metrics)
    }

    /// Whether the caller may give another key this scope: the caller's own key has it, and the role allows it.
    pub fn may_grant(&self, scope: Scope) -> bool {
        let is_allowed_by_role = match scope {
            Scope::Mcp => true,
            Scope::Read => self.user.role != Role::Member,
            Scope::Write => self.user.role.may_manage_servers(),
            // Metrics are about the whole service.
            Scope::Admin | Scope::Metrics => self.user.role == Role::Admin,
        };
        is_allowed_by_role && self.scopes.allow(scope)
    }

    /// The objects that the caller can see.
    pub fn visibility(&self) -> Visibility {
        match self.user.role {
            Role::Admin => Visibility::All,
            Role::Owner | Role::Viewer | Role::Member => Visibility::User(self.user.id),
        }
    }

    /// The caller as the author of a change to `fields`.
    pub fn actor(&self, at: Timestamp, fields: String) -> Actor {
        Actor {
            user_id: Some(self.user_id()),
            user_name: Some(self.user().name.clone()),
            key_id: self.key_id(),
            key_name: self.key.as_ref().map(|key| key.name.clone()),
            at,
            fields,
        }
    }
}
