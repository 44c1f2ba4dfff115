//! Accounts at an OpenID provider with which people sign in.

use crate::api_key::KeyHash;
use crate::ids::{IdentityId, UserId};
use crate::time::Timestamp;

/// Longest subject, in bytes (OpenID Connect Core, section 2).
const SUBJECT_BYTES_MAX: usize = 255;

/// Whether a text can be the subject of a token.
pub fn is_subject(text: &str) -> bool {
    (1..=SUBJECT_BYTES_MAX).contains(&text.len()) && !text.contains(char::is_control)
}

/// Who a person is at a provider. A provider may give an address or a name to another person later, but not this pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The issuer of the provider.
    pub issuer: String,
    /// The id of the person at this issuer.
    pub subject: String,
}

/// An account that belongs to a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedIdentity {
    /// Names it in REST paths.
    pub id: IdentityId,
    /// The account.
    pub identity: Identity,
    /// Since when it belongs to the user.
    pub created_at: Timestamp,
}

/// A sign-in at a provider that was started and is not finished, to store.
#[derive(Clone, Debug)]
pub struct NewOpenIdAttempt {
    /// Hash of `state`.
    pub state: KeyHash,
    /// Hash of the cookie of the browser that started it.
    pub browser: KeyHash,
    /// What happens after it.
    pub attempt: OpenIdAttempt,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// What happens after a sign-in at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenIdAttempt {
    /// Where the browser is sent: a path and query of this service.
    pub next: Option<String>,
    /// The person who links the account, if already signed in.
    pub user_id: Option<UserId>,
}
