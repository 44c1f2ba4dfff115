//! Accounts at OpenID providers.

use toolgate_domain::oauth::identity::LinkedIdentity;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// An account at an OpenID provider with which a user signs in.
    pub(crate) struct IdentityOut<'a>(linked: &'a LinkedIdentity) {
        id: i64 = linked.id.0,
        /// The issuer of the provider.
        issuer: &'a str = &linked.identity.issuer,
        /// The id of the person at this issuer.
        subject: &'a str = &linked.identity.subject,
        /// When the account was linked, or created the user.
        created_at: Timestamp = linked.created_at,
    }
}
