//! The credential of a request, and the principal it belongs to: an API key, or the token of a person who is signed in
//! with a browser.

use http::HeaderMap;
use toolgate_auth::{CONSOLE_TOKEN_KEYS, CONSOLE_TOKEN_PREFIX, ConsoleToken, KeyRefusal, Principal};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::user::Role;

use crate::access::Access;
use crate::context::ApiContext;
use crate::error::RestError;

/// The credential that a request sent, and the access that the route requires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestCredential {
    sent: SentCredential,
    access: Access,
}

#[derive(Clone, Copy, Debug)]
enum SentCredential {
    /// The hash of an API key.
    Key(KeyHash),
    /// The hash of the browser session that a valid token names. While a long reply is sent, the session is revalidated
    /// and the expiry of the token is ignored.
    Session(KeyHash),
}

impl RequestCredential {
    /// Reads the bearer token of a request.
    pub(crate) fn from_headers(context: &ApiContext, headers: &HeaderMap, access: Access) -> Result<Self, RestError> {
        let text = toolgate_auth::bearer_token(headers).ok_or_else(RestError::unauthorized)?;
        let sent = if text.starts_with(CONSOLE_TOKEN_PREFIX) {
            let keys = context.services.storage.signing_keys(CONSOLE_TOKEN_KEYS);
            let token = ConsoleToken::verify(text, &keys).ok_or_else(RestError::unauthorized)?;
            if token.expires_at <= context.services.clock.now() {
                return Err(RestError::expired_token());
            }
            SentCredential::Session(token.session)
        } else {
            SentCredential::Key(toolgate_auth::hash_secret(text))
        };
        Ok(Self { sent, access })
    }

    /// Looks up the caller; fails unless the credential is valid now and grants the required access.
    pub(crate) async fn principal(&self, context: &ApiContext) -> Result<Principal, RestError> {
        let principal = match self.sent {
            SentCredential::Key(hash) => principal_of_key(context, hash).await?,
            SentCredential::Session(hash) => principal_of_session(context, hash).await?,
        };
        let is_allowed = match self.access {
            Access::Public | Access::Read => principal.may_read(),
            Access::ReadOwn => principal.may_read_own(),
            Access::ChangeOwn => principal.may_change_own(),
            Access::Write => principal.may_write(),
            Access::Admin => principal.may_administer(),
        };
        match principal.user().role {
            _ if is_allowed => Ok(principal),
            Role::Member => Err(RestError::forbidden_to_members()),
            Role::Admin | Role::Owner | Role::Viewer => Err(RestError::forbidden()),
        }
    }
}

async fn principal_of_key(context: &ApiContext, hash: KeyHash) -> Result<Principal, RestError> {
    let key = context.services.storage.find_api_key(hash).await?.ok_or_else(RestError::unauthorized)?;
    Principal::new(key, context.services.clock.now()).map_err(|refusal| match refusal {
        KeyRefusal::Expired => RestError::expired_key(),
        KeyRefusal::UserDisabled => RestError::user_disabled(),
    })
}

/// Storage returns no session if its user is disabled or the key used to sign in is deleted.
async fn principal_of_session(context: &ApiContext, hash: KeyHash) -> Result<Principal, RestError> {
    let session = context.services.storage.browser_session(&hash, context.services.clock.now()).await?;
    session.map(Principal::from_session).ok_or_else(RestError::unauthorized)
}
