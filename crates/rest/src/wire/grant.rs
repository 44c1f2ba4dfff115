//! Grants: the access of programs to servers.

use toolgate_domain::oauth::grant::Grant;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// The access that a person gave a program to one server.
    pub(crate) struct GrantOut<'a>(grant: &'a Grant) {
        id: i64 = grant.id.0,
        server_id: i64 = grant.server_id.0,
        server_name: &'a str = &grant.server_name,
        user_id: i64 = grant.user_id.0,
        user_name: &'a str = &grant.user_name,
        /// The client_id of the program in the protocol.
        client_id: &'a str = &grant.client_identifier,
        /// The id of the program in /oauth/clients.
        oauth_client_id: i64 = grant.client_id.0,
        /// The name that the program claims.
        client_name: &'a str = &grant.client_name,
        /// registered: the program registered itself, nothing is verified; metadata_document: the host of client_id is
        /// verified; preregistered: an administrator registered it.
        client_kind: &'static str = grant.client_kind.as_str(),
        /// The host to which the authorization code was sent; the scheme if it is not http or https.
        redirect_host: &'a str = &grant.redirect_host,
        scopes: Vec<&'static str> = grant.scopes.names(),
        created_at: Timestamp = grant.created_at,
        /// When a call last used it, accurate to some seconds; null if none did yet.
        last_used_at: Option<Timestamp> = grant.last_used_at,
        /// When it ends unless the program uses it before.
        expires_at: Timestamp = grant.expires_at,
    }
}
