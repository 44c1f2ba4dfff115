//! People who are signed in with a browser.

use crate::api_key::{ApiKey, KeyHash};
use crate::closed_set::closed_set;
use crate::ids::{ApiKeyId, UserId};
use crate::oauth::identity::Identity;
use crate::time::Timestamp;
use crate::user::User;

/// A browser session to store.
#[derive(Clone, Debug)]
pub struct NewBrowserSession {
    /// Hash of the cookie's value.
    pub hash: KeyHash,
    /// The person.
    pub user_id: UserId,
    /// The key with which the person signed in; deleting it ends the session.
    pub key_id: Option<ApiKeyId>,
    /// The account at a provider with which the person signed in. It must still belong to the person.
    pub identity: Option<Identity>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A browser session that is valid: not expired, its user is not disabled, its key exists.
#[derive(Clone, Debug)]
pub struct BrowserSession {
    /// The person.
    pub user: User,
    /// The key with which the person signed in, which limits what the session may do.
    pub key: Option<ApiKey>,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl BrowserSession {
    /// The id of the key with which the person signed in.
    pub fn key_id(&self) -> Option<ApiKeyId> {
        self.key.as_ref().map(|key| key.id)
    }
}

closed_set! {
    /// What a sign-in link is for.
    pub enum SignInLinkPurpose {
        /// An invitation, or a forgotten password: the person sets a password.
        SetPassword = "set_password",
        /// The person is signed in without a password.
        SignIn = "sign_in",
    }
}

/// A sign-in link to store.
#[derive(Clone, Debug)]
pub struct NewSignInLink {
    /// Hash of the secret in the link.
    pub hash: KeyHash,
    /// The person.
    pub user_id: UserId,
    /// What it is for.
    pub purpose: SignInLinkPurpose,
    /// The key with which the person created the link; deleting the key ends the session. `None` if another person
    /// created it.
    pub key_id: Option<ApiKeyId>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A sign-in link that is valid: not used, not expired, its user is not disabled.
#[derive(Clone, Debug)]
pub struct SignInLink {
    /// The person.
    pub user: User,
    /// What it is for.
    pub purpose: SignInLinkPurpose,
    /// The key of the request that created it.
    pub key_id: Option<ApiKeyId>,
}

/// A person's password as stored.
#[derive(Clone)]
pub struct StoredPassword {
    /// The person, who is not disabled.
    pub user: User,
    /// The argon2id hash as a PHC string.
    pub phc: String,
}

impl std::fmt::Debug for StoredPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredPassword").field("user", &self.user.id).finish_non_exhaustive()
    }
}
