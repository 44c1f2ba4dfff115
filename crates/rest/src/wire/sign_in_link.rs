//! Links with which people sign in.

use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A link that signs a person in with a browser.
    pub(crate) struct SignInLinkOut(url: String, expires_at: Timestamp) {
        /// The link. It can be used once, and is shown only in this reply.
        url: String = url,
        expires_at: Timestamp = expires_at,
    }
}
