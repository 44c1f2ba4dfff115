//! The store of credentials of servers.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ServerCredentialId, ServerId};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::server_credential::{ServerCredential, ServerCredentialPatch, ServerCredentialSpec};
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Stores credentials of servers. Each method is one atomic operation.
#[async_trait]
pub trait ServerCredentialStore {
    /// Credentials of a server ordered by id: all, or one page.
    async fn list_server_credentials(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<ServerCredential>>;

    /// One credential of a server.
    async fn server_credential(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        id: ServerCredentialId,
    ) -> Result<ServerCredential>;

    /// Creates a credential. `Exists` if the name is taken.
    async fn create_server_credential(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        spec: ServerCredentialSpec,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential>;

    /// Changes a credential, for all tools that use it: their next call has the new secret, and they get its
    /// `auth_type`. `Exists` if the name is taken; `Rejected` if an API key in the path does not fit the URL of a tool.
    async fn update_server_credential(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ServerCredentialId,
        patch: ServerCredentialPatch,
    ) -> Result<ServerCredential>;

    /// Deletes a credential and returns it. `CredentialInUse` if tools use it, unless `force` is true: then these tools
    /// keep their `auth_type` without credentials, so that their calls fail.
    async fn delete_server_credential(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        id: ServerCredentialId,
        force: bool,
    ) -> Result<ServerCredential>;
}
