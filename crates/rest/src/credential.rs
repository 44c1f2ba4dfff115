//! What a caller presents, and who that is.

use http::HeaderMap;
use toolgate_auth::Principal;
use toolgate_domain::api_key::KeyHash;

use crate::context::Context;
use crate::error::RestError;
use crate::route::Access;

/// A key, and what it is to open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credential {
    hash: KeyHash,
    access: Access,
}

impl Credential {
    /// The key of a request.
    pub(crate) fn of(headers: &HeaderMap, access: Access) -> Result<Self, RestError> {
        let key = toolgate_auth::bearer(headers).ok_or_else(RestError::unauthorized)?;
        Ok(Self { hash: toolgate_auth::hash(key), access })
    }

    /// Whose key it is, if it is one and allows what is wanted at this moment.
    pub(crate) async fn principal(&self, context: &Context) -> Result<Principal, RestError> {
        let known = context.storage.find_api_key(self.hash).await?.ok_or_else(RestError::unauthorized)?;
        let principal = Principal::new(known, context.clock.now()).ok_or_else(RestError::unauthorized)?;
        let is_allowed = match self.access {
            Access::Public | Access::Read => principal.may_read(),
            Access::Write => principal.may_write(),
            Access::Admin => principal.may_administer(),
        };
        if is_allowed { Ok(principal) } else { Err(RestError::forbidden()) }
    }
}
