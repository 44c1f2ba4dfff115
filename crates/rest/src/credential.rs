//! What a caller presents, and who that is: asked once by a request that ends, again and again by one that does not.

use std::sync::Arc;
use std::time::Duration;

use auth::Principal;
use domain::api_key::KeyHash;
use domain::user::Visibility;
use http::{HeaderMap, StatusCode};
use tokio::time::timeout;

use crate::context::Context;
use crate::error::RestError;
use crate::route::Access;

/// How long a key that is no longer one may go on reading a reply that lasts.
pub(crate) const AGAIN: Duration = Duration::from_secs(15);
/// How long looking at the key may hold such a reply up.
const PATIENCE: Duration = Duration::from_secs(2);

/// A key, and what it is to open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credential {
    hash: KeyHash,
    access: Access,
}

impl Credential {
    /// The key of a request.
    pub(crate) fn of(headers: &HeaderMap, access: Access) -> Result<Self, RestError> {
        let key = auth::bearer(headers).ok_or_else(RestError::unauthorized)?;
        Ok(Self { hash: auth::digest(key).hash, access })
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

/// The key of a reply that lasts, to be looked at again and again: every [`AGAIN`].
pub(crate) struct Lasting {
    pub(crate) credential: Credential,
    pub(crate) context: Arc<Context>,
}

impl Lasting {
    /// Whose objects the key shows by now; none where it opens nothing any more. A database that does not answer is no
    /// reason to leave.
    pub(crate) async fn visibility(&self, before: Visibility) -> Option<Visibility> {
        match timeout(PATIENCE, self.credential.principal(&self.context)).await {
            Ok(Ok(principal)) => Some(principal.visibility()),
            Ok(Err(error)) if matches!(error.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => None,
            Ok(Err(_)) | Err(_) => Some(before),
        }
    }
}
