//! The store of browser sessions, sign-in links and passwords.

use async_trait::async_trait;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::sign_in::{BrowserSession, NewBrowserSession, NewSignInLink, SignInLink, StoredPassword};
use toolgate_domain::time::Timestamp;

use crate::error::Result;

/// Stores how people sign in with a browser.
#[async_trait]
pub trait SignInStore {
    /// Stores a session, with the audit row `sign_in`.
    async fn create_browser_session(&self, actor: &Actor, session: NewBrowserSession) -> Result<()>;

    /// The session with this hash, if it is valid.
    async fn browser_session(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<BrowserSession>>;

    /// Deletes a session, if it exists.
    async fn delete_browser_session(&self, hash: &KeyHash) -> Result<()>;

    /// Writes the audit row `sign_in_failed` for an existing user.
    async fn record_failed_sign_in(&self, actor: &Actor, user_id: UserId) -> Result<()>;

    /// Stores a link. `NotFound` if the user does not exist, `Rejected` if the user is disabled.
    async fn create_sign_in_link(&self, actor: &Actor, link: NewSignInLink) -> Result<()>;

    /// The link with this hash, if it is valid.
    async fn sign_in_link(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<SignInLink>>;

    /// Uses a link: only one caller gets it.
    async fn take_sign_in_link(&self, hash: &KeyHash, now: Timestamp) -> Result<Option<SignInLink>>;

    /// The password of the user with this name; `None` if there is no such user, no password, or the user is disabled.
    async fn password(&self, user_name: &str) -> Result<Option<StoredPassword>>;

    /// Sets the password of a user (as a PHC string) and deletes all browser sessions and sign-in links of the user.
    async fn set_password(&self, actor: &Actor, user_id: UserId, phc: &str) -> Result<()>;

    /// Deletes sessions, links and unfinished sign-ins at a provider that expired before `now`.
    async fn delete_expired_sign_ins(&self, now: Timestamp) -> Result<()>;
}
