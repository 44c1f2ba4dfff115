//! OAuth clients. The secret is only in the reply that creates the client.

use toolgate_domain::oauth::client::OAuthClient;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;
use crate::schema::Omittable;

reply_object! {
    /// A program that may ask people for access to servers.
    pub(crate) struct OAuthClientOut<'a>(client: &'a OAuthClient) {
        id: i64 = client.id.0,
        /// The client_id in the protocol.
        client_id: &'a str = &client.client_id,
        /// registered: it registered itself, nothing is verified; metadata_document: the host of client_id is verified;
        /// preregistered: an administrator registered it.
        kind: &'static str = client.kind.as_str(),
        /// allowed or blocked.
        status: &'static str = client.status.as_str(),
        /// The name that it claims.
        name: &'a str = &client.name,
        redirect_uris: &'a [String] = &client.redirect_uris,
        token_endpoint_auth_method: &'static str = client.auth_method.as_str(),
        created_at: Timestamp = client.created_at,
        updated_at: Timestamp = client.updated_at,
        /// When a person last allowed it access; null if there was no consent yet.
        last_consent_at: Option<Timestamp> = client.last_consent_at,
    }
}

reply_object! {
    /// A program that may ask people for access to servers.
    pub(crate) struct CreatedOAuthClientOut<'a>(client: &'a OAuthClient, secret: Option<&'a str>) {
        ..stored: OAuthClientOut<'a> = OAuthClientOut::new(client),
        /// The secret, if the program has one. It is shown only in this reply.
        client_secret: Omittable<&'a str> = Omittable(secret),
    }
}
