//! The caller.

use toolgate_auth::Principal;

use super::key::ApiKeyOut;
use super::user::UserOut;
use crate::reply_object::reply_object;

reply_object! {
    /// The caller.
    pub(crate) struct MeOut<'a>(principal: &'a Principal) {
        user: UserOut<'a> = UserOut::new(principal.user()),
        key: ApiKeyOut<'a> = ApiKeyOut::new(principal.key()),
        /// Whether the caller has write access.
        may_write: bool = principal.may_write(),
        /// Whether the caller may manage users, keys and the service.
        may_administer: bool = principal.may_administer(),
    }
}
