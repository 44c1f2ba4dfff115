//! The API key of a request, and the principal it belongs to.

use http::HeaderMap;
use toolgate_auth::{KeyRefusal, Principal};
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::user::Role;

use crate::access::Access;
use crate::context::ApiContext;
use crate::error::RestError;

/// The hash of the key that was sent, and the access that the route requires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestCredential {
    hash: KeyHash,
    access: Access,
}

impl RequestCredential {
    /// Reads the bearer token of a request.
    pub(crate) fn from_headers(headers: &HeaderMap, access: Access) -> Result<Self, RestError> {
        let key = toolgate_auth::bearer_token(headers).ok_or_else(RestError::unauthorized)?;
        Ok(Self { hash: toolgate_auth::hash_key(key), access })
    }

    /// Looks up the owner of the key; fails unless the key is valid now and grants the required access.
    pub(crate) async fn principal(&self, context: &ApiContext) -> Result<Principal, RestError> {
        let key = context.services.storage.find_api_key(self.hash).await?.ok_or_else(RestError::unauthorized)?;
        let principal = Principal::new(key, context.services.clock.now()).map_err(|refusal| match refusal {
            KeyRefusal::Expired => RestError::expired_key(),
            KeyRefusal::UserDisabled => RestError::user_disabled(),
        })?;
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
