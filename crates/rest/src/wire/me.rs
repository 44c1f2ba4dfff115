//! The caller.

use serde::Serialize;
use toolgate_auth::Principal;
use utoipa::ToSchema;

use super::key::ApiKeyOut;
use super::user::UserOut;

/// The caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct MeOut<'a> {
    #[schema(inline)]
    user: UserOut<'a>,
    #[schema(inline)]
    key: ApiKeyOut<'a>,
    /// Whether the caller has write access.
    may_write: bool,
    /// Whether the caller may manage users, keys and the service.
    may_administer: bool,
}

impl<'a> From<&'a Principal> for MeOut<'a> {
    fn from(principal: &'a Principal) -> Self {
        Self {
            user: principal.user().into(),
            key: principal.key().into(),
            may_write: principal.may_write(),
            may_administer: principal.may_administer(),
        }
    }
}
