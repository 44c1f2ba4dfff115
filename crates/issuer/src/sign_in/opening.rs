//! Opens the session of an authenticated person.

use axum::response::Response;
use http::request::Parts;
use toolgate_auth::hash_secret;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::ApiKeyId;
use toolgate_domain::oauth::identity::Identity;
use toolgate_domain::oauth::sign_in::NewBrowserSession;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::User;
use toolgate_storage::StorageError;

use crate::context::IssuerContext;
use crate::issuer_url::IssuerUrl;
use crate::page_reply::see_other;
use crate::random_secret;
use crate::signed_in::{SESSION_TTL_MS, cookie_hash, set_cookie};

/// Where a person goes after sign-in without `next`: the console.
const CONSOLE: &str = "/";

/// An authenticated person.
pub(super) struct Identified {
    pub(super) user: User,
    /// The key with which the person signed in.
    pub(super) key_id: Option<ApiKeyId>,
    /// When that key expires.
    pub(super) key_expires_at: Option<Timestamp>,
    /// The account at the OpenID provider that proved it.
    pub(super) identity: Option<Identity>,
}

/// Why no session was opened.
#[derive(Debug)]
pub(super) enum OpeningError {
    /// The user, the key or the account was deleted, or the user disabled, in the meantime.
    Gone,
    /// The operating system provided no random bytes.
    NoRandomBytes,
    Storage(StorageError),
}

/// Stores a new session, whose cookie replaces that of an earlier one. The reply leads to `next`.
pub(super) async fn open_session(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    parts: &Parts,
    identified: &Identified,
    next: Option<&str>,
) -> Result<Response, OpeningError> {
    let Identified { user, key_id, key_expires_at, identity } = identified;
    let cookie = random_secret::generate("").map_err(|_| OpeningError::NoRandomBytes)?;
    let now = context.now();
    let end = now.plus_millis(SESSION_TTL_MS);
    let session = NewBrowserSession {
        hash: hash_secret(&cookie),
        user_id: user.id,
        key_id: *key_id,
        identity: identity.clone(),
        expires_at: key_expires_at.map_or(end, |key_end| key_end.min(end)),
    };
    context.storage.create_browser_session(&actor(user, *key_id, now), session).await?;
    if let Some(earlier) = cookie_hash(&parts.headers, issuer) {
        context.storage.delete_browser_session(&earlier).await?;
    }
    let mut response = see_other(&format!("{}{}", issuer.as_str(), next.unwrap_or(CONSOLE)));
    set_cookie(response.headers_mut(), issuer, &cookie);
    Ok(response)
}

/// The person as the author of a change.
pub(super) fn actor(user: &User, key_id: Option<ApiKeyId>, at: Timestamp) -> Actor {
    let user_name = Some(user.name.clone());
    Actor { user_id: Some(user.id), user_name, key_id, key_name: None, at, fields: String::new() }
}

impl From<StorageError> for OpeningError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::NotFound(_) | StorageError::Rejected(_) => Self::Gone,
            other => Self::Storage(other),
        }
    }
}
