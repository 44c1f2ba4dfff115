//! The store of servers.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{PublicId, ServerId, UserId};
use toolgate_domain::page::{Direction, Listing, Page};
use toolgate_domain::server::{Server, ServerPatch, ServerSort, ServerSpec, ServerStatus};
use toolgate_domain::upstream_auth::Credentials;
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Filters, order and page of a list of servers.
#[derive(Clone, Debug)]
pub struct ServerQuery {
    /// Only servers with this status.
    pub status: Option<ServerStatus>,
    /// Only servers whose name, slug or description contains this text, ignoring case.
    pub search: Option<String>,
    /// Sort field; ties are broken by id in the same direction.
    pub sort: ServerSort,
    /// Sort direction.
    pub direction: Direction,
    /// The page.
    pub page: Page,
}

/// A server to create.
#[derive(Clone, Debug)]
pub struct NewServer {
    /// Its owner.
    pub user_id: UserId,
    /// Its public id, newly generated from random bytes.
    pub public_id: PublicId,
    /// The name, and defaults for the other fields.
    pub spec: ServerSpec,
    /// The fields that the request sets. Without a slug, one is derived from the name, with a number if it is taken.
    pub patch: ServerPatch,
}

/// Stores servers. Each method is one atomic operation.
#[async_trait]
pub trait ServerStore {
    /// One page of the matching servers, and the number of all matching servers.
    async fn list_servers(&self, visibility: Visibility, query: ServerQuery) -> Result<Listing<Server>>;

    /// One server.
    async fn server(&self, visibility: Visibility, id: ServerId) -> Result<Server>;

    /// The first `limit` active servers whose endpoint needs no key, ordered by id, and the number of all of them.
    async fn list_open_servers(&self, limit: u32) -> Result<Listing<Server>>;

    /// The credentials for testing a server's tools, if its settings contain any.
    async fn test_credentials(&self, id: ServerId) -> Result<Option<Credentials>>;

    /// Creates a server. `Exists` if the patch sets a slug that another server of the owner has.
    async fn create_server(&self, actor: &Actor, new: NewServer) -> Result<Server>;

    /// Changes fields of a server. `Exists` if the slug is taken.
    async fn update_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        patch: ServerPatch,
    ) -> Result<Server>;

    /// Deletes a server with its tools, prompts, resources and endpoint keys, and returns the server.
    async fn delete_server(&self, actor: &Actor, visibility: Visibility, id: ServerId) -> Result<Server>;

    /// Pauses an active server and activates any other. Concurrent toggles are applied one after the other.
    async fn toggle_server(&self, actor: &Actor, visibility: Visibility, id: ServerId) -> Result<Server>;

    /// Copies a server with its tools, prompts, resources and secrets. The copy is a draft with the given public id.
    async fn duplicate_server(
        &self,
        actor: &Actor,
        visibility: Visibility,
        id: ServerId,
        public_id: PublicId,
    ) -> Result<Server>;
}
