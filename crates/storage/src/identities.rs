//! The store of accounts at an OpenID provider.

use std::collections::HashSet;

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{IdentityId, UserId};
use toolgate_domain::oauth::identity::{Identity, LinkedIdentity, NewOpenIdAttempt, OpenIdAttempt};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::User;

use crate::error::Result;

/// Stores which account at a provider belongs to which user, and the sign-ins that are not finished.
#[async_trait]
pub trait IdentityStore {
    /// Stores a sign-in that was started.
    async fn create_openid_attempt(&self, attempt: NewOpenIdAttempt) -> Result<()>;

    /// Uses a sign-in that this browser started and that has not expired: only one caller gets it.
    async fn take_openid_attempt(
        &self,
        state: &KeyHash,
        browser: &KeyHash,
        now: Timestamp,
    ) -> Result<Option<OpenIdAttempt>>;

    /// The user to whom an account belongs. The user may be disabled.
    async fn identity_user(&self, identity: &Identity) -> Result<Option<User>>;

    /// Creates a user with the role `member` to whom an account belongs. If the name is taken, a number is added to it.
    /// `Exists` if another caller was faster: the account belongs to a user now, or the name is taken.
    async fn create_identity_user(&self, actor: &Actor, name: &str, identity: &Identity) -> Result<User>;

    /// Links an account to a user who is signed in with this browser session. `Exists` if it belongs to a user already,
    /// `NotFound` if the user does not exist or the session has ended, `Rejected` if the user is disabled.
    async fn link_identity(&self, actor: &Actor, user_id: UserId, session: &KeyHash, identity: &Identity)
    -> Result<()>;

    /// Of these users, those who have an account at any provider.
    async fn users_with_identity(&self, ids: &[UserId]) -> Result<HashSet<UserId>>;

    /// The accounts of a user, oldest first.
    async fn identities_of_user(&self, user_id: UserId, page: Option<Page>) -> Result<Listing<LinkedIdentity>>;

    /// Takes an account away from a user, and ends the user's sessions that were not opened with a key, because the
    /// account may have opened them. `None` if the user has no such account, `NotFound` if the user does not exist.
    /// `InUse` if people remove their own account, and then have no password, no valid API key and no account at
    /// `provider`, the issuer of the OpenID provider that is configured: the next sign-in with the account would create
    /// another user.
    async fn delete_identity(
        &self,
        actor: &Actor,
        user_id: UserId,
        id: IdentityId,
        provider: Option<&str>,
    ) -> Result<Option<LinkedIdentity>>;
}
