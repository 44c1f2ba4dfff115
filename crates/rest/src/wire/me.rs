//! The caller in the reply of `/me`.

use toolgate_auth::Principal;
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::MemberRole;

use super::key::ApiKeyOut;
use super::user::UserOut;
use crate::reply_object::reply_object;

reply_object! {
    /// A server that is shared with the caller.
    pub(crate) struct MembershipOut(server: ServerId, role: MemberRole) {
        server_id: i64 = server.0,
        role: &'static str = role.as_str(),
    }
}

reply_object! {
    /// The caller.
    pub(crate) struct MeOut<'a>(principal: &'a Principal, has_provider_account: bool, memberships: Vec<MembershipOut>) {
        user: UserOut<'a> = UserOut::new(principal.user(), has_provider_account),
        /// The key of the request, or the one with which the session was opened; null for a session without a key.
        key: Option<ApiKeyOut<'a>> = principal.key().map(ApiKeyOut::new),
        /// What the caller is authenticated with: `key`, or `session` for a person who is signed in with a browser.
        signed_in_with: &'static str = principal.signed_in_with().as_str(),
        /// Whether the caller has write access.
        may_write: bool = principal.may_write(),
        /// Whether the caller may manage users, keys and the service.
        may_administer: bool = principal.may_administer(),
        /// The servers that are shared with the user, and what the user may do with them.
        memberships: Vec<MembershipOut> = memberships,
    }
}
