//! Users in replies.

use toolgate_domain::time::Timestamp;
use toolgate_domain::user::User;

use crate::reply_object::reply_object;

reply_object! {
    /// A user.
    pub(crate) struct UserOut<'a>(user: &'a User, has_provider_account: bool) {
        id: i64 = user.id.0,
        name: &'a str = &user.name,
        role: &'static str = user.role.as_str(),
        /// Whether the user's keys are refused.
        disabled: bool = user.is_disabled,
        /// Whether the user signs in through an OpenID provider.
        has_provider_account: bool = has_provider_account,
        created_at: Timestamp = user.created_at,
        updated_at: Timestamp = user.updated_at,
    }
}
