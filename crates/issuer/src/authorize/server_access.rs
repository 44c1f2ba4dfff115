//! Which servers a person may allow programs to use.

use toolgate_domain::user::User;
use toolgate_storage::{OAuthServer, Result};

use crate::context::IssuerContext;
use crate::issuer_url::IssuerUrl;

/// Most servers that are read for a choice.
const SERVERS_MAX: u32 = 10_000;

/// The active server with the built-in issuer that a `resource` names.
pub(super) async fn find(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    resource: &str,
) -> Result<Option<OAuthServer>> {
    let Some(name) = issuer.endpoint_name(resource) else { return Ok(None) };
    let server = context.storage.oauth_server(&name.public_id).await?;
    Ok(server.filter(|server| server.accepts_consent() && server.server.slug.as_str() == name.slug))
}

/// Whether a person may use a server.
pub(super) async fn may_use(context: &IssuerContext, user: &User, server: &OAuthServer) -> Result<bool> {
    // Most users need no membership, so it is read only if access depends on it.
    let is_member = false;
    if server.allows(user, is_member) {
        return Ok(true);
    }
    let is_member = context.storage.memberships(user.id).await?.contains_key(&server.server.id);
    Ok(server.allows(user, is_member))
}

/// The servers that a person may use, by name, with the URLs of their endpoints.
pub(super) async fn usable_servers(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    user: &User,
    limit: usize,
) -> Result<Vec<(String, OAuthServer)>> {
    let memberships = context.storage.memberships(user.id).await?;
    let servers = context.storage.list_oauth_servers(SERVERS_MAX).await?.into_iter();
    let is_usable = |server: &OAuthServer| {
        server.accepts_consent() && server.allows(user, memberships.contains_key(&server.server.id))
    };
    Ok(servers.filter(is_usable).take(limit).map(|server| (issuer.endpoint(&server.server), server)).collect())
}
